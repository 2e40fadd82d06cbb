// Generated from docs/openapi.json and schemas/errors.ts by `npm run client`. Do not edit.

export interface paths {
    "/health/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Health of the service
         * Needs no credential. 503 if the database does not answer.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/error/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List error codes
         * Every code that a failure can have, and what to do about it.
         */
        get: operations["listErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/error/item/code_{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an error code
         * The target of the `Link` with `rel="help"` of every failure.
         */
        get: operations["getError"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in
         * Starts a session. Two `Set-Cookie: PHPSESSID` headers come back, the old id first and the new id last: use the last one. A user with a second factor sends `code` too; without it, a correct password gets `SECOND-FACTOR-REQUIRED`.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * Ends the session on the server. No body is required.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/passkeyoptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to sign in with a passkey
         * What a browser needs to ask for a passkey, with a challenge that is good for five minutes, once, and only with the cookie of this answer. No body is required.
         */
        post: operations["beginPasskeySignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a passkey
         * Starts a session, as a login does. A passkey counts as both factors: no `code` is asked for.
         */
        post: operations["signInWithPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions
         * Where you are signed in, newest first.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/item/id_{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of your sessions
         * It ends at once. Ending the session of this request signs you out.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/endothers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End all your other sessions
         * The session of this request stays valid, as do JWTs and access tokens. No body is required.
         */
        post: operations["endOtherSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who am I?
         * And what it may do, and how much of it. A page that was reloaded finds its `csrfToken` here.
         */
        get: operations["getCurrentSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accesstoken/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List access tokens
         * Tokens that are valid, newest first. The tokens themselves are not stored.
         */
        get: operations["listAccessTokens"];
        put?: never;
        /**
         * Create an access token
         * `token` is shown only once. A repeated request with the same `Idempotency-Key` gets null for it: revoke that one and make another. At most 50 may be live. An `admin:*` scope needs the administrator role, else `FORBIDDEN`.
         */
        post: operations["createAccessToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accesstoken/derive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Derive an access token
         * For a helper: it may do nothing that the caller may not, counts among the 50, ends with the caller's, and its changes count for both. `FORBIDDEN`: the caller's was derived from a derived one.
         */
        post: operations["deriveAccessToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accesstoken/item/id_{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an access token
         * It stops working at once.
         */
        delete: operations["revokeAccessToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change your password
         * Needs the current password; a wrong one counts as a failed sign-in. Each session gets a few guesses, even while the account is locked. Ends every other session, every JWT and every access token of the user; this session continues, with its CSRF token.
         */
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your name or address
         * The name counts at once, an address once the link that is mailed to it was followed, within 24 hours; the old address is told both times. The answer is the same if the address is another user's. A session older than 10 minutes must send the password for an address. Your present address stops a change that waits. Sessions and tokens stay.
         */
        patch: operations["changeProfile"];
        trace?: never;
    };
    "/account/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download all your data
         * A zip, made while it is read: rows of every kind as JSON, files, activity, sessions and tokens without secrets. Its `README.txt` says what is what.
         */
        get: operations["exportAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete your account
         * For good, at once, with all that is yours; your reactions stay counted. Everything that is signed in ends, and a last mail says so. A session older than 10 minutes must send the password. `CONFLICT` if no administrator would be left.
         */
        post: operations["removeAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/passkeyoptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a passkey
         * What a browser needs to make a passkey, with a challenge that is good for five minutes, once, in this session. A session that is older than 15 minutes must send the password: without it `VALIDATION-FAILED`, with a wrong one `LOGIN-FAILED`. `CONFLICT` if the user has 20.
         */
        post: operations["beginPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a passkey
         * Takes what the browser has made. From now on, the user can sign in with it, and no second factor is asked for. `CONFLICT` if the user has 20, or the credential is a passkey already.
         */
        post: operations["createPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your passkeys
         * Newest first.
         */
        get: operations["listPasskeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/passkey/id_{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a passkey
         * It signs in no more. Sessions that it began stay, and so do the other ways to sign in. `CONFLICT` if it is the last one, of a user without a password.
         */
        delete: operations["deletePasskey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Confirm the second factor
         * From now on, signing in takes a code. The recovery codes are shown only once. Sessions, access tokens and JWTs stay valid. A session older than 15 minutes must send the password. `CONFLICT` if none was begun or one is already confirmed.
         */
        put: operations["confirmSecondFactor"];
        /**
         * Begin a second factor
         * Returns a secret for an authenticator app (TOTP, RFC 6238: SHA-1, 6 digits, 30 seconds). It has no effect until a code confirms it; beginning again replaces it. A session older than 15 minutes must send the password. `CONFLICT` if one is already confirmed.
         */
        post: operations["beginSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/totpoff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn off the second factor
         * Needs the password and a code; wrong ones count like those of a sign-in. The recovery codes become invalid. `CONFLICT` if there is none.
         */
        post: operations["endSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/token/issue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue a JWT
         * Takes the login name, or the email address, and the password of a user, and a `code` if the user has a second factor.
         */
        post: operations["issueToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/token/claims": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the claims of your JWT
         * Shows the claims as the service reads them.
         */
        get: operations["getTokenClaims"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/grant/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the programs you have let in
         * Newest first. Users let programs in on the consent page.
         */
        get: operations["listGrants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/grant/item/id_{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke the access of a program
         * Its tokens stop working at once.
         */
        delete: operations["endGrant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a password reset
         * The answer is the same whether or not the address is registered.
         */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/password-reset/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password
         * Uses the token up and ends every session and JWT of the user.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit events
         * Newest first.
         */
        get: operations["listAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/user/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * Newest first.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Add a user
         * Takes no password: the user gets an email with a link to set one. `CONFLICT` if another user has the login name or the email address, in any case; `taken` says which.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/user/item/id_{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a user
         * Includes whether the user is locked, and by what.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        /**
         * Delete a user
         * For good, at once, with all that is theirs; their reactions stay counted. They are told by mail. `CONFLICT` if it would leave no unlocked administrator.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Change, lock or unlock a user
         * Name and address count at once, and both addresses are told. `locked: true` ends sessions, JWTs and access tokens of the user and prevents signing in until an administrator sends `locked: false`, which also lifts a lock after failed sign-ins. `second_factor: false` removes the recovery codes too; a mail tells the user. `CONFLICT` if it would leave no unlocked administrator, or another user has the address.
         */
        patch: operations["changeUser"];
        trace?: never;
    };
    "/admin/user/endsessions/id_{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign a user out everywhere
         * Ends every session and JWT of the user. Access tokens stay valid: the user can revoke them, and `locked: true` ends them.
         */
        post: operations["endUserSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/user/endpasskeys/id_{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove the passkeys of a user
         * For a device that was lost or stolen. The user signs in with the password, and can make others. Sessions stay.
         */
        post: operations["endUserPasskeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/todo/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List todos
         * Newest first.
         */
        get: operations["listTodos"];
        put?: never;
        /**
         * Create a todo
         * It is not completed at first.
         */
        post: operations["createTodo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/todo/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export todos
         * All of them, oldest first, as a file. In CSV, a text that a spreadsheet would take for a formula has a `'` before it.
         */
        get: operations["exportTodos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/todo/item/id_{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a todo
         * A todo of another user is not found.
         */
        get: operations["getTodo"];
        /**
         * Replace a todo
         * `is_completed` is unchanged if left out.
         */
        put: operations["replaceTodo"];
        post?: never;
        /**
         * Delete a todo
         * `POST /activity/undo` restores it.
         */
        delete: operations["deleteTodo"];
        options?: never;
        head?: never;
        /**
         * Change a todo
         * Changes the fields that are sent.
         */
        patch: operations["changeTodo"];
        trace?: never;
    };
    "/todo/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create many todos
         * 200 if all items were created, 207 if some, 422 if none. An item over the todo limit gets `CONFLICT`.
         */
        post: operations["createTodos"];
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change many todos
         * 200 if all items were changed, 207 if some, 422 if none. Two items may change the same todo.
         */
        patch: operations["changeTodos"];
        trace?: never;
    };
    "/todo/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete many todos
         * 200 if all were deleted, 207 if some, 422 if none. An id listed twice is not found the second time. `POST /activity/undo` restores them.
         */
        post: operations["deleteTodos"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memo/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List memos
         * Newest first.
         */
        get: operations["listMemos"];
        put?: never;
        /**
         * Create a memo
         * It is a draft at first.
         */
        post: operations["createMemo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memo/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export memos
         * All of them, oldest first, as a file. In CSV, a text that a spreadsheet would take for a formula has a `'` before it.
         */
        get: operations["exportMemos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memo/item/id_{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a memo
         * A write needs its `ETag` as `If-Match`.
         */
        get: operations["getMemo"];
        /**
         * Replace a memo
         * A field that is left out is cleared.
         */
        put: operations["replaceMemo"];
        post?: never;
        /**
         * Delete a memo
         * `POST /activity/undo` restores it.
         */
        delete: operations["deleteMemo"];
        options?: never;
        head?: never;
        /**
         * Change a memo
         * Changes the fields that are sent.
         */
        patch: operations["changeMemo"];
        trace?: never;
    };
    "/memo/state/id_{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Move a memo to another state
         * From draft to published, from published to archived or draft.
         */
        put: operations["moveMemo"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memo/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create many memos
         * 200 if all items were created, 207 if some, 422 if none. An item over the memo limit gets `CONFLICT`.
         */
        post: operations["createMemos"];
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change many memos
         * 200 if all items were changed, 207 if some, 422 if none. Two items may change the same memo.
         */
        patch: operations["changeMemos"];
        trace?: never;
    };
    "/memo/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete many memos
         * 200 if all were deleted, 207 if some, 422 if none. An id listed twice is not found the second time. `POST /activity/undo` restores them.
         */
        post: operations["deleteMemos"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/attachment/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List attachments
         * Newest first.
         */
        get: operations["listAttachments"];
        put?: never;
        /**
         * Upload a file
         * The type is found from the content, whatever the client says.
         */
        post: operations["createAttachment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/attachment/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Propose an upload
         * A plan of one step, `restoreAttachment`. Until it is applied, only who decides sees the file.
         */
        post: operations["planAttachment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/attachment/item/id_{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an attachment
         * Its name, type and size. `GET /attachment/link/id_{id}` leads to the content. Both take files of others too, while a row that you may read refers to them.
         */
        get: operations["getAttachment"];
        put?: never;
        post?: never;
        /**
         * Delete an attachment
         * Links to it stop working at once. `POST /activity/undo` restores it.
         */
        delete: operations["deleteAttachment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/attachment/restore/id_{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore an attachment
         * One that was deleted or set aside, as long as its file is kept.
         */
        post: operations["restoreAttachment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/attachment/link/id_{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a download link
         * Anyone may open it until it expires; `&download=1` saves it.
         */
        get: operations["getAttachmentLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/attachment/download/id_{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an attachment
         * `GET /attachment/link/id_{id}` gives the URL. One byte range may be requested.
         */
        get: operations["downloadAttachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search
         * Your own rows of all kinds with this text in a title, body or name, newest first.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activity/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes
         * Newest first, of the kinds that your credential may read. With `Prefer: return=minimal`, without rows.
         */
        get: operations["listActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activity/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow changes
         * Your own changes of the kinds that your credential may read, as they are committed: an event `change` for each, with `id` and, in `data`, the change as the list shows it; a comment every 15 s. It ends with the credential. Come back with the last `id`: nothing is left out. At most 10 at once. 404 if changes are not recorded.
         */
        get: operations["streamActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activity/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runs
         * Your runs with changes that your credential may read, the newest change first.
         */
        get: operations["activityRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activity/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo changes
         * Undoes a run or single changes, newest first: deletes what was created, restores what was deleted, puts old values back. A row that has changed since stays. 200 if all were undone, 207 if some, 409 if none. An undo can be undone.
         */
        post: operations["undoActivity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plan/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List plans
         * Newest first, those whose rows your credential may read or write.
         */
        get: operations["listPlans"];
        put?: never;
        /**
         * Propose a plan
         * Your user decides on `/plan/board` within 7 days. The steps are tried, and nothing is kept but the plan. Needs the scope of every step. Repeated, with its `Idempotency-Key` or by the same access token while it waits: the plan as it is now.
         */
        post: operations["createPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plan/item/id_{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a plan
         * With `wait`, when it is decided, or after so many seconds.
         */
        get: operations["getPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plan/apply/id_{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Apply a plan
         * As a whole, as its run and in the name of its proposer. If its rows have changed since it was tried: 409, with the plan as it is now.
         */
        post: operations["applyPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plan/undo/id_{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo a plan
         * What it changed, and nothing else of its run. 200, 207 and 409 as of `POST /activity/undo`.
         */
        post: operations["undoPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plan/refuse/id_{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuse a plan
         * Nothing of it is done. Who proposed it withdraws it by that.
         */
        post: operations["refusePlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscription/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List subscriptions
         * Newest first. An access token sees those that it has made. A session sees all, and may delete all; but not change one that a token has made: FORBIDDEN.
         */
        get: operations["listSubscriptions"];
        put?: never;
        /**
         * Subscribe to changes
         * Sends changes from now on to `url`, signed by Standard Webhooks. An access token needs the read scopes of the kinds, and its subscriptions end with it. `secret` is shown only once. At most 20.
         */
        post: operations["createSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscription/item/id_{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a subscription
         * Without its secret.
         */
        get: operations["getSubscription"];
        put?: never;
        post?: never;
        /**
         * Delete a subscription
         * Nothing more is delivered, and its deliveries are forgotten.
         */
        delete: operations["deleteSubscription"];
        options?: never;
        head?: never;
        /**
         * Change, pause or resume a subscription
         * Changes made while it is paused are never delivered. Those before that were not delivered yet are, when it is resumed.
         */
        patch: operations["changeSubscription"];
        trace?: never;
    };
    "/subscription/secret/id_{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a new secret
         * Shown only once. For 24 hours the old one signs too.
         */
        post: operations["rotateSubscriptionSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscription/ping/id_{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a ping
         * Sent once, soon: `GET /subscription/deliveries/id_{id}` shows the answer. If it arrives, failed changes are tried at once.
         */
        post: operations["pingSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscription/retry/id_{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try now
         * What failed is tried now, not at `next_try_at`, and the waits start again from the first. If nothing has failed, nothing happens.
         */
        post: operations["retrySubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscription/deliveries/id_{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * The last 500 attempts, newest first, and deliveries that wait to be sent once.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscription/redeliver/id_{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver a change again
         * Sent once, soon, whatever is being retried.
         */
        post: operations["redeliverChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mail/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an email to a user
         * Answers when the mail server has accepted the email. After five failures in a row, it is not tried for 30 seconds: `CIRCUIT-OPEN`, with `Retry-After`.
         */
        post: operations["sendMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report an event
         * The same signature again stores nothing and returns `duplicate: true`.
         */
        post: operations["receiveWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reaction/toggle/type_{targetType}/id_{targetId}/reaction_{reactionType}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Add or remove a reaction
         * `action` says which of the two happened.
         */
        put: operations["toggleReaction"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reaction/item/type_{targetType}/id_{targetId}/reaction_{reactionType}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a reaction
         * Returns the remaining counts.
         */
        delete: operations["removeReaction"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reaction/summary/type_{targetType}/id_{targetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the reactions to a target
         * The target need not exist.
         */
        get: operations["getReactionSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/featureflag/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which flags the caller has
         * Without credentials only flags that are on for everybody are true.
         */
        get: operations["evaluateFeatureFlags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/featureflag/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List feature flags
         * Newest first.
         */
        get: operations["listFeatureFlags"];
        put?: never;
        /**
         * Add or change a feature flag
         * A field that is left out keeps its value; in a new flag it is `false` or 0. Raising `rollout_pct` never removes the flag from a user.
         */
        post: operations["setFeatureFlag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/featureflag/override/id_{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set a flag for one user
         * Adds or changes the override, which turns the flag on or off for the user.
         */
        put: operations["setFlagOverride"];
        post?: never;
        /**
         * Remove a user's override
         * The global value applies to the user again. `removed` is false if there was no override.
         */
        delete: operations["removeFlagOverride"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    change: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A change
         * As Standard Webhooks say. It is sent until it is answered with 2xx.
         */
        post: operations["deliverChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    ping: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A ping
         * As Standard Webhooks say. It is sent until it is answered with 2xx.
         */
        post: operations["deliverPing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Circuits: Circuits;
        CatalogEntry: CatalogEntry;
        ErrorCode: ErrorCode;
        RetryAdvice: RetryAdvice;
        ConflictReason: ConflictReason;
        Credentials: Credentials;
        User: User;
        PasskeyRequestOptions: PasskeyRequestOptions;
        PasskeySignIn: PasskeySignIn;
        Session: Session;
        Scope: Scope;
        LimitState: LimitState;
        AccessToken: AccessToken;
        AccessTokenCreation: AccessTokenCreation;
        DerivedAccessToken: DerivedAccessToken;
        PasswordChange: PasswordChange;
        ProfileChange: ProfileChange;
        AccountRemoval: AccountRemoval;
        PasskeyBegin: PasskeyBegin;
        PasskeyCreationOptions: PasskeyCreationOptions;
        PasskeyCreation: PasskeyCreation;
        Passkey: Passkey;
        SecondFactorBegin: SecondFactorBegin;
        SecondFactorCode: SecondFactorCode;
        SecondFactorEnd: SecondFactorEnd;
        TokenClaims: TokenClaims;
        Grant: Grant;
        ResetRequest: ResetRequest;
        NewPassword: NewPassword;
        AuditEvent: AuditEvent;
        AuditEventName: AuditEventName;
        NextCursor: NextCursor;
        Account: Account;
        Role: Role;
        AccountCreation: AccountCreation;
        AccountChange: AccountChange;
        Todo: Todo;
        ListCursor: ListCursor;
        TodoCreation: TodoCreation;
        TodoReplacement: TodoReplacement;
        TodoChange: TodoChange;
        TodoItemChange: TodoItemChange;
        BatchItem: BatchItem;
        ErrorMessage: ErrorMessage;
        Detail: Detail;
        Memo: Memo;
        MemoCreation: MemoCreation;
        MemoChange: MemoChange;
        MemoTransition: MemoTransition;
        MemoItemChange: MemoItemChange;
        MemoBatchItem: MemoBatchItem;
        Attachment: Attachment;
        Plan: Plan;
        PlanState: PlanState;
        Via: Via;
        PlanStep: PlanStep;
        PlannedChange: PlannedChange;
        Kind: Kind;
        Action: Action;
        SearchResult: SearchResult;
        Change: Change;
        Run: Run;
        UndoRequest: UndoRequest;
        UndoneChanges: UndoneChanges;
        Undone: Undone;
        UndoConflicts: UndoConflicts;
        UndoConflict: UndoConflict;
        UndoRun: UndoRun;
        UndoMore: UndoMore;
        UndoNextCursor: UndoNextCursor;
        PlanCreation: PlanCreation;
        PlanRefusal: PlanRefusal;
        Subscription: Subscription;
        SubscriptionCreation: SubscriptionCreation;
        SubscriptionChange: SubscriptionChange;
        Delivery: Delivery;
        Redelivery: Redelivery;
        NewMail: NewMail;
        WebhookEvent: WebhookEvent;
        ReactionSummary: ReactionSummary;
        ReactionCounts: ReactionCounts;
        ReactionType: ReactionType;
        FeatureFlag: FeatureFlag;
        FlagSetting: FlagSetting;
        OverrideSetting: OverrideSetting;
        FlagOverride: FlagOverride;
        GetHealthSuccess: GetHealthSuccess;
        BadRequestFailure: BadRequestFailure;
        MethodNotAllowedFailure: MethodNotAllowedFailure;
        ValidationFailedFailure: ValidationFailedFailure;
        InternalErrorFailure: InternalErrorFailure;
        GetHealthServiceOverloadedFailure: GetHealthServiceOverloadedFailure;
        ListErrorsSuccess: ListErrorsSuccess;
        ServiceUnavailableFailure: ServiceUnavailableFailure;
        GetErrorSuccess: GetErrorSuccess;
        NotFoundFailure: NotFoundFailure;
        LoginSuccess: LoginSuccess;
        UnauthorizedFailure: UnauthorizedFailure;
        ForbiddenFailure: ForbiddenFailure;
        BodyTooLargeFailure: BodyTooLargeFailure;
        AccountLockedFailure: AccountLockedFailure;
        RateLimitExceededFailure: RateLimitExceededFailure;
        LogoutSuccess: LogoutSuccess;
        BeginPasskeySignInSuccess: BeginPasskeySignInSuccess;
        ListSessionsSuccess: ListSessionsSuccess;
        EndSessionSuccess: EndSessionSuccess;
        EndOtherSessionsSuccess: EndOtherSessionsSuccess;
        GetCurrentSessionSuccess: GetCurrentSessionSuccess;
        ListAccessTokensSuccess: ListAccessTokensSuccess;
        CreateAccessTokenSuccess: CreateAccessTokenSuccess;
        ConflictFailure: ConflictFailure;
        DeriveAccessTokenSuccess: DeriveAccessTokenSuccess;
        DeletedSuccess: DeletedSuccess;
        DoneSuccess: DoneSuccess;
        ChangeProfileSuccess: ChangeProfileSuccess;
        RemoveAccountSuccess: RemoveAccountSuccess;
        BeginPasskeySuccess: BeginPasskeySuccess;
        CreatePasskeySuccess: CreatePasskeySuccess;
        CreatePasskeyConflictFailure: CreatePasskeyConflictFailure;
        ListPasskeysSuccess: ListPasskeysSuccess;
        BeginSecondFactorSuccess: BeginSecondFactorSuccess;
        ConfirmSecondFactorSuccess: ConfirmSecondFactorSuccess;
        IssueTokenSuccess: IssueTokenSuccess;
        GetTokenClaimsSuccess: GetTokenClaimsSuccess;
        ListGrantsSuccess: ListGrantsSuccess;
        RequestPasswordResetSuccess: RequestPasswordResetSuccess;
        ResetPasswordSuccess: ResetPasswordSuccess;
        TokenAlreadyUsedFailure: TokenAlreadyUsedFailure;
        GoneFailure: GoneFailure;
        ListAuditEventsSuccess: ListAuditEventsSuccess;
        ListUsersSuccess: ListUsersSuccess;
        AccountSuccess: AccountSuccess;
        CreateUserConflictFailure: CreateUserConflictFailure;
        ChangeUserConflictFailure: ChangeUserConflictFailure;
        ListTodosSuccess: ListTodosSuccess;
        TodoSuccess: TodoSuccess;
        BatchSuccess: BatchSuccess;
        BadRequestOrBatchTooLargeFailure: BadRequestOrBatchTooLargeFailure;
        BatchFailure: BatchFailure;
        BatchItemFailedOrValidationFailedFailure: BatchItemFailedOrValidationFailedFailure;
        ListMemosSuccess: ListMemosSuccess;
        MemoSuccess: MemoSuccess;
        PreconditionFailedFailure: PreconditionFailedFailure;
        PreconditionRequiredFailure: PreconditionRequiredFailure;
        MoveMemoSuccess: MoveMemoSuccess;
        InvalidTransitionFailure: InvalidTransitionFailure;
        MemoBatchSuccess: MemoBatchSuccess;
        ListAttachmentsSuccess: ListAttachmentsSuccess;
        AttachmentSuccess: AttachmentSuccess;
        UploadTooLargeFailure: UploadTooLargeFailure;
        UploadMimeRejectedFailure: UploadMimeRejectedFailure;
        PlanSuccess: PlanSuccess;
        StepFailure: StepFailure;
        PlanInvalidOrValidationFailedFailure: PlanInvalidOrValidationFailedFailure;
        GetAttachmentLinkSuccess: GetAttachmentLinkSuccess;
        RangeNotSatisfiableFailure: RangeNotSatisfiableFailure;
        SearchSuccess: SearchSuccess;
        ListActivitySuccess: ListActivitySuccess;
        ChangesGoneFailure: ChangesGoneFailure;
        ActivityRunsSuccess: ActivityRunsSuccess;
        UndoActivitySuccess: UndoActivitySuccess;
        UndoActivityConflictFailure: UndoActivityConflictFailure;
        ListPlansSuccess: ListPlansSuccess;
        ApplyPlanConflictOrApplyPlanPlanDecidedFailure: ApplyPlanConflictOrApplyPlanPlanDecidedFailure;
        UndoPlanSuccess: UndoPlanSuccess;
        UndoPlanConflictFailure: UndoPlanConflictFailure;
        RefusePlanPlanDecidedFailure: RefusePlanPlanDecidedFailure;
        ListSubscriptionsSuccess: ListSubscriptionsSuccess;
        CreateSubscriptionSuccess: CreateSubscriptionSuccess;
        SubscriptionSuccess: SubscriptionSuccess;
        RotateSubscriptionSecretSuccess: RotateSubscriptionSecretSuccess;
        DeliverySuccess: DeliverySuccess;
        ListDeliveriesSuccess: ListDeliveriesSuccess;
        SendMailSuccess: SendMailSuccess;
        DownstreamFailedFailure: DownstreamFailedFailure;
        ReceiveWebhookSuccess: ReceiveWebhookSuccess;
        ToggleReactionSuccess: ToggleReactionSuccess;
        RemoveReactionSuccess: RemoveReactionSuccess;
        GetReactionSummarySuccess: GetReactionSummarySuccess;
        EvaluateFeatureFlagsSuccess: EvaluateFeatureFlagsSuccess;
        ListFeatureFlagsSuccess: ListFeatureFlagsSuccess;
        SetFeatureFlagSuccess: SetFeatureFlagSuccess;
        SetFlagOverrideSuccess: SetFlagOverrideSuccess;
        RemoveFlagOverrideSuccess: RemoveFlagOverrideSuccess;
        ChangeDelivery: ChangeDelivery;
        PingDelivery: PingDelivery;
        SearchResultOfTodo: SearchResultOfTodo;
        SearchResultOfMemo: SearchResultOfMemo;
        SearchResultOfAttachment: SearchResultOfAttachment;
        ChangeOfTodo: ChangeOfTodo;
        ChangeOfMemo: ChangeOfMemo;
        ChangeOfAttachment: ChangeOfAttachment;
        GetHealthSuccessData: GetHealthSuccessData;
        BadRequestFailureData: BadRequestFailureData;
        MethodNotAllowedFailureData: MethodNotAllowedFailureData;
        ValidationFailedFailureData: ValidationFailedFailureData;
        InternalErrorFailureData: InternalErrorFailureData;
        GetHealthServiceOverloadedFailureData: GetHealthServiceOverloadedFailureData;
        ListErrorsSuccessData: ListErrorsSuccessData;
        ServiceUnavailableFailureData: ServiceUnavailableFailureData;
        GetErrorSuccessData: GetErrorSuccessData;
        NotFoundFailureData: NotFoundFailureData;
        LoginSuccessData: LoginSuccessData;
        UnauthorizedFailureData: UnauthorizedFailureData;
        ForbiddenFailureData: ForbiddenFailureData;
        BodyTooLargeFailureData: BodyTooLargeFailureData;
        AccountLockedFailureData: AccountLockedFailureData;
        RateLimitExceededFailureData: RateLimitExceededFailureData;
        LogoutSuccessData: LogoutSuccessData;
        BeginPasskeySignInSuccessData: BeginPasskeySignInSuccessData;
        ListSessionsSuccessData: ListSessionsSuccessData;
        EndSessionSuccessData: EndSessionSuccessData;
        EndOtherSessionsSuccessData: EndOtherSessionsSuccessData;
        GetCurrentSessionSuccessData: GetCurrentSessionSuccessData;
        ListAccessTokensSuccessData: ListAccessTokensSuccessData;
        CreateAccessTokenSuccessData: CreateAccessTokenSuccessData;
        ConflictFailureData: ConflictFailureData;
        DeriveAccessTokenSuccessData: DeriveAccessTokenSuccessData;
        DeletedSuccessData: DeletedSuccessData;
        DoneSuccessData: DoneSuccessData;
        ChangeProfileSuccessData: ChangeProfileSuccessData;
        RemoveAccountSuccessData: RemoveAccountSuccessData;
        BeginPasskeySuccessData: BeginPasskeySuccessData;
        CreatePasskeySuccessData: CreatePasskeySuccessData;
        CreatePasskeyConflictFailureData: CreatePasskeyConflictFailureData;
        ListPasskeysSuccessData: ListPasskeysSuccessData;
        BeginSecondFactorSuccessData: BeginSecondFactorSuccessData;
        ConfirmSecondFactorSuccessData: ConfirmSecondFactorSuccessData;
        IssueTokenSuccessData: IssueTokenSuccessData;
        GetTokenClaimsSuccessData: GetTokenClaimsSuccessData;
        ListGrantsSuccessData: ListGrantsSuccessData;
        RequestPasswordResetSuccessData: RequestPasswordResetSuccessData;
        ResetPasswordSuccessData: ResetPasswordSuccessData;
        TokenAlreadyUsedFailureData: TokenAlreadyUsedFailureData;
        GoneFailureData: GoneFailureData;
        ListAuditEventsSuccessData: ListAuditEventsSuccessData;
        ListUsersSuccessData: ListUsersSuccessData;
        AccountSuccessData: AccountSuccessData;
        CreateUserConflictFailureData: CreateUserConflictFailureData;
        ChangeUserConflictFailureData: ChangeUserConflictFailureData;
        ListTodosSuccessData: ListTodosSuccessData;
        TodoSuccessData: TodoSuccessData;
        BatchSuccessData: BatchSuccessData;
        BadRequestOrBatchTooLargeFailureData: BadRequestOrBatchTooLargeFailureData;
        BatchItemFailedOrValidationFailedFailureData: BatchItemFailedOrValidationFailedFailureData;
        ListMemosSuccessData: ListMemosSuccessData;
        MemoSuccessData: MemoSuccessData;
        PreconditionFailedFailureData: PreconditionFailedFailureData;
        PreconditionRequiredFailureData: PreconditionRequiredFailureData;
        MoveMemoSuccessData: MoveMemoSuccessData;
        InvalidTransitionFailureData: InvalidTransitionFailureData;
        MemoBatchSuccessData: MemoBatchSuccessData;
        ListAttachmentsSuccessData: ListAttachmentsSuccessData;
        AttachmentSuccessData: AttachmentSuccessData;
        UploadTooLargeFailureData: UploadTooLargeFailureData;
        UploadMimeRejectedFailureData: UploadMimeRejectedFailureData;
        PlanSuccessData: PlanSuccessData;
        PlanInvalidOrValidationFailedFailureData: PlanInvalidOrValidationFailedFailureData;
        GetAttachmentLinkSuccessData: GetAttachmentLinkSuccessData;
        RangeNotSatisfiableFailureData: RangeNotSatisfiableFailureData;
        SearchSuccessData: SearchSuccessData;
        ListActivitySuccessData: ListActivitySuccessData;
        ChangesGoneFailureData: ChangesGoneFailureData;
        ActivityRunsSuccessData: ActivityRunsSuccessData;
        UndoActivitySuccessData: UndoActivitySuccessData;
        UndoActivityConflictFailureData: UndoActivityConflictFailureData;
        ListPlansSuccessData: ListPlansSuccessData;
        ApplyPlanConflictOrApplyPlanPlanDecidedFailureData: ApplyPlanConflictOrApplyPlanPlanDecidedFailureData;
        UndoPlanSuccessData: UndoPlanSuccessData;
        UndoPlanConflictFailureData: UndoPlanConflictFailureData;
        RefusePlanPlanDecidedFailureData: RefusePlanPlanDecidedFailureData;
        ListSubscriptionsSuccessData: ListSubscriptionsSuccessData;
        CreateSubscriptionSuccessData: CreateSubscriptionSuccessData;
        SubscriptionSuccessData: SubscriptionSuccessData;
        RotateSubscriptionSecretSuccessData: RotateSubscriptionSecretSuccessData;
        DeliverySuccessData: DeliverySuccessData;
        ListDeliveriesSuccessData: ListDeliveriesSuccessData;
        SendMailSuccessData: SendMailSuccessData;
        DownstreamFailedFailureData: DownstreamFailedFailureData;
        ReceiveWebhookSuccessData: ReceiveWebhookSuccessData;
        ToggleReactionSuccessData: ToggleReactionSuccessData;
        RemoveReactionSuccessData: RemoveReactionSuccessData;
        GetReactionSummarySuccessData: GetReactionSummarySuccessData;
        EvaluateFeatureFlagsSuccessData: EvaluateFeatureFlagsSuccessData;
        ListFeatureFlagsSuccessData: ListFeatureFlagsSuccessData;
        SetFeatureFlagSuccessData: SetFeatureFlagSuccessData;
        SetFlagOverrideSuccessData: SetFlagOverrideSuccessData;
        RemoveFlagOverrideSuccessData: RemoveFlagOverrideSuccessData;
        BatchItemStatus: BatchItemStatus;
        MemoState: MemoState;
        CreateUserConflictFailureDataTaken: CreateUserConflictFailureDataTaken;
        BatchSuccessDataStatus: BatchSuccessDataStatus;
    };
    responses: {
        /**
         * `ATTACHMENT-ID-REQUIRED`: Missing or non-numeric id.
         *
         *     `BODY-INVALID`: Body that is not JSON, not UTF-8, incomplete, nested more than 64 levels deep, or has a `__proto__` key.
         *
         *     `MEMO-ID-REQUIRED`: Missing or non-numeric id.
         *
         *     `REACTION-TYPE-INVALID`: Reaction type not in the allowed list.
         *
         *     `REQUEST-INVALID`: Bad URL, bad percent-encoding, an `If-Match` or `If-None-Match` that is no list of entity tags, or a message that the HTTP parser refuses.
         *
         *     `TODO-ID-REQUIRED`: Missing or non-numeric id.
         *
         *     `TODO-TITLE-REQUIRED`: Empty title on create or update.
         *
         *     `UPLOAD-FILE-REQUIRED`: Upload missing or not a genuine uploaded file.
         */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": BadRequestFailure;
            };
        };
        /** `METHOD-NOT-ALLOWED`: Path exists, method not registered; `Allow` header lists methods. */
        MethodNotAllowed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": MethodNotAllowedFailure;
            };
        };
        /** `VALIDATION-FAILED`: Input validation fails; `Data.details` says which fields and why. */
        ValidationFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": ValidationFailedFailure;
            };
        };
        /** `INTERNAL-ERROR`: Unhandled failure on a REST request. */
        InternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": InternalErrorFailure;
            };
        };
        /** `SERVICE-OVERLOADED`: See the description of the operation. */
        GetHealthServiceOverloaded: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": GetHealthServiceOverloadedFailure;
            };
        };
        /**
         * `CIRCUIT-OPEN`: Circuit breaker is open.
         *
         *     `SERVICE-OVERLOADED`: Overload, a full disk, a database that does not answer the health check, or too many unread answers to one user.
         */
        ServiceUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": ServiceUnavailableFailure;
            };
        };
        /**
         * `ACCESS-TOKEN-NOT-FOUND`: No live access token for that id owned by the signed-in user.
         *
         *     `ATTACHMENT-NOT-FOUND`: No attachment for that id owned by the signed-in user.
         *
         *     `FLAG-NOT-FOUND`: Override for a flag that does not exist.
         *
         *     `GRANT-NOT-FOUND`: No live grant for that id owned by the signed-in user.
         *
         *     `MEMO-NOT-FOUND`: No memo for that id owned by the signed-in user.
         *
         *     `NOT-FOUND`: Route resolves to no controller or action (JSON when Accept prefers JSON). Also an unknown reset token.
         *
         *     `PASSKEY-NOT-FOUND`: No live passkey for that id owned by the signed-in user.
         *
         *     `PLAN-NOT-FOUND`: No live plan for that id owned by the signed-in user.
         *
         *     `REACTION-NOT-FOUND`: Explicit removal of a reaction that does not exist.
         *
         *     `RUN-NOT-FOUND`: The caller has no recorded changes in that run, or they are no longer kept.
         *
         *     `SESSION-NOT-FOUND`: No live session for that id owned by the signed-in user.
         *
         *     `SUBSCRIPTION-NOT-FOUND`: No subscription for that id owned by the signed-in user, or an access token may not read all of its kinds.
         *
         *     `TODO-NOT-FOUND`: No row for that id owned by the signed-in user.
         *
         *     `USER-NOT-FOUND`: Administrative operation on a user that does not exist.
         */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": NotFoundFailure;
            };
        };
        /** Success. */
        LoginSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": LoginSuccess;
            };
        };
        /**
         * `ACCESS-TOKEN-INVALID`: Access token (`gth_...`) that is unknown, altered, revoked or expired; no credential at all at `/mcp`; at `/metrics`, anything but its token.
         *
         *     `JWT-INVALID`: Header absent, token malformed, wrong signature, expired, or algorithm not HS256.
         *
         *     `LOGIN-FAILED`: Login credentials rejected.
         *
         *     `SECOND-FACTOR-REQUIRED`: Correct password without `code`, for a user who has a second factor.
         *
         *     `SESSION-CLOSED`: Authenticated endpoint without a valid session.
         *
         *     `WEBHOOK-SIGNATURE-INVALID`: Signature header missing, malformed or failing HMAC check.
         */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": UnauthorizedFailure;
            };
        };
        /**
         * `APPROVAL-NEEDED`: Change, other than a dry run, by an access token that asks.
         *
         *     `BUDGET-SPENT`: More recorded changes than the access token, or one above it, has left; nothing was done.
         *
         *     `CSRF-TOKEN-INVALID`: State-changing request of a logged-in session caller with missing or wrong token, or a login or token issue sent by a foreign page.
         *
         *     `FORBIDDEN`: Role claim does not satisfy the endpoint.
         *
         *     `SCOPE-INSUFFICIENT`: Access token without the scope of the operation; `WWW-Authenticate` names it.
         *
         *     `SIGNED-URL-INVALID`: Signature mismatch or missing parameters.
         */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": ForbiddenFailure;
            };
        };
        /** `BODY-TOO-LARGE`: Body over `SVC_BODY_MAX_BYTES`, over 64 KiB for a form, over 16 KiB for a sign-in, a token or a reset, or JSON of more than 20,000 objects, arrays and strings (or 8 times `SVC_BATCH_MAX`). */
        BodyTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": BodyTooLargeFailure;
            };
        };
        /** `ACCOUNT-LOCKED`: Login for a locked account. */
        AccountLocked: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": AccountLockedFailure;
            };
        };
        /** `RATE-LIMIT-EXCEEDED`: Counter above the limit in the current window; `Retry-After` header present. */
        RateLimitExceeded: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": RateLimitExceededFailure;
            };
        };
        /** `CONFLICT`: A request that conflicts with one underway (the same idempotency key) or with a rule: a name or address is taken, a limit of the user is reached, no administrator would be left, a user could not sign in any more, a second factor is already on or off, or nothing can be undone; `Data.reason` says which. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": ConflictFailure;
            };
        };
        /** Success. */
        DeletedSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": DeletedSuccess;
            };
        };
        /** Success. */
        DoneSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": DoneSuccess;
            };
        };
        /** `CONFLICT`: See the description of the operation. */
        CreatePasskeyConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": CreatePasskeyConflictFailure;
            };
        };
        /** `TOKEN-ALREADY-USED`: Reset token with used_at set. */
        TokenAlreadyUsed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": TokenAlreadyUsedFailure;
            };
        };
        /**
         * `SIGNED-URL-EXPIRED`: `expires` in the past.
         *
         *     `TOKEN-EXPIRED`: Reset token past its expiry (410, not 404).
         */
        Gone: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": GoneFailure;
            };
        };
        /** Success. */
        AccountSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": AccountSuccess;
            };
        };
        /** `CONFLICT`: See the description of the operation. */
        CreateUserConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": CreateUserConflictFailure;
            };
        };
        /** `CONFLICT`: See the description of the operation. */
        ChangeUserConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": ChangeUserConflictFailure;
            };
        };
        /** Success. */
        TodoSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": TodoSuccess;
            };
        };
        /** Success. */
        BatchSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": BatchSuccess;
            };
        };
        /** Some items were done, others were not. */
        BatchPartial: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": BatchSuccess;
            };
        };
        /**
         * `ATTACHMENT-ID-REQUIRED`: Missing or non-numeric id.
         *
         *     `BODY-INVALID`: Body that is not JSON, not UTF-8, incomplete, nested more than 64 levels deep, or has a `__proto__` key.
         *
         *     `MEMO-ID-REQUIRED`: Missing or non-numeric id.
         *
         *     `REACTION-TYPE-INVALID`: Reaction type not in the allowed list.
         *
         *     `REQUEST-INVALID`: Bad URL, bad percent-encoding, an `If-Match` or `If-None-Match` that is no list of entity tags, or a message that the HTTP parser refuses.
         *
         *     `TODO-ID-REQUIRED`: Missing or non-numeric id.
         *
         *     `TODO-TITLE-REQUIRED`: Empty title on create or update.
         *
         *     `UPLOAD-FILE-REQUIRED`: Upload missing or not a genuine uploaded file.
         *
         *     `BATCH-TOO-LARGE`: Input array longer than the endpoint's maximum, checked before processing.
         */
        BadRequestOrBatchTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": BadRequestOrBatchTooLargeFailure;
            };
        };
        /**
         * `BATCH-ITEM-FAILED`: A batch item cannot be processed; the overall response may be 207 (partial) or 422 (all failed).
         *
         *     `VALIDATION-FAILED`: Input validation fails; `Data.details` says which fields and why.
         */
        BatchItemFailedOrValidationFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": BatchItemFailedOrValidationFailedFailure;
            };
        };
        /** Success. */
        MemoSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": MemoSuccess;
            };
        };
        /** The caller has this version already. */
        NotModified: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** `PRECONDITION-FAILED`: A conditional update affected zero rows because a concurrent writer advanced the version. */
        PreconditionFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": PreconditionFailedFailure;
            };
        };
        /** `PRECONDITION-REQUIRED`: Conditional write without an `If-Match` header. */
        PreconditionRequired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": PreconditionRequiredFailure;
            };
        };
        /** `INVALID-TRANSITION`: From/to pair not in the workflow's allowed map. */
        InvalidTransition: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": InvalidTransitionFailure;
            };
        };
        /** Success. */
        MemoBatchSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": MemoBatchSuccess;
            };
        };
        /** Some items were done, others were not. */
        MemoBatchPartial: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": MemoBatchSuccess;
            };
        };
        /** Success. */
        AttachmentSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": AttachmentSuccess;
            };
        };
        /** `UPLOAD-TOO-LARGE`: Size over the configured maximum. */
        UploadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": UploadTooLargeFailure;
            };
        };
        /** `UPLOAD-MIME-REJECTED`: Detected type not on the allowlist. */
        UploadMimeRejected: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": UploadMimeRejectedFailure;
            };
        };
        /** Success. */
        PlanSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": PlanSuccess;
            };
        };
        /**
         * `PLAN-INVALID`: A step of a proposed plan fails when the plan is tried; nothing is kept.
         *
         *     `VALIDATION-FAILED`: Input validation fails; `Data.details` says which fields and why.
         */
        PlanInvalidOrValidationFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": PlanInvalidOrValidationFailedFailure;
            };
        };
        /** `RANGE-NOT-SATISFIABLE`: `Range` outside the content; `Content-Range` gives its size. */
        RangeNotSatisfiable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": RangeNotSatisfiableFailure;
            };
        };
        /** `CHANGES-GONE`: A change after `after` or `Last-Event-ID` is no longer recorded, because of its age or to make room (`Data.reason` `forgotten`); or the id is newer than every change (`ahead`): it is wrong, or the database was restored from a backup. */
        ChangesGone: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": ChangesGoneFailure;
            };
        };
        /** `CONFLICT`: See the description of the operation. */
        UndoActivityConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": UndoActivityConflictFailure;
            };
        };
        /**
         * `CONFLICT`: See the description of the operation.
         *
         *     `PLAN-DECIDED`: See the description of the operation.
         */
        ApplyPlanConflictOrApplyPlanPlanDecided: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": ApplyPlanConflictOrApplyPlanPlanDecidedFailure;
            };
        };
        /** `CONFLICT`: See the description of the operation. */
        UndoPlanConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": UndoPlanConflictFailure;
            };
        };
        /** `PLAN-DECIDED`: See the description of the operation. */
        RefusePlanPlanDecided: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": RefusePlanPlanDecidedFailure;
            };
        };
        /** Success. */
        SubscriptionSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": SubscriptionSuccess;
            };
        };
        /** Success. */
        DeliverySuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": DeliverySuccess;
            };
        };
        /** `DOWNSTREAM-FAILED`: A downstream call failed while its circuit is closed. */
        DownstreamFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": DownstreamFailedFailure;
            };
        };
    };
    parameters: {
        /**
         * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
         * @example handling=strict
         */
        Prefer: string;
        /**
         * Checked, but not used: this request is part of no run that the caller names.
         * @example tidy-up-7
         */
        UnusedRunId: string;
        /**
         * Its key.
         * @example 1
         */
        Id: number;
        /** Any string, new for each action. Sent again within 24 hours with the same body, it gives the first answer again (`Idempotent-Replayed: true`), even a failure. A refusal before the action and a 5xx do not use it up. */
        IdempotencyKey: string;
        /** At most so many. */
        Limit: number;
        /** `next_cursor` of the previous page. */
        Cursor: number;
        /**
         * The user's `id`.
         * @example 2
         */
        UserId: number;
        /** `next_cursor` of the previous page. */
        ListCursor: number | string;
        /** Only the one with this id. */
        OnlyId: number;
        /**
         * Only those with this text.
         * @example milk
         */
        Q: string;
        /**
         * Only those changed at this time or later.
         * @example 2026-11-21T09:30:00Z
         */
        UpdatedSince: string;
        /** The same as `cursor`, with `sort`. */
        Page: string;
        /** Whether to say how many there are (`total`). */
        Count: boolean;
        /**
         * Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
         * @example tidy-up-7
         */
        RunId: string;
        /** `json` by default. */
        Format: "json" | "csv";
        /** Only say what would happen. */
        DryRun: boolean;
        /**
         * `ETag` of the version to replace, or `*`.
         * @example "v1"
         */
        IfMatch: string;
        /** Seconds to wait for a decision. */
        Wait: number;
        /**
         * Kind of the target: 1 to 64 letters, digits, `_`, `.` or `-`.
         * @example memo
         */
        TargetType: string;
        /**
         * Key of the target among those of its kind.
         * @example 1
         */
        TargetId: number;
        /**
         * Kind of the reaction.
         * @example like
         */
        ReactionType: ReactionType;
        /** The same in each attempt. */
        WebhookId: string;
        /** When it was sent, in seconds since 1970. */
        WebhookTimestamp: string;
        /** Of id, timestamp and body, by each secret. */
        WebhookSignature: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": GetHealthSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["GetHealthServiceOverloaded"];
        };
    };
    listErrors: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ListErrorsSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getError: {
        parameters: {
            query?: {
                /** Of `CONFLICT`: which kind. */
                reason?: ConflictReason;
            };
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * As in `errorCode`.
                 * @example TODO-NOT-FOUND
                 */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": GetErrorSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Credentials;
            };
        };
        responses: {
            200: components["responses"]["LoginSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            423: components["responses"]["AccountLocked"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": LogoutSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    beginPasskeySignIn: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": BeginPasskeySignInSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    signInWithPasskey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": PasskeySignIn;
            };
        };
        responses: {
            200: components["responses"]["LoginSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            423: components["responses"]["AccountLocked"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ListSessionsSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": EndSessionSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": EndOtherSessionsSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCurrentSession: {
        parameters: {
            query?: {
                /** To get them. */
                operations?: "1";
            };
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": GetCurrentSessionSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAccessTokens: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ListAccessTokensSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createAccessToken: {
        parameters: {
            query?: never;
            header?: {
                /** Any string, new for each action. Sent again within 24 hours with the same body, it gives the first answer again (`Idempotent-Replayed: true`), even a failure. A refusal before the action and a 5xx do not use it up. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": AccessTokenCreation;
            };
        };
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": CreateAccessTokenSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deriveAccessToken: {
        parameters: {
            query?: never;
            header?: {
                /** Any string, new for each action. Sent again within 24 hours with the same body, it gives the first answer again (`Idempotent-Replayed: true`), even a failure. A refusal before the action and a 5xx do not use it up. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": DerivedAccessToken;
            };
        };
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DeriveAccessTokenSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeAccessToken: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DeletedSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": PasswordChange;
            };
        };
        responses: {
            200: components["responses"]["DoneSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            423: components["responses"]["AccountLocked"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeProfile: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ProfileChange;
            };
        };
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ChangeProfileSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            423: components["responses"]["AccountLocked"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportAccount: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The zip. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": Blob;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeAccount: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": AccountRemoval;
            };
        };
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RemoveAccountSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            423: components["responses"]["AccountLocked"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    beginPasskey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": PasskeyBegin;
            };
        };
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": BeginPasskeySuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            423: components["responses"]["AccountLocked"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createPasskey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": PasskeyCreation;
            };
        };
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": CreatePasskeySuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["CreatePasskeyConflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPasskeys: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ListPasskeysSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deletePasskey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DeletedSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    confirmSecondFactor: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": SecondFactorCode;
            };
        };
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ConfirmSecondFactorSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            423: components["responses"]["AccountLocked"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    beginSecondFactor: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": SecondFactorBegin;
            };
        };
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": BeginSecondFactorSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            423: components["responses"]["AccountLocked"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endSecondFactor: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": SecondFactorEnd;
            };
        };
        responses: {
            200: components["responses"]["DoneSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            423: components["responses"]["AccountLocked"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    issueToken: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Credentials;
            };
        };
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": IssueTokenSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            423: components["responses"]["AccountLocked"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTokenClaims: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": GetTokenClaimsSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listGrants: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ListGrantsSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endGrant: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DeletedSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ResetRequest;
            };
        };
        responses: {
            /** Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RequestPasswordResetSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * The raw token from the email, 64 hexadecimal characters.
                 * @example 0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d
                 */
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": NewPassword;
            };
        };
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ResetPasswordSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["TokenAlreadyUsed"];
            410: components["responses"]["Gone"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                /** At most so many. */
                limit?: components["parameters"]["Limit"];
                /** `next_cursor` of the previous page. */
                cursor?: components["parameters"]["Cursor"];
                /** Only events of this user. */
                user_id?: number;
                /**
                 * Only events of this kind.
                 * @example login
                 */
                event?: AuditEventName;
            };
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ListAuditEventsSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** At most so many. */
                limit?: components["parameters"]["Limit"];
                /** `next_cursor` of the previous page. */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * Only those whose login name, name or email address contains this text. `A` to `Z` match `a` to `z`; there are no wildcards.
                 * @example demo
                 */
                q?: string;
                /** Only those who have this role. */
                role?: Role;
                /** Only those who are locked, or only those who are not. */
                locked?: boolean;
            };
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ListUsersSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /** Any string, new for each action. Sent again within 24 hours with the same body, it gives the first answer again (`Idempotent-Replayed: true`), even a failure. A refusal before the action and a 5xx do not use it up. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": AccountCreation;
            };
        };
        responses: {
            200: components["responses"]["AccountSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["CreateUserConflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * The user's `id`.
                 * @example 2
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AccountSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * The user's `id`.
                 * @example 2
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DeletedSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * The user's `id`.
                 * @example 2
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": AccountChange;
            };
        };
        responses: {
            200: components["responses"]["AccountSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["ChangeUserConflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endUserSessions: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * The user's `id`.
                 * @example 2
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AccountSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endUserPasskeys: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * The user's `id`.
                 * @example 2
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AccountSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTodos: {
        parameters: {
            query?: {
                /** At most so many. */
                limit?: components["parameters"]["Limit"];
                /** `next_cursor` of the previous page. */
                cursor?: components["parameters"]["ListCursor"];
                /** Only the one with this id. */
                id?: components["parameters"]["OnlyId"];
                /**
                 * Only those with this value.
                 * @example false
                 */
                is_completed?: boolean;
                /**
                 * Only those with this text.
                 * @example milk
                 */
                q?: components["parameters"]["Q"];
                /**
                 * Only those changed at this time or later.
                 * @example 2026-11-21T09:30:00Z
                 */
                updated_since?: components["parameters"]["UpdatedSince"];
                /** Fields, with `-` the greatest first: `-updated_at,id`. */
                sort?: string;
                /** The same as `cursor`, with `sort`. */
                page?: components["parameters"]["Page"];
                /** Whether to say how many there are (`total`). */
                count?: components["parameters"]["Count"];
            };
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ListTodosSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createTodo: {
        parameters: {
            query?: never;
            header?: {
                /** Any string, new for each action. Sent again within 24 hours with the same body, it gives the first answer again (`Idempotent-Replayed: true`), even a failure. A refusal before the action and a 5xx do not use it up. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": TodoCreation;
            };
        };
        responses: {
            200: components["responses"]["TodoSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportTodos: {
        parameters: {
            query?: {
                /** `json` by default. */
                format?: components["parameters"]["Format"];
            };
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": Blob;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTodo: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["TodoSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replaceTodo: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": TodoReplacement;
            };
        };
        responses: {
            200: components["responses"]["TodoSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteTodo: {
        parameters: {
            query?: {
                /** Only say what would happen. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /**
                 * Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DeletedSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeTodo: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": TodoChange;
            };
        };
        responses: {
            200: components["responses"]["TodoSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createTodos: {
        parameters: {
            query?: never;
            header?: {
                /** Any string, new for each action. Sent again within 24 hours with the same body, it gives the first answer again (`Idempotent-Replayed: true`), even a failure. A refusal before the action and a 5xx do not use it up. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        /** Todos to create. */
        requestBody: {
            content: {
                "application/json": {
                    /** Done in this order. */
                    items: TodoCreation[];
                    /** Only say what would happen. */
                    dry_run?: boolean;
                };
            };
        };
        responses: {
            200: components["responses"]["BatchSuccess"];
            207: components["responses"]["BatchPartial"];
            400: components["responses"]["BadRequestOrBatchTooLarge"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["BatchItemFailedOrValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeTodos: {
        parameters: {
            query?: never;
            header?: {
                /** Any string, new for each action. Sent again within 24 hours with the same body, it gives the first answer again (`Idempotent-Replayed: true`), even a failure. A refusal before the action and a 5xx do not use it up. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        /** Changes of todos. */
        requestBody: {
            content: {
                "application/json": {
                    /** Done in this order. */
                    items: TodoItemChange[];
                    /** Only say what would happen. */
                    dry_run?: boolean;
                };
            };
        };
        responses: {
            200: components["responses"]["BatchSuccess"];
            207: components["responses"]["BatchPartial"];
            400: components["responses"]["BadRequestOrBatchTooLarge"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["BatchItemFailedOrValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteTodos: {
        parameters: {
            query?: never;
            header?: {
                /** Any string, new for each action. Sent again within 24 hours with the same body, it gives the first answer again (`Idempotent-Replayed: true`), even a failure. A refusal before the action and a 5xx do not use it up. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        /** Todos to delete. */
        requestBody: {
            content: {
                "application/json": {
                    /** Done in this order. */
                    ids: number[];
                    /** Only say what would happen. */
                    dry_run?: boolean;
                };
            };
        };
        responses: {
            200: components["responses"]["BatchSuccess"];
            207: components["responses"]["BatchPartial"];
            400: components["responses"]["BadRequestOrBatchTooLarge"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["BatchItemFailedOrValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMemos: {
        parameters: {
            query?: {
                /** At most so many. */
                limit?: components["parameters"]["Limit"];
                /** `next_cursor` of the previous page. */
                cursor?: components["parameters"]["ListCursor"];
                /** Only the one with this id. */
                id?: components["parameters"]["OnlyId"];
                /**
                 * Only those with this value.
                 * @example draft
                 */
                state?: MemoState;
                /**
                 * Only those with this text.
                 * @example milk
                 */
                q?: components["parameters"]["Q"];
                /**
                 * Only those changed at this time or later.
                 * @example 2026-11-21T09:30:00Z
                 */
                updated_since?: components["parameters"]["UpdatedSince"];
                /** Only these, separated by commas. */
                "state.in"?: string;
                /** Fields, with `-` the greatest first: `-updated_at,id`. */
                sort?: string;
                /** The same as `cursor`, with `sort`. */
                page?: components["parameters"]["Page"];
                /** Whether to say how many there are (`total`). */
                count?: components["parameters"]["Count"];
            };
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ListMemosSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createMemo: {
        parameters: {
            query?: never;
            header?: {
                /** Any string, new for each action. Sent again within 24 hours with the same body, it gives the first answer again (`Idempotent-Replayed: true`), even a failure. A refusal before the action and a 5xx do not use it up. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": MemoCreation;
            };
        };
        responses: {
            200: components["responses"]["MemoSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportMemos: {
        parameters: {
            query?: {
                /** `json` by default. */
                format?: components["parameters"]["Format"];
            };
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": Blob;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMemo: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * `ETag` of the version that the caller has: 304 if it is still the same.
                 * @example "v1"
                 */
                "if-none-match"?: string;
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MemoSuccess"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replaceMemo: {
        parameters: {
            query?: never;
            header: {
                /**
                 * `ETag` of the version to replace, or `*`.
                 * @example "v1"
                 */
                "if-match": components["parameters"]["IfMatch"];
                /**
                 * Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": MemoCreation;
            };
        };
        responses: {
            200: components["responses"]["MemoSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteMemo: {
        parameters: {
            query?: {
                /** Only say what would happen. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header: {
                /**
                 * `ETag` of the version to replace, or `*`.
                 * @example "v1"
                 */
                "if-match": components["parameters"]["IfMatch"];
                /**
                 * Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DeletedSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["ValidationFailed"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeMemo: {
        parameters: {
            query?: never;
            header: {
                /**
                 * `ETag` of the version to replace, or `*`.
                 * @example "v1"
                 */
                "if-match": components["parameters"]["IfMatch"];
                /**
                 * Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": MemoChange;
            };
        };
        responses: {
            200: components["responses"]["MemoSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    moveMemo: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * `ETag` of the version to replace, or `*`.
                 * @example "v1"
                 */
                "if-match"?: string;
                /**
                 * Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": MemoTransition;
            };
        };
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": MoveMemoSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["InvalidTransition"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createMemos: {
        parameters: {
            query?: never;
            header?: {
                /** Any string, new for each action. Sent again within 24 hours with the same body, it gives the first answer again (`Idempotent-Replayed: true`), even a failure. A refusal before the action and a 5xx do not use it up. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        /** Memos to create. */
        requestBody: {
            content: {
                "application/json": {
                    /** Done in this order. */
                    items: MemoCreation[];
                    /** Only say what would happen. */
                    dry_run?: boolean;
                };
            };
        };
        responses: {
            200: components["responses"]["MemoBatchSuccess"];
            207: components["responses"]["MemoBatchPartial"];
            400: components["responses"]["BadRequestOrBatchTooLarge"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["BatchItemFailedOrValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeMemos: {
        parameters: {
            query?: never;
            header?: {
                /** Any string, new for each action. Sent again within 24 hours with the same body, it gives the first answer again (`Idempotent-Replayed: true`), even a failure. A refusal before the action and a 5xx do not use it up. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        /** Changes of memos. */
        requestBody: {
            content: {
                "application/json": {
                    /** Done in this order. */
                    items: MemoItemChange[];
                    /** Only say what would happen. */
                    dry_run?: boolean;
                };
            };
        };
        responses: {
            200: components["responses"]["MemoBatchSuccess"];
            207: components["responses"]["MemoBatchPartial"];
            400: components["responses"]["BadRequestOrBatchTooLarge"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["BatchItemFailedOrValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteMemos: {
        parameters: {
            query?: never;
            header?: {
                /** Any string, new for each action. Sent again within 24 hours with the same body, it gives the first answer again (`Idempotent-Replayed: true`), even a failure. A refusal before the action and a 5xx do not use it up. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        /** Memos to delete, whatever their versions. */
        requestBody: {
            content: {
                "application/json": {
                    /** Done in this order. */
                    ids: number[];
                    /** Only say what would happen. */
                    dry_run?: boolean;
                };
            };
        };
        responses: {
            200: components["responses"]["MemoBatchSuccess"];
            207: components["responses"]["MemoBatchPartial"];
            400: components["responses"]["BadRequestOrBatchTooLarge"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["BatchItemFailedOrValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAttachments: {
        parameters: {
            query?: {
                /** At most so many. */
                limit?: components["parameters"]["Limit"];
                /** `next_cursor` of the previous page. */
                cursor?: components["parameters"]["Cursor"];
                /** Only the one with this id. */
                id?: components["parameters"]["OnlyId"];
                /**
                 * Only those with this text.
                 * @example milk
                 */
                q?: components["parameters"]["Q"];
                /**
                 * Only those created at this time or later.
                 * @example 2026-11-21T09:30:00Z
                 */
                created_since?: string;
            };
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ListAttachmentsSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createAttachment: {
        parameters: {
            query?: never;
            header?: {
                /** Any string, new for each action. Sent again within 24 hours with the same body, it gives the first answer again (`Idempotent-Replayed: true`), even a failure. A refusal before the action and a 5xx do not use it up. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        /** A form with one file. */
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * One file, not empty. Other fields are ignored or, with `handling=strict`, refused.
                     */
                    file: Blob;
                };
            };
        };
        responses: {
            200: components["responses"]["AttachmentSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["UploadTooLarge"];
            415: components["responses"]["UploadMimeRejected"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    planAttachment: {
        parameters: {
            query: {
                /**
                 * For the person who decides.
                 * @example Tidy up the shopping list
                 */
                purpose: string;
                /** Seconds to wait for a decision. */
                wait?: components["parameters"]["Wait"];
            };
            header?: {
                /** Any string, new for each action. Sent again within 24 hours with the same body, it gives the first answer again (`Idempotent-Replayed: true`), even a failure. A refusal before the action and a 5xx do not use it up. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        /** A form with one file. */
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * One file, not empty. Other fields are ignored or, with `handling=strict`, refused.
                     */
                    file: Blob;
                };
            };
        };
        responses: {
            200: components["responses"]["PlanSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["UploadTooLarge"];
            415: components["responses"]["UploadMimeRejected"];
            422: components["responses"]["PlanInvalidOrValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAttachment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AttachmentSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteAttachment: {
        parameters: {
            query?: {
                /** Only say what would happen. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /**
                 * Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DeletedSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    restoreAttachment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AttachmentSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAttachmentLink: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": GetAttachmentLinkSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    downloadAttachment: {
        parameters: {
            query: {
                /**
                 * When the link expires, in seconds since 1970.
                 * @example 1795255200
                 */
                expires: number;
                /**
                 * HMAC-SHA256 of path and other parameters, hex.
                 * @example 0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d
                 */
                signature: string;
                /** To save it. */
                download?: "1";
                /** Also if it is deleted or waits for approval. */
                kept?: "1";
            };
            header?: {
                /**
                 * The bytes to return.
                 * @example bytes=0-1023
                 */
                range?: string;
                /** `ETag` of the part that the caller has. */
                "if-range"?: string;
                /** `ETag` of the content that is wanted, or `*`. */
                "if-match"?: string;
                /** `ETag` of the content that the caller has: if it is still the same, the answer is 304. */
                "if-none-match"?: string;
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The content, with the type that was found. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": Blob;
                };
            };
            /** The range that was asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": Blob;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["Gone"];
            412: components["responses"]["PreconditionFailed"];
            416: components["responses"]["RangeNotSatisfiable"];
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    search: {
        parameters: {
            query: {
                /**
                 * Only those with this text.
                 * @example milk
                 */
                q: string;
                /**
                 * Only of these kinds.
                 * @example todo,memo
                 */
                kinds?: string;
                /** At most so many. */
                limit?: components["parameters"]["Limit"];
                /**
                 * `next_cursor` of the previous page.
                 * @example todo:7
                 */
                cursor?: string;
            };
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": SearchSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listActivity: {
        parameters: {
            query?: {
                /** At most so many. */
                limit?: components["parameters"]["Limit"];
                /** `next_cursor` of the previous page. */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * Only of this run.
                 * @example tidy-up-7
                 */
                run?: string;
                /** Only of this kind. */
                kind?: Kind;
                /** Only of this row. */
                key?: number;
                /** Only of this access token. */
                token_id?: number;
                /**
                 * From this time on.
                 * @example 2026-11-21T09:30:00.000Z
                 */
                since?: string;
                /** Only after this id, oldest first, without `cursor`. While `more`, go on with `next_after`. */
                after?: number;
                /** Seconds to wait for a change. */
                wait?: number;
            };
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ListActivitySuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["ChangesGone"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    streamActivity: {
        parameters: {
            query?: {
                /** Begins after the change with this id; without it, with the next change. */
                after?: number;
            };
            header?: {
                /**
                 * The same as `after`, which it overrides: browsers send it when they reconnect.
                 * @example 7
                 */
                "last-event-id"?: string;
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The stream. It lasts until one side ends it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example event: change
                     *     id: 7
                     *     data: {"id":7,"kind":"todo","key":1,"action":"create"}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["ChangesGone"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    activityRuns: {
        parameters: {
            query?: {
                /** At most so many. */
                limit?: components["parameters"]["Limit"];
                /** `next_cursor` of the previous page. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ActivityRunsSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    undoActivity: {
        parameters: {
            query?: never;
            header?: {
                /** Any string, new for each action. Sent again within 24 hours with the same body, it gives the first answer again (`Idempotent-Replayed: true`), even a failure. A refusal before the action and a 5xx do not use it up. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": UndoRequest;
            };
        };
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": UndoActivitySuccess;
                };
            };
            /** Some items were done, others were not. */
            207: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": UndoActivitySuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["UndoActivityConflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPlans: {
        parameters: {
            query?: {
                /** At most so many. */
                limit?: components["parameters"]["Limit"];
                /** `next_cursor` of the previous page. */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * Only in this state.
                 * @example pending
                 */
                state?: PlanState;
            };
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ListPlansSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createPlan: {
        parameters: {
            query?: {
                /** Seconds to wait for a decision. */
                wait?: components["parameters"]["Wait"];
            };
            header?: {
                /** Any string, new for each action. Sent again within 24 hours with the same body, it gives the first answer again (`Idempotent-Replayed: true`), even a failure. A refusal before the action and a 5xx do not use it up. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": PlanCreation;
            };
        };
        responses: {
            200: components["responses"]["PlanSuccess"];
            400: components["responses"]["BadRequestOrBatchTooLarge"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["PlanInvalidOrValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPlan: {
        parameters: {
            query?: {
                /** Seconds to wait for a decision. */
                wait?: components["parameters"]["Wait"];
            };
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PlanSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    applyPlan: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PlanSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["ApplyPlanConflictOrApplyPlanPlanDecided"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    undoPlan: {
        parameters: {
            query?: {
                /**
                 * `next_cursor` of the previous answer, while its `more` is true.
                 * @example 7
                 */
                cursor?: number;
                /** Only say what would happen. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": UndoPlanSuccess;
                };
            };
            /** Some items were done, others were not. */
            207: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": UndoPlanSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["UndoPlanConflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    refusePlan: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": PlanRefusal;
            };
        };
        responses: {
            200: components["responses"]["PlanSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["RefusePlanPlanDecided"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSubscriptions: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ListSubscriptionsSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** Any string, new for each action. Sent again within 24 hours with the same body, it gives the first answer again (`Idempotent-Replayed: true`), even a failure. A refusal before the action and a 5xx do not use it up. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": SubscriptionCreation;
            };
        };
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": CreateSubscriptionSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSubscription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SubscriptionSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteSubscription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DeletedSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeSubscription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": SubscriptionChange;
            };
        };
        responses: {
            200: components["responses"]["SubscriptionSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateSubscriptionSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RotateSubscriptionSecretSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    pingSubscription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DeliverySuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retrySubscription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SubscriptionSuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** At most so many. */
                limit?: components["parameters"]["Limit"];
                /** `next_cursor` of the previous page. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ListDeliveriesSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    redeliverChange: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Redelivery;
            };
        };
        responses: {
            200: components["responses"]["DeliverySuccess"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sendMail: {
        parameters: {
            query?: never;
            header?: {
                /** Any string, new for each action. Sent again within 24 hours with the same body, it gives the first answer again (`Idempotent-Replayed: true`), even a failure. A refusal before the action and a 5xx do not use it up. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": NewMail;
            };
        };
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": SendMailSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["DownstreamFailed"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    receiveWebhook: {
        parameters: {
            query?: never;
            header: {
                /**
                 * `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `t`, a full stop and the body as it is sent. Several `v1` are allowed.
                 * @example t=1795253400,v1=0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d
                 */
                "x-webhook-signature": string;
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": WebhookEvent;
            };
        };
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ReceiveWebhookSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    toggleReaction: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Kind of the target: 1 to 64 letters, digits, `_`, `.` or `-`.
                 * @example memo
                 */
                targetType: components["parameters"]["TargetType"];
                /**
                 * Key of the target among those of its kind.
                 * @example 1
                 */
                targetId: components["parameters"]["TargetId"];
                /**
                 * Kind of the reaction.
                 * @example like
                 */
                reactionType: components["parameters"]["ReactionType"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ToggleReactionSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeReaction: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Kind of the target: 1 to 64 letters, digits, `_`, `.` or `-`.
                 * @example memo
                 */
                targetType: components["parameters"]["TargetType"];
                /**
                 * Key of the target among those of its kind.
                 * @example 1
                 */
                targetId: components["parameters"]["TargetId"];
                /**
                 * Kind of the reaction.
                 * @example like
                 */
                reactionType: components["parameters"]["ReactionType"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RemoveReactionSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getReactionSummary: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * Kind of the target: 1 to 64 letters, digits, `_`, `.` or `-`.
                 * @example memo
                 */
                targetType: components["parameters"]["TargetType"];
                /**
                 * Key of the target among those of its kind.
                 * @example 1
                 */
                targetId: components["parameters"]["TargetId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": GetReactionSummarySuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    evaluateFeatureFlags: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": EvaluateFeatureFlagsSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listFeatureFlags: {
        parameters: {
            query?: {
                /** At most so many. */
                limit?: components["parameters"]["Limit"];
                /** `next_cursor` of the previous page. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ListFeatureFlagsSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setFeatureFlag: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": FlagSetting;
            };
        };
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": SetFeatureFlagSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setFlagOverride: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * The user's `id`.
                 * @example 2
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": OverrideSetting;
            };
        };
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": SetFlagOverrideSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeFlagOverride: {
        parameters: {
            query: {
                /**
                 * Name of the flag.
                 * @example checkout.new-form
                 */
                flag_name: string;
            };
            header?: {
                /**
                 * Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * RFC 7240. `handling=strict`, the default with an access token: unknown fields and an `If-Match` that is not checked are refused; `handling=lenient`: ignored. `return=minimal`: batches and undo return ids, lists of changes no rows, plans no steps.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * The user's `id`.
                 * @example 2
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RemoveFlagOverrideSuccess;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deliverChange: {
        parameters: {
            query?: never;
            header: {
                /** The same in each attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** When it was sent, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** Of id, timestamp and body, by each secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": ChangeDelivery;
            };
        };
        responses: {
            /** It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deliverPing: {
        parameters: {
            query?: never;
            header: {
                /** The same in each attempt. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** When it was sent, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** Of id, timestamp and body, by each secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": PingDelivery;
            };
        };
        responses: {
            /** It has arrived. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
/** Circuit breakers, by name. */
export interface Circuits {
    [key: string]: "closed" | "open" | "half-open";
}
/** A code, and what to do about it. */
export interface CatalogEntry {
    errorCode: ErrorCode;
    /**
     * HTTP status of its failures.
     */
    status: number;
    /** For people. It may change; the code does not. */
    errorMessage: string;
    /** When it occurs. */
    condition: string;
    retry: RetryAdvice;
    /** What to do. */
    remedy: string;
    /** Of `CONFLICT`: its kinds. */
    reasons?: {
        reason: ConflictReason;
        /** What is so. */
        message: string;
        retry: RetryAdvice;
        /** What to do. */
        remedy: string;
    }[];
}
/**
 * Every code that a failure can have. Codes may be added, never change their meaning.
 * @enum {string}
 */
export type ErrorCode = "TODO-ID-REQUIRED" | "TODO-NOT-FOUND" | "MEMO-ID-REQUIRED" | "MEMO-NOT-FOUND" | "ATTACHMENT-ID-REQUIRED" | "ATTACHMENT-NOT-FOUND" | "SESSION-CLOSED" | "LOGIN-FAILED" | "SECOND-FACTOR-REQUIRED" | "CSRF-TOKEN-INVALID" | "METHOD-NOT-ALLOWED" | "NOT-FOUND" | "INTERNAL-ERROR" | "ROUTE-CONFLICT" | "TODO-TITLE-REQUIRED" | "UPLOAD-FILE-REQUIRED" | "UPLOAD-TOO-LARGE" | "UPLOAD-MIME-REJECTED" | "ACCOUNT-LOCKED" | "BATCH-ITEM-FAILED" | "BATCH-TOO-LARGE" | "CIRCUIT-OPEN" | "CONFLICT" | "FORBIDDEN" | "INVALID-TRANSITION" | "JWT-INVALID" | "ACCESS-TOKEN-INVALID" | "ACCESS-TOKEN-NOT-FOUND" | "SUBSCRIPTION-NOT-FOUND" | "GRANT-NOT-FOUND" | "SCOPE-INSUFFICIENT" | "APPROVAL-NEEDED" | "BUDGET-SPENT" | "PRECONDITION-FAILED" | "PRECONDITION-REQUIRED" | "RATE-LIMIT-EXCEEDED" | "CHANGES-GONE" | "SIGNED-URL-EXPIRED" | "SIGNED-URL-INVALID" | "TOKEN-ALREADY-USED" | "TOKEN-EXPIRED" | "VALIDATION-FAILED" | "WEBHOOK-SIGNATURE-INVALID" | "REACTION-TYPE-INVALID" | "REACTION-NOT-FOUND" | "REQUEST-INVALID" | "BODY-INVALID" | "BODY-TOO-LARGE" | "RANGE-NOT-SATISFIABLE" | "SESSION-NOT-FOUND" | "PASSKEY-NOT-FOUND" | "RUN-NOT-FOUND" | "PLAN-INVALID" | "PLAN-NOT-FOUND" | "PLAN-DECIDED" | "FLAG-NOT-FOUND" | "USER-NOT-FOUND" | "DOWNSTREAM-FAILED" | "SERVICE-OVERLOADED";
/**
 * Whether the same request can succeed: `no`; `later`, after `Retry-After` seconds, if the answer has that header; `after_change`, if you change something in it.
 * @enum {string}
 */
export type RetryAdvice = "no" | "later" | "after_change";
/**
 * `running`: The first request with this key has no answer yet. `quota`: There is no room for more. `taken`: Another has this value. `referenced`: Another row refers to it. `last-administrator`: No administrator would be left. `last-way-in`: The user could not sign in any more. `undone`: It is undone already. `changed`: Its state does not allow this.
 * @enum {string}
 */
export type ConflictReason = "running" | "quota" | "taken" | "referenced" | "last-administrator" | "last-way-in" | "undone" | "changed";
/** Login name (or email address) and password, and a code if the user has a second factor. */
export interface Credentials {
    /** Login name, or email address. */
    user_id: string;
    /** Password. */
    user_pass: string;
    /** For a user with a second factor: the six digits from the app, or a recovery code. Each works once. */
    code?: string;
}
/** A user, as seen by that user. */
export interface User {
    /**
     * Key of the user.
     */
    id: number;
    /** Login name. */
    user_id: string;
    /** Display name. */
    user_name: string;
    /** Email address. */
    e_mail: string;
}
/** For `navigator.credentials.get`, through `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export interface PasskeyRequestOptions {
    /** Random; to be answered within five minutes, once. */
    challenge: string;
    /** Host name of the service. */
    rpId: string;
    /**
     * In milliseconds.
     */
    timeout: number;
    /**
     * The authenticator makes sure who uses it: by PIN, finger or face.
     * @enum {string}
     */
    userVerification: "required";
}
/** The answer of an authenticator to a challenge. */
export interface PasskeySignIn {
    /** `toJSON()` of what `navigator.credentials.get` gives. */
    credential: {
        /** Id of the credential. */
        id: string;
        /** The same. */
        rawId: string;
        /**
         * The kind of credential.
         * @enum {string}
         */
        type: "public-key";
        /** What the authenticator has answered. */
        response: {
            /** What the browser has answered: type, challenge and origin. */
            clientDataJSON: string;
            /** What the authenticator says. */
            authenticatorData: string;
            /** Its signature. */
            signature: string;
            /** The user, without a meaning. */
            userHandle: string;
        };
    };
}
/** A place where the user is signed in. */
export interface Session {
    /**
     * Key for the operations on sessions; it is not a credential.
     */
    id: number;
    /**
     * When the user signed in.
     */
    created_at: string;
    /**
     * How the user signed in.
     * @enum {string}
     */
    via: "password" | "passkey" | "provider";
    /**
     * When it was last used, to the minute.
     */
    last_seen_at: string;
    /** IP address of the sign-in; null if no longer known. */
    address: string | null;
    /** `User-Agent` of the sign-in, at most 255 characters; null if there was none. */
    user_agent: string | null;
    /** Whether it is the session of this request. */
    current: boolean;
}
/**
 * What an access token may do. `admin:*` also needs the role of an administrator.
 * @enum {string}
 */
export type Scope = "todo:read" | "todo:write" | "memo:read" | "memo:write" | "attachment:read" | "attachment:write" | "reaction:write" | "admin:read" | "admin:write";
/** How much of a limit the caller has used. */
export interface LimitState {
    /** Name of the limit, as in `RateLimit-Policy`. */
    name: string;
    /**
     * What it counts: nothing else lowers `remaining`.
     * @enum {string}
     */
    counts: "requests" | "sign-ins" | "wrong credentials" | "password resets" | "sign-ups";
    /**
     * The most in a window.
     */
    max: number;
    /**
     * Length of a window.
     */
    window_seconds: number;
    /**
     * How many are left in this window.
     */
    remaining: number;
    /**
     * Seconds until the window ends; 0 if none has begun.
     */
    reset_seconds: number;
}
/** A token with which a program acts as its user, within its scopes. */
export interface AccessToken {
    /**
     * Its key.
     */
    id: number;
    /** Says what it is for; at most 64 characters. */
    name: string;
    /** The first characters of the token, to recognise it by. */
    hint: string;
    /** What it may do. */
    scopes: Scope[];
    /**
     * When it was created.
     */
    created_at: string;
    /**
     * When it expires.
     */
    expires_at: string;
    /**
     * When it was last used, to the minute; null if it never was.
     */
    last_used_at: string | null;
    /** Whether a person approves its changes. */
    asks: boolean;
    /**
     * The most changes that it may make.
     */
    changes_max: number | null;
    /**
     * How many of them are left, here and in tokens above.
     */
    changes_left: number | null;
    /**
     * The token that has derived it, if any.
     */
    parent_id: number | null;
}
/** An access token to create. */
export interface AccessTokenCreation {
    /** Says what it is for; at most 64 characters. */
    name: string;
    /** What it may do: each scope once. */
    scopes: Scope[];
    /**
     * How many days it is valid: 90 if nothing is said.
     */
    expires_in_days?: number;
    /**
     * Instead of days.
     */
    expires_in_minutes?: number;
    /**
     * Whether a person approves its changes.
     * @default false
     */
    asks?: boolean;
    /**
     * The most changes that it may make.
     */
    changes_max?: number | null;
}
/** An access token for a helper. */
export interface DerivedAccessToken {
    /** Says what it is for; at most 64 characters. */
    name: string;
    /** What it may do: each scope once. */
    scopes: Scope[];
    /**
     * How many minutes it is valid.
     */
    expires_in_minutes: number;
    /** At least, and by default, as the caller. */
    asks?: boolean;
    /**
     * At most, and by default, the changes that the caller has left.
     */
    changes_max?: number | null;
}
/** The current password and the new one. */
export interface PasswordChange {
    /** The current password. */
    user_pass: string;
    /** 8 characters to 72 bytes in UTF-8; not the login name, the email address or a common password. */
    new_pass: string;
}
/** Name or address, at least one. An address may need the password. */
export interface ProfileChange {
    /** Name for people, at most 255 characters. */
    user_name?: string;
    /** The new email address: it counts once its owner has followed a link. */
    e_mail?: string;
    /** The password: needed 10 minutes after the sign-in, checked if sent. */
    user_pass?: string;
}
/** The password, if it is needed. */
export interface AccountRemoval {
    /** The password: needed 10 minutes after the sign-in, checked if sent. */
    user_pass?: string;
}
/** The password, if it is needed. */
export interface PasskeyBegin {
    /** The password: needed 15 minutes after the sign-in, checked if sent. */
    user_pass?: string;
}
/** For `navigator.credentials.create`, through `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export interface PasskeyCreationOptions {
    /** Random; to be answered within five minutes, once. */
    challenge: string;
    /** The service. */
    rp: {
        /** Host name of the service. */
        id: string;
        /** Its name. */
        name: string;
    };
    /** Whose passkey it will be. */
    user: {
        /** The user, without a meaning. */
        id: string;
        /** Login name. */
        name: string;
        /** Name for people. */
        displayName: string;
    };
    /** Kinds of keys that are taken, the best first. */
    pubKeyCredParams: {
        /**
         * COSE algorithm.
         */
        alg: number;
        /**
         * The kind of credential.
         * @enum {string}
         */
        type: "public-key";
    }[];
    /**
     * In milliseconds.
     */
    timeout: number;
    /**
     * The maker of the authenticator is not asked for.
     * @enum {string}
     */
    attestation: "none";
    /** Passkeys that the user has: no authenticator makes a second one. */
    excludeCredentials: {
        /** Id of the credential. */
        id: string;
        /**
         * The kind of credential.
         * @enum {string}
         */
        type: "public-key";
    }[];
    /** What the authenticator must do. */
    authenticatorSelection: {
        /**
         * The authenticator finds it without a login name.
         * @enum {string}
         */
        residentKey: "required";
        /** The same. */
        requireResidentKey: boolean;
        /**
         * The authenticator makes sure who uses it: by PIN, finger or face.
         * @enum {string}
         */
        userVerification: "required";
    };
}
/** A passkey that an authenticator has made. */
export interface PasskeyCreation {
    /** Any name that tells you which it is, at most 64 characters. */
    name: string;
    /** `toJSON()` of what `navigator.credentials.create` gives. */
    credential: {
        /** Id of the credential. */
        id: string;
        /** The same. */
        rawId: string;
        /**
         * The kind of credential.
         * @enum {string}
         */
        type: "public-key";
        /** What the authenticator has made. */
        response: {
            /** What the browser has answered: type, challenge and origin. */
            clientDataJSON: string;
            /** The new key. */
            attestationObject: string;
        };
    };
}
/** A passkey, with which its user signs in. */
export interface Passkey {
    /**
     * Its key.
     */
    id: number;
    /** Any name that tells you which it is, at most 64 characters. */
    name: string;
    /**
     * When it was created.
     */
    created_at: string;
    /**
     * When it last signed in; null if it never did.
     */
    last_used_at: string | null;
}
/** The password, if it is needed. */
export interface SecondFactorBegin {
    /** The password: needed 15 minutes after the sign-in, checked if sent. */
    user_pass?: string;
}
/** A code from the app. */
export interface SecondFactorCode {
    /** The six digits, 0 to 9, that the app shows now. */
    code: string;
    /** The password: needed 15 minutes after the sign-in, checked if sent. */
    user_pass?: string;
}
/** The password and a code. */
export interface SecondFactorEnd {
    /** The password. */
    user_pass: string;
    /** For a user with a second factor: the six digits from the app, or a recovery code. Each works once. */
    code: string;
}
/** All claims, including those that the service does not use. Times count from 1970. */
export type TokenClaims = {
    /** The user's `id`. */
    sub: string;
    /** Role of the user: `user` or `admin`. */
    role?: string;
    /** When it was issued, in seconds. */
    iat?: number;
    /** When it expires, in seconds. */
    exp: number;
    /** When it becomes valid, in seconds. */
    nbf?: number;
    /** When the password was set, in milliseconds: a new password ends the token. */
    pwd?: number;
} & {
    [key: string]: unknown;
};
/** A program that the user has let in. */
export interface Grant {
    /**
     * Key for the operations on grants; it is not a credential.
     */
    id: number;
    /** What the program calls itself. */
    client_name: string;
    /** Where the browser was sent back to, or the scheme of an app; null for a program without a browser. */
    host: string | null;
    /** What it may do. */
    scopes: Scope[];
    /** Whether a person approves its changes. */
    asks: boolean;
    /**
     * When it was created.
     */
    created_at: string;
    /**
     * When it was last used, to the minute; null if it never was.
     */
    last_used_at: string | null;
    /**
     * When it expires, unless the program renews its access: then 30 days later.
     */
    expires_at: string;
}
/** The account whose password was forgotten. */
export interface ResetRequest {
    /** Email address of the account. */
    email: string;
}
/** The password to set. */
export interface NewPassword {
    /** 8 characters to 72 bytes in UTF-8; not the login name, the email address or a common password. */
    password: string;
}
/** Who did what, when and from where. */
export interface AuditEvent {
    /**
     * Its key.
     */
    id: number;
    /**
     * When it was created.
     */
    created_at: string;
    event: AuditEventName;
    /**
     * Who did it; null for an unknown user or the command line.
     */
    user_id: number | null;
    /**
     * Credential; `oauth`: by its program, `mail`: an emailed link, `cli`: the command line.
     * @enum {string}
     */
    via: "session" | "agent" | "jwt" | "token" | "oauth" | "password" | "passkey" | "provider" | "mail" | "cli";
    /** Where the request came from. */
    address: string | null;
    /** `X-Request-Id` of the request. */
    request_id: string | null;
    /** What it was done to: a login name, a flag or a row. */
    subject: string | null;
    /** The new value, or other details, if any. */
    detail: string | null;
}
/**
 * What happened.
 * @enum {string}
 */
export type AuditEventName = "login" | "login-failed" | "login-refused" | "lock" | "unlock" | "logout" | "session-end" | "sessions-end" | "token-issue" | "access-token-created" | "access-token-revoked" | "client-registered" | "grant-made" | "grant-ended" | "refresh-reused" | "second-factor-begun" | "second-factor-on" | "second-factor-off" | "recovery-code-used" | "passkey-created" | "passkey-removed" | "passkey-counter" | "identity-linked" | "identity-removed" | "reset-request" | "password-change" | "user-add" | "user-remove" | "name-change" | "address-asked" | "address-change" | "data-exported" | "role-change" | "flag-change" | "override-change" | "transition-undone" | "plan-applied" | "plan-refused" | "plan-withdrawn" | "subscription-created" | "subscription-changed" | "subscription-secret" | "subscription-removed" | "row-changed" | "row-deleted";
/**
 * Send it as `cursor` to get the next page; null at the end. A page also ends at 1 MiB, and with a filter it may have few items or none and still not be the last.
 */
export type NextCursor = number | null;
/** A user, as administrators see it. */
export interface Account {
    /**
     * Its key.
     */
    id: number;
    /** Login name. */
    user_id: string;
    /** Display name. */
    user_name: string;
    /** Email address. */
    e_mail: string;
    role: Role;
    /** Whether the user is kept from signing in. */
    locked: boolean;
    /**
     * What locks the user: an administrator, or failed sign-ins. Null if nothing does.
     * @enum {string|null}
     */
    locked_by: "administrator" | "failures" | null;
    /** Whether a sign-in also takes a code. */
    second_factor: boolean;
    /**
     * When it was created.
     */
    created_at: string;
    /**
     * When it was last written.
     */
    updated_at: string;
}
/**
 * What the user may do: an administrator may also call the operations under `/admin`.
 * @enum {string}
 */
export type Role = "user" | "admin";
/** A user to add. */
export interface AccountCreation {
    /** Login name: at most 255 characters, no white space. */
    user_id: string;
    /** Name for people, at most 255 characters. */
    user_name: string;
    /** Email address, at most 255 characters. */
    e_mail: string;
    /**
     * What the user may do.
     * @default user
     */
    role?: Role;
}
/** Fields of a user to change, at least one. */
export interface AccountChange {
    role?: Role;
    /** True locks the user; false lifts any lock. */
    locked?: boolean;
    /** False turns off a lost one. */
    second_factor?: boolean;
    /** Name for people, at most 255 characters. */
    user_name?: string;
    /** Email address, at most 255 characters. */
    e_mail?: string;
}
/** Something to be done. */
export interface Todo {
    /**
     * Its key.
     */
    id: number;
    /** What is to be done. */
    title: string;
    /** Whether it is done. */
    is_completed: boolean;
    /**
     * When it was created.
     */
    created_at: string;
    /**
     * When it was last written.
     */
    updated_at: string;
}
/**
 * As `NextCursor`, null only at the end. With `sort` it is a text, and goes with the same `sort`.
 */
export type ListCursor = number | string | null;
/** The fields of a todo. */
export interface TodoCreation {
    /** What is to be done. Trimmed; must not be empty. */
    title: string;
}
/** The new fields of a todo. */
export interface TodoReplacement {
    /** What is to be done. Trimmed; must not be empty. */
    title: string;
    /** Whether it is done. */
    is_completed?: boolean;
}
/** Fields of a todo to change, at least one. */
export interface TodoChange {
    /** What is to be done. Trimmed; must not be empty. */
    title?: string;
    /** Whether it is done. */
    is_completed?: boolean;
}
/** Fields of one todo to change, at least one. */
export interface TodoItemChange {
    /**
     * Key of the todo, a number.
     */
    id: number;
    /** What is to be done. Trimmed; must not be empty. */
    title?: string;
    /** Whether it is done. */
    is_completed?: boolean;
}
/** The result of one item. With `Prefer: return=minimal` or `dry_run` only the `id` of its todo, if it has one. */
export interface BatchItem {
    /**
     * Position in the request, from 0.
     */
    index: number;
    /** Whether it was done. */
    status: BatchItemStatus;
    /**
     * Of a deletion, and of what is asked for in short: the key of its todo.
     */
    id?: number;
    todo?: Todo;
    errorCode?: ErrorCode;
    errorMessage?: ErrorMessage;
    /** With `VALIDATION-FAILED`: which fields of the item are wrong, and why. */
    details?: Detail[];
    reason?: ConflictReason;
    /** With `taken`: which field. */
    taken?: string;
    /** With `referenced`: a row that refers to it. */
    referenced_by?: {
        /** Its kind. */
        kind: string;
        /**
         * Its key.
         */
        id: number;
    };
    /**
     * What it is now.
     */
    version?: number;
}
/**
 * What the code means, for people. The wording may change.
 * @example TODO title is required.
 */
export type ErrorMessage = string;
/** What is wrong with one field. */
export interface Detail {
    /**
     * The part of the request; `params` are those of the path.
     * @enum {string}
     */
    in: "body" | "params" | "query" | "headers";
    /** Its name; empty for the part as a whole. */
    field: string;
    /** What is wrong. */
    message: string;
}
/** A note that has versions and a state. */
export interface Memo {
    /**
     * Its key.
     */
    id: number;
    /** Its text. */
    body: string;
    /** Where it is in its workflow; `PUT /state` moves it. */
    state: MemoState;
    /**
     * Grows by one with every change; the `ETag` names it.
     */
    version: number;
    /**
     * When it was created.
     */
    created_at: string;
    /**
     * When it was last written.
     */
    updated_at: string;
}
/** The fields of a memo. */
export interface MemoCreation {
    /** Its text. */
    body: string;
}
/** Fields of a memo to change, at least one. */
export interface MemoChange {
    /** Its text. */
    body?: string;
}
/** The new state of a memo. */
export interface MemoTransition {
    /** The new state, one of draft, published, archived. */
    to_state: string;
}
/** Fields of one memo to change, at least one. */
export interface MemoItemChange {
    /**
     * Key of the memo, a number.
     */
    id: number;
    /**
     * The version that it replaces.
     */
    version: number;
    /** Its text. */
    body?: string;
}
/** The result of one item. With `Prefer: return=minimal` or `dry_run` only the `id` of its memo, if it has one. */
export interface MemoBatchItem {
    /**
     * Position in the request, from 0.
     */
    index: number;
    /** Whether it was done. */
    status: BatchItemStatus;
    /**
     * Of a deletion, and of what is asked for in short: the key of its memo.
     */
    id?: number;
    memo?: Memo;
    errorCode?: ErrorCode;
    errorMessage?: ErrorMessage;
    /** With `VALIDATION-FAILED`: which fields of the item are wrong, and why. */
    details?: Detail[];
    reason?: ConflictReason;
    /** With `taken`: which field. */
    taken?: string;
    /** With `referenced`: a row that refers to it. */
    referenced_by?: {
        /** Its kind. */
        kind: string;
        /**
         * Its key.
         */
        id: number;
    };
    /**
     * What it is now.
     */
    version?: number;
}
/** A file, without its content. */
export interface Attachment {
    /**
     * Its key.
     */
    id: number;
    /** File name as the client gave it, without folders. */
    name: string;
    /** Type detected from the content, whatever the client says. */
    mime: string;
    /**
     * Size in bytes.
     */
    size: number;
    /** Of the content, hex. Also the `ETag` of the download. */
    sha256: string;
    /**
     * When it was created.
     */
    created_at: string;
}
/** What a program would do, for a person to decide. In lists without `changes`; with `Prefer: return=minimal` without `steps` too. */
export interface Plan {
    /**
     * Its key.
     */
    id: number;
    /** For the person who decides. */
    purpose: string;
    /** The run of its changes; of an undo, its own. */
    run: string;
    state: PlanState;
    via: Via;
    /** Its name, if it is an access token. */
    token_name: string | null;
    /**
     * When it was created.
     */
    created_at: string;
    /**
     * Until when it waits.
     */
    expires_at: string;
    /**
     * When it was decided.
     */
    decided_at: string | null;
    /** Who decided, if known. */
    decided_by: {
        via: Via;
        /** Its name, if it is an access token. */
        token_name: string | null;
    } | null;
    /** Why it was refused. */
    reason: string | null;
    /** The newest undo of its changes; null if another user made it. */
    undone_by: {
        /** Run of the undo. */
        run: string;
        /**
         * RFC 3339, UTC.
         */
        at: string;
    } | null;
    /**
     * How many of its changes are undone.
     */
    undone_changes: number;
    /** In order. */
    steps?: PlanStep[];
    /** What it would change; once applied, what it has changed. */
    changes?: PlannedChange[];
    /** Instead of `changes`, once applied. */
    rows?: {
        kind: Kind;
        action: Action;
        /** In order, each once. */
        keys: (number | null)[];
    }[];
}
/**
 * `pending`: it waits for its user. `withdrawn`: refused by who proposed it. `expired`: nobody decided in 7 days.
 * @enum {string}
 */
export type PlanState = "pending" | "applied" | "refused" | "withdrawn" | "expired";
/**
 * Kind of credential; `administrator`: not by the user.
 * @enum {string}
 */
export type Via = "session" | "agent" | "jwt" | "token" | "administrator";
/** One operation of a plan. */
export interface PlanStep {
    /** A tool, or an `x-plan` operation. */
    operation: string;
    /** Of path, query and body, and `if_match`. `$milk.id`: that field of the row of step `milk`. `$$`: a leading `$`. */
    arguments: {
        [key: string]: unknown;
    };
    /** Its name for later steps. */
    as?: string;
}
/** What a plan would do to one row. */
export interface PlannedChange {
    kind: Kind;
    /**
     * Null if the row does not exist yet.
     */
    key: number | null;
    action: Action;
    /** The row as it is, if there is one. */
    before: {
        [key: string]: unknown;
    } | null;
    /** The row as it would be, if it would not be deleted; a new one has no `id` yet. */
    after: {
        [key: string]: unknown;
    } | null;
    /** Of a field that refers to a row which the plan makes, and so is null: the place in `changes`, from 0, of the change that makes it. `id`: of the row itself. */
    refers_to?: {
        [key: string]: number;
    };
}
/**
 * Kind of the row.
 * @enum {string}
 */
export type Kind = "todo" | "memo" | "attachment";
/**
 * What was done; `hidden`: you may no longer read it.
 * @enum {string}
 */
export type Action = "create" | "update" | "delete" | "hidden";
/** A row that contains the text. */
export type SearchResult = SearchResultOfTodo | SearchResultOfMemo | SearchResultOfAttachment;
/** A change of one row. `before` and `after` lack newer fields; `Prefer: return=minimal` leaves them out, and who did it. */
export type Change = ChangeOfTodo | ChangeOfMemo | ChangeOfAttachment;
/** Changes made for one purpose, as far as your credential may read them. */
export interface Run {
    /** Its name. */
    run: string;
    via: Via;
    /** Name of the access token of that change, if any. */
    token_name: string | null;
    /**
     * When its first change was made.
     */
    started_at: string;
    /**
     * When its last change was made.
     */
    ended_at: string;
    /**
     * How many of its changes are recorded.
     */
    changes: number;
    /** Whether all of them have been undone. */
    undone: boolean;
    /**
     * How many of them have been undone.
     */
    undone_changes: number;
    /** What it undid, if it is an undo: a run, or changes by their ids. */
    undoes: {
        /** The run, if all of it was to be undone. */
        run?: string;
        /** The changes otherwise. */
        ids?: number[];
    } | null;
}
/** What to undo: a run, or changes by their ids. */
export interface UndoRequest {
    /** Undoes this run. */
    run?: string;
    /** Undoes these changes; instead of `run`. */
    ids?: number[];
    /**
     * `next_cursor` of the previous answer, while its `more` is true.
     */
    cursor?: number;
    /** Only say what would happen. */
    dry_run?: boolean;
}
/** Newest first. */
export type UndoneChanges = Undone[];
/** A change that was undone. With `Prefer: return=minimal` only its `id`. */
export interface Undone {
    /**
     * Id of the change.
     */
    id: number;
    kind?: Kind;
    /**
     * Its key.
     */
    key?: number;
    action?: Action;
}
/** What was not undone, and why. */
export type UndoConflicts = UndoConflict[];
/** A change that was not undone. */
export interface UndoConflict {
    /**
     * Id of the change.
     */
    id: number;
    /**
     * Null if unknown.
     * @enum {string|null}
     */
    kind: "todo" | "memo" | "attachment" | null;
    /**
     * Null if unknown.
     */
    key: number | null;
    /**
     * `changed`: the row has changed since. `cannot_return`: no room, key in use, or file gone. `undone`: already undone. `not_allowed`: this credential may not write this kind, or its user this row. `of_another`: made by another, in a row of another. `undeclared`: its area is declared no longer. `unknown`: no such change is recorded.
     * @enum {string}
     */
    reason: "changed" | "cannot_return" | "undone" | "not_allowed" | "of_another" | "undeclared" | "unknown";
}
/** Name of the undo itself as a run: undo that to revert it. Null if nothing was undone. */
export type UndoRun = string | null;
/** Whether there are more changes than one request looks at. If so, whatever the status, send it again with `next_cursor` as `cursor`. */
export type UndoMore = boolean;
/**
 * Send it as `cursor` to go on with older changes; null if `more` is false.
 */
export type UndoNextCursor = number | null;
/** A plan to propose. */
export interface PlanCreation {
    /** For the person who decides. */
    purpose: string;
    /** Of its changes; `plan-<id>` by default. */
    run?: string;
    /** Done in this order, all or none. */
    steps: PlanStep[];
}
/** Why a plan is refused. */
export interface PlanRefusal {
    /** Why, for the program. */
    reason?: string;
}
/** An address to which changes are delivered. */
export interface Subscription {
    /**
     * Its key.
     */
    id: number;
    /** Where deliveries are sent. */
    url: string;
    /** Kinds of rows whose changes are delivered. */
    kinds: Kind[];
    /** What it is for. */
    description: string | null;
    /**
     * The access token that made it, and alone manages it; null if a session did.
     */
    token_id: number | null;
    /** Whether changes are delivered. */
    is_active: boolean;
    /**
     * Why it was switched off: `gone`, the receiver answered 410; `failures`, five days without a success. Else null.
     * @enum {string|null}
     */
    stopped_by: "gone" | "failures" | null;
    /**
     * Since when every delivery has failed; null if none has.
     */
    failing_since: string | null;
    /**
     * When the change that failed is tried again; null if none waits.
     */
    next_try_at: string | null;
    /**
     * When it was created.
     */
    created_at: string;
    /**
     * When it was last written.
     */
    updated_at: string;
}
/** A subscription to create. */
export interface SubscriptionCreation {
    /** Where deliveries go: an https URL on the public internet. */
    url: string;
    /** By default all that you may read. */
    kinds?: Kind[];
    /** Any text that tells you what it is for. */
    description?: string;
}
/** What to change; absent members stay as they are. */
export interface SubscriptionChange {
    /** Where deliveries go: an https URL on the public internet. */
    url?: string;
    /** The kinds of rows whose changes are delivered. */
    kinds?: Kind[];
    /** `false` pauses it; `true` resumes: with the changes that were not delivered before the pause, then with new ones. */
    is_active?: boolean;
}
/** One attempt to deliver. */
export interface Delivery {
    /**
     * Its key.
     */
    id: number;
    /**
     * Id of the change; null for a ping.
     */
    change: number | null;
    /**
     * When it was sent; null while it waits.
     */
    at: string | null;
    /**
     * HTTP status of the answer; null if there was none.
     */
    status: number | null;
    /** Why there was no answer: `timeout`, `unresolved`, `refused`, `private-address`, `not-allowed`, `too-long`, `tls` or `broken`; `forgotten` if the change is no longer recorded. */
    error: string | null;
    /**
     * How long it took, in milliseconds.
     */
    ms: number | null;
}
/** What to deliver again. */
export interface Redelivery {
    /**
     * Id of the change to deliver again.
     */
    change: number;
}
/** A mail to a user. */
export interface NewMail {
    /** Login name of the user it goes to. */
    user_id: string;
    /** One line. */
    subject: string;
    /** Plain text. A line that is only a URL becomes a link. */
    text: string;
}
/**
 * Any JSON: the sender decides what an event looks like.
 * @example {
 *       "event": "invoice.paid",
 *       "invoice": 42
 *     }
 */
export type WebhookEvent = unknown;
/** How many reactions a target has, and which are the caller's. */
export interface ReactionSummary {
    /**
     * Reactions of every type.
     */
    total: number;
    by_type: ReactionCounts;
    /** The caller's own reactions; empty without a credential. */
    user_reactions: ReactionType[];
}
/** Types with at least one reaction. */
export interface ReactionCounts {
    /**
     * How many.
     */
    like?: number;
    /**
     * How many.
     */
    heart?: number;
    /**
     * How many.
     */
    laugh?: number;
    /**
     * How many.
     */
    sad?: number;
    /**
     * How many.
     */
    wow?: number;
}
/**
 * Kind of the reaction.
 * @enum {string}
 */
export type ReactionType = "like" | "heart" | "laugh" | "sad" | "wow";
/** A feature that is on for everybody or for some users. */
export interface FeatureFlag {
    /**
     * Its key.
     */
    id: number;
    /** Its name. */
    flag_name: string;
    /** On for everybody. */
    is_enabled: boolean;
    /**
     * Percentage of users who have it if it is not on for everybody.
     */
    rollout_pct: number;
    /**
     * When it was created.
     */
    created_at: string;
    /**
     * When it was last written.
     */
    updated_at: string;
}
/** A flag and its new setting. */
export interface FlagSetting {
    /** 1 to 128 letters, digits, `_`, `.`, `:` or `-`; the first one a letter or a digit. Case matters. */
    flag_name: string;
    /** Whether it is on. */
    is_enabled?: boolean;
    /**
     * Percentage of users who have the flag while it is not on for everybody.
     */
    rollout_pct?: number;
}
/** Whether the user has the flag. */
export interface OverrideSetting {
    /** 1 to 128 letters, digits, `_`, `.`, `:` or `-`; the first one a letter or a digit. Case matters. */
    flag_name: string;
    /** Whether it is on. */
    is_enabled: boolean;
}
/** Turns a flag on or off for one user. */
export interface FlagOverride {
    /**
     * Its key.
     */
    id: number;
    /** Its name. */
    flag_name: string;
    /**
     * The user's `id`.
     */
    user_id: number;
    /** Whether the user has it. */
    is_enabled: boolean;
    /**
     * When it was created.
     */
    created_at: string;
    /**
     * When it was last written.
     */
    updated_at: string;
}
export interface GetHealthSuccess {
    Result: boolean;
    Data: GetHealthSuccessData;
}
export interface BadRequestFailure {
    Result: boolean;
    Data: BadRequestFailureData;
}
export interface MethodNotAllowedFailure {
    Result: boolean;
    Data: MethodNotAllowedFailureData;
}
export interface ValidationFailedFailure {
    Result: boolean;
    Data: ValidationFailedFailureData;
}
export interface InternalErrorFailure {
    Result: boolean;
    Data: InternalErrorFailureData;
}
export interface GetHealthServiceOverloadedFailure {
    Result: boolean;
    Data: GetHealthServiceOverloadedFailureData;
}
export interface ListErrorsSuccess {
    Result: boolean;
    Data: ListErrorsSuccessData;
}
export interface ServiceUnavailableFailure {
    Result: boolean;
    Data: ServiceUnavailableFailureData;
}
export interface GetErrorSuccess {
    Result: boolean;
    Data: GetErrorSuccessData;
}
export interface NotFoundFailure {
    Result: boolean;
    Data: NotFoundFailureData;
}
export interface LoginSuccess {
    Result: boolean;
    Data: LoginSuccessData;
}
export interface UnauthorizedFailure {
    Result: boolean;
    Data: UnauthorizedFailureData;
}
export interface ForbiddenFailure {
    Result: boolean;
    Data: ForbiddenFailureData;
}
export interface BodyTooLargeFailure {
    Result: boolean;
    Data: BodyTooLargeFailureData;
}
export interface AccountLockedFailure {
    Result: boolean;
    Data: AccountLockedFailureData;
}
export interface RateLimitExceededFailure {
    Result: boolean;
    Data: RateLimitExceededFailureData;
}
export interface LogoutSuccess {
    Result: boolean;
    Data: LogoutSuccessData;
}
export interface BeginPasskeySignInSuccess {
    Result: boolean;
    Data: BeginPasskeySignInSuccessData;
}
export interface ListSessionsSuccess {
    Result: boolean;
    Data: ListSessionsSuccessData;
}
export interface EndSessionSuccess {
    Result: boolean;
    Data: EndSessionSuccessData;
}
export interface EndOtherSessionsSuccess {
    Result: boolean;
    Data: EndOtherSessionsSuccessData;
}
export interface GetCurrentSessionSuccess {
    Result: boolean;
    Data: GetCurrentSessionSuccessData;
}
export interface ListAccessTokensSuccess {
    Result: boolean;
    Data: ListAccessTokensSuccessData;
}
export interface CreateAccessTokenSuccess {
    Result: boolean;
    Data: CreateAccessTokenSuccessData;
}
export interface ConflictFailure {
    Result: boolean;
    Data: ConflictFailureData;
}
export interface DeriveAccessTokenSuccess {
    Result: boolean;
    Data: DeriveAccessTokenSuccessData;
}
export interface DeletedSuccess {
    Result: boolean;
    Data: DeletedSuccessData;
}
export interface DoneSuccess {
    Result: boolean;
    Data: DoneSuccessData;
}
export interface ChangeProfileSuccess {
    Result: boolean;
    Data: ChangeProfileSuccessData;
}
export interface RemoveAccountSuccess {
    Result: boolean;
    Data: RemoveAccountSuccessData;
}
export interface BeginPasskeySuccess {
    Result: boolean;
    Data: BeginPasskeySuccessData;
}
export interface CreatePasskeySuccess {
    Result: boolean;
    Data: CreatePasskeySuccessData;
}
export interface CreatePasskeyConflictFailure {
    Result: boolean;
    Data: CreatePasskeyConflictFailureData;
}
export interface ListPasskeysSuccess {
    Result: boolean;
    Data: ListPasskeysSuccessData;
}
export interface BeginSecondFactorSuccess {
    Result: boolean;
    Data: BeginSecondFactorSuccessData;
}
export interface ConfirmSecondFactorSuccess {
    Result: boolean;
    Data: ConfirmSecondFactorSuccessData;
}
export interface IssueTokenSuccess {
    Result: boolean;
    Data: IssueTokenSuccessData;
}
export interface GetTokenClaimsSuccess {
    Result: boolean;
    Data: GetTokenClaimsSuccessData;
}
export interface ListGrantsSuccess {
    Result: boolean;
    Data: ListGrantsSuccessData;
}
export interface RequestPasswordResetSuccess {
    Result: boolean;
    Data: RequestPasswordResetSuccessData;
}
export interface ResetPasswordSuccess {
    Result: boolean;
    Data: ResetPasswordSuccessData;
}
export interface TokenAlreadyUsedFailure {
    Result: boolean;
    Data: TokenAlreadyUsedFailureData;
}
export interface GoneFailure {
    Result: boolean;
    Data: GoneFailureData;
}
export interface ListAuditEventsSuccess {
    Result: boolean;
    Data: ListAuditEventsSuccessData;
}
export interface ListUsersSuccess {
    Result: boolean;
    Data: ListUsersSuccessData;
}
export interface AccountSuccess {
    Result: boolean;
    Data: AccountSuccessData;
}
export interface CreateUserConflictFailure {
    Result: boolean;
    Data: CreateUserConflictFailureData;
}
export interface ChangeUserConflictFailure {
    Result: boolean;
    Data: ChangeUserConflictFailureData;
}
export interface ListTodosSuccess {
    Result: boolean;
    Data: ListTodosSuccessData;
}
export interface TodoSuccess {
    Result: boolean;
    Data: TodoSuccessData;
}
export interface BatchSuccess {
    Result: boolean;
    Data: BatchSuccessData;
}
export interface BadRequestOrBatchTooLargeFailure {
    Result: boolean;
    Data: BadRequestOrBatchTooLargeFailureData;
}
/** An item of a batch that failed. */
export interface BatchFailure {
    /**
     * Position in the request, from 0.
     */
    index: number;
    /**
     * It was not done.
     * @enum {string}
     */
    status: "failure";
    errorCode: ErrorCode;
    errorMessage: ErrorMessage;
    /** With `VALIDATION-FAILED`: which fields of the item are wrong, and why. */
    details?: Detail[];
    reason?: ConflictReason;
    /** With `taken`: which field. */
    taken?: string;
    /** With `referenced`: a row that refers to it. */
    referenced_by?: {
        /** Its kind. */
        kind: string;
        /**
         * Its key.
         */
        id: number;
    };
    /**
     * What it is now.
     */
    version?: number;
}
export interface BatchItemFailedOrValidationFailedFailure {
    Result: boolean;
    Data: BatchItemFailedOrValidationFailedFailureData;
}
export interface ListMemosSuccess {
    Result: boolean;
    Data: ListMemosSuccessData;
}
export interface MemoSuccess {
    Result: boolean;
    Data: MemoSuccessData;
}
export interface PreconditionFailedFailure {
    Result: boolean;
    Data: PreconditionFailedFailureData;
}
export interface PreconditionRequiredFailure {
    Result: boolean;
    Data: PreconditionRequiredFailureData;
}
export interface MoveMemoSuccess {
    Result: boolean;
    Data: MoveMemoSuccessData;
}
export interface InvalidTransitionFailure {
    Result: boolean;
    Data: InvalidTransitionFailureData;
}
export interface MemoBatchSuccess {
    Result: boolean;
    Data: MemoBatchSuccessData;
}
export interface ListAttachmentsSuccess {
    Result: boolean;
    Data: ListAttachmentsSuccessData;
}
export interface AttachmentSuccess {
    Result: boolean;
    Data: AttachmentSuccessData;
}
export interface UploadTooLargeFailure {
    Result: boolean;
    Data: UploadTooLargeFailureData;
}
export interface UploadMimeRejectedFailure {
    Result: boolean;
    Data: UploadMimeRejectedFailureData;
}
export interface PlanSuccess {
    Result: boolean;
    Data: PlanSuccessData;
}
/** Why a step cannot be done, with the fields of `Data` that this failure has by itself. */
export type StepFailure = {
    errorCode: ErrorCode;
    errorMessage: ErrorMessage;
    /** Which fields are wrong, and why. */
    details?: Detail[];
    /**
     * Of the first item that fails.
     */
    index?: number;
    /** All items that fail, if it is a batch. */
    items?: BatchFailure[];
} & {
    [key: string]: unknown;
};
export interface PlanInvalidOrValidationFailedFailure {
    Result: boolean;
    Data: PlanInvalidOrValidationFailedFailureData;
}
export interface GetAttachmentLinkSuccess {
    Result: boolean;
    Data: GetAttachmentLinkSuccessData;
}
export interface RangeNotSatisfiableFailure {
    Result: boolean;
    Data: RangeNotSatisfiableFailureData;
}
export interface SearchSuccess {
    Result: boolean;
    Data: SearchSuccessData;
}
export interface ListActivitySuccess {
    Result: boolean;
    Data: ListActivitySuccessData;
}
export interface ChangesGoneFailure {
    Result: boolean;
    Data: ChangesGoneFailureData;
}
export interface ActivityRunsSuccess {
    Result: boolean;
    Data: ActivityRunsSuccessData;
}
export interface UndoActivitySuccess {
    Result: boolean;
    Data: UndoActivitySuccessData;
}
export interface UndoActivityConflictFailure {
    Result: boolean;
    Data: UndoActivityConflictFailureData;
}
export interface ListPlansSuccess {
    Result: boolean;
    Data: ListPlansSuccessData;
}
export interface ApplyPlanConflictOrApplyPlanPlanDecidedFailure {
    Result: boolean;
    Data: ApplyPlanConflictOrApplyPlanPlanDecidedFailureData;
}
export interface UndoPlanSuccess {
    Result: boolean;
    Data: UndoPlanSuccessData;
}
export interface UndoPlanConflictFailure {
    Result: boolean;
    Data: UndoPlanConflictFailureData;
}
export interface RefusePlanPlanDecidedFailure {
    Result: boolean;
    Data: RefusePlanPlanDecidedFailureData;
}
export interface ListSubscriptionsSuccess {
    Result: boolean;
    Data: ListSubscriptionsSuccessData;
}
export interface CreateSubscriptionSuccess {
    Result: boolean;
    Data: CreateSubscriptionSuccessData;
}
export interface SubscriptionSuccess {
    Result: boolean;
    Data: SubscriptionSuccessData;
}
export interface RotateSubscriptionSecretSuccess {
    Result: boolean;
    Data: RotateSubscriptionSecretSuccessData;
}
export interface DeliverySuccess {
    Result: boolean;
    Data: DeliverySuccessData;
}
export interface ListDeliveriesSuccess {
    Result: boolean;
    Data: ListDeliveriesSuccessData;
}
export interface SendMailSuccess {
    Result: boolean;
    Data: SendMailSuccessData;
}
export interface DownstreamFailedFailure {
    Result: boolean;
    Data: DownstreamFailedFailureData;
}
export interface ReceiveWebhookSuccess {
    Result: boolean;
    Data: ReceiveWebhookSuccessData;
}
export interface ToggleReactionSuccess {
    Result: boolean;
    Data: ToggleReactionSuccessData;
}
export interface RemoveReactionSuccess {
    Result: boolean;
    Data: RemoveReactionSuccessData;
}
export interface GetReactionSummarySuccess {
    Result: boolean;
    Data: GetReactionSummarySuccessData;
}
export interface EvaluateFeatureFlagsSuccess {
    Result: boolean;
    Data: EvaluateFeatureFlagsSuccessData;
}
export interface ListFeatureFlagsSuccess {
    Result: boolean;
    Data: ListFeatureFlagsSuccessData;
}
export interface SetFeatureFlagSuccess {
    Result: boolean;
    Data: SetFeatureFlagSuccessData;
}
export interface SetFlagOverrideSuccess {
    Result: boolean;
    Data: SetFlagOverrideSuccessData;
}
export interface RemoveFlagOverrideSuccess {
    Result: boolean;
    Data: RemoveFlagOverrideSuccessData;
}
/** A change that is delivered, whole. */
export interface ChangeDelivery {
    /**
     * What was done.
     * @enum {string}
     */
    type: "todo.created" | "todo.updated" | "todo.deleted" | "memo.created" | "memo.updated" | "memo.deleted" | "attachment.created" | "attachment.updated" | "attachment.deleted";
    /**
     * When the change was made.
     */
    timestamp: string;
    data: Change;
}
/** Says that deliveries arrive. */
export interface PingDelivery {
    /**
     * It is no change.
     * @enum {string}
     */
    type: "ping";
    /**
     * When it was sent.
     */
    timestamp: string;
    /** Whose ping it is. */
    data: {
        /**
         * Key of the subscription.
         */
        subscription: number;
    };
}
/** `SearchResult` of the kind `todo`. */
export interface SearchResultOfTodo {
    /**
     * Its kind. (enum property replaced by openapi-typescript)
     * @enum {string}
     */
    kind: "todo";
    /** The row. */
    row: Todo;
}
/** `SearchResult` of the kind `memo`. */
export interface SearchResultOfMemo {
    /**
     * Its kind. (enum property replaced by openapi-typescript)
     * @enum {string}
     */
    kind: "memo";
    /** The row. */
    row: Memo;
}
/** `SearchResult` of the kind `attachment`. */
export interface SearchResultOfAttachment {
    /**
     * Its kind. (enum property replaced by openapi-typescript)
     * @enum {string}
     */
    kind: "attachment";
    /** The row. */
    row: Attachment;
}
/** `Change` of the kind `todo`. */
export interface ChangeOfTodo {
    /**
     * Its key.
     */
    id: number;
    /**
     * When.
     */
    at: string;
    via?: Via;
    /**
     * Its access token, if any.
     */
    token_id?: number | null;
    /** Its name. */
    token_name?: string | null;
    /** Its run, if any. */
    run: string | null;
    /** `X-Request-Id`. */
    request_id?: string;
    /**
     * Its kind. (enum property replaced by openapi-typescript)
     * @enum {string}
     */
    kind: "todo";
    /**
     * Key of the row.
     */
    key: number;
    action: Action;
    /** The row before; null if created. */
    before?: Todo | null;
    /** The row after; null if deleted. */
    after?: Todo | null;
    /** Whether it is undone. */
    undone: boolean;
    /** Login name of its author, if shared. */
    by?: string;
}
/** `Change` of the kind `memo`. */
export interface ChangeOfMemo {
    /**
     * Its key.
     */
    id: number;
    /**
     * When.
     */
    at: string;
    via?: Via;
    /**
     * Its access token, if any.
     */
    token_id?: number | null;
    /** Its name. */
    token_name?: string | null;
    /** Its run, if any. */
    run: string | null;
    /** `X-Request-Id`. */
    request_id?: string;
    /**
     * Its kind. (enum property replaced by openapi-typescript)
     * @enum {string}
     */
    kind: "memo";
    /**
     * Key of the row.
     */
    key: number;
    action: Action;
    /** The row before; null if created. */
    before?: Memo | null;
    /** The row after; null if deleted. */
    after?: Memo | null;
    /** Whether it is undone. */
    undone: boolean;
    /** Login name of its author, if shared. */
    by?: string;
}
/** `Change` of the kind `attachment`. */
export interface ChangeOfAttachment {
    /**
     * Its key.
     */
    id: number;
    /**
     * When.
     */
    at: string;
    via?: Via;
    /**
     * Its access token, if any.
     */
    token_id?: number | null;
    /** Its name. */
    token_name?: string | null;
    /** Its run, if any. */
    run: string | null;
    /** `X-Request-Id`. */
    request_id?: string;
    /**
     * Its kind. (enum property replaced by openapi-typescript)
     * @enum {string}
     */
    kind: "attachment";
    /**
     * Key of the row.
     */
    key: number;
    action: Action;
    /** The row before; null if created. */
    before?: Attachment | null;
    /** The row after; null if deleted. */
    after?: Attachment | null;
    /** Whether it is undone. */
    undone: boolean;
    /** Login name of its author, if shared. */
    by?: string;
}
export interface GetHealthSuccessData {
    /** @enum {string} */
    status: "success";
    /**
     * `degraded` if the database takes no writes or was sealed with another `SVC_URL_SECRET`, a circuit is not closed or the service is overloaded.
     * @enum {string}
     */
    healthStatus: "ok" | "degraded";
    /** Why it is degraded; null if it is not. */
    cause: string | null;
    /**
     * This service answers.
     * @enum {string}
     */
    api: "ok";
    /**
     * Its database answers.
     * @enum {string}
     */
    database: "ok";
    /** Newest migration of the database. */
    schema: string;
    /** `SVC_ENV`. */
    environment: string;
    /** `sqlite` or `postgres`. */
    databaseType: string;
    circuits: Circuits;
}
export interface BadRequestFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "ATTACHMENT-ID-REQUIRED" | "BODY-INVALID" | "MEMO-ID-REQUIRED" | "REACTION-TYPE-INVALID" | "REQUEST-INVALID" | "TODO-ID-REQUIRED" | "TODO-TITLE-REQUIRED" | "UPLOAD-FILE-REQUIRED";
    errorMessage: ErrorMessage;
    /** Which header is wrong, and why. */
    details?: Detail[];
}
export interface MethodNotAllowedFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "METHOD-NOT-ALLOWED";
    errorMessage: ErrorMessage;
}
export interface ValidationFailedFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "VALIDATION-FAILED";
    errorMessage: ErrorMessage;
    /** Which fields are wrong, and why. */
    details: Detail[];
}
export interface InternalErrorFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "INTERNAL-ERROR";
    errorMessage: ErrorMessage;
}
export interface GetHealthServiceOverloadedFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "SERVICE-OVERLOADED";
    errorMessage: ErrorMessage;
    /**
     * The service is not fully working.
     * @enum {string}
     */
    healthStatus: "degraded";
    /** Why it is degraded. */
    cause: string;
    /**
     * This service answers.
     * @enum {string}
     */
    api: "ok";
    /**
     * The database does not answer.
     * @enum {string}
     */
    database: "down";
    /** Newest migration of the database. */
    schema: string;
    /** `SVC_ENV`. */
    environment: string;
    /** `sqlite` or `postgres`. */
    databaseType: string;
    circuits: Circuits;
}
export interface ListErrorsSuccessData {
    /** @enum {string} */
    status: "success";
    /** Every code. */
    errors: CatalogEntry[];
}
export interface ServiceUnavailableFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "CIRCUIT-OPEN" | "SERVICE-OVERLOADED";
    errorMessage: ErrorMessage;
}
export interface GetErrorSuccessData {
    /** @enum {string} */
    status: "success";
    error: CatalogEntry;
}
export interface NotFoundFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "ACCESS-TOKEN-NOT-FOUND" | "ATTACHMENT-NOT-FOUND" | "FLAG-NOT-FOUND" | "GRANT-NOT-FOUND" | "MEMO-NOT-FOUND" | "NOT-FOUND" | "PASSKEY-NOT-FOUND" | "PLAN-NOT-FOUND" | "REACTION-NOT-FOUND" | "RUN-NOT-FOUND" | "SESSION-NOT-FOUND" | "SUBSCRIPTION-NOT-FOUND" | "TODO-NOT-FOUND" | "USER-NOT-FOUND";
    errorMessage: ErrorMessage;
}
export interface LoginSuccessData {
    /** @enum {string} */
    status: "success";
    /** Send it as `X-CSRF-Token`. Fixed for the session. */
    csrfToken: string;
    user: User;
}
export interface UnauthorizedFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "ACCESS-TOKEN-INVALID" | "JWT-INVALID" | "LOGIN-FAILED" | "SECOND-FACTOR-REQUIRED" | "SESSION-CLOSED" | "WEBHOOK-SIGNATURE-INVALID";
    errorMessage: ErrorMessage;
    /** After a Bearer credential: what is wrong with it, and how to get a right one. */
    message?: string;
}
export interface ForbiddenFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "APPROVAL-NEEDED" | "BUDGET-SPENT" | "CSRF-TOKEN-INVALID" | "FORBIDDEN" | "SCOPE-INSUFFICIENT" | "SIGNED-URL-INVALID";
    errorMessage: ErrorMessage;
    /** Where to propose it. */
    message?: string;
    /** The scope that is missing. */
    scope?: string;
}
export interface BodyTooLargeFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "BODY-TOO-LARGE";
    errorMessage: ErrorMessage;
}
export interface AccountLockedFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "ACCOUNT-LOCKED";
    errorMessage: ErrorMessage;
}
export interface RateLimitExceededFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "RATE-LIMIT-EXCEEDED";
    errorMessage: ErrorMessage;
}
export interface LogoutSuccessData {
    /** @enum {string} */
    status: "success";
}
export interface BeginPasskeySignInSuccessData {
    /** @enum {string} */
    status: "success";
    options: PasskeyRequestOptions;
}
export interface ListSessionsSuccessData {
    /** @enum {string} */
    status: "success";
    /** Newest first. */
    sessions: Session[];
}
export interface EndSessionSuccessData {
    /** @enum {string} */
    status: "success";
    /**
     * Key of the session that was ended.
     */
    id: number;
}
export interface EndOtherSessionsSuccessData {
    /** @enum {string} */
    status: "success";
    /**
     * How many were ended.
     */
    ended: number;
}
export interface GetCurrentSessionSuccessData {
    /** @enum {string} */
    status: "success";
    user: User;
    /** A user, or an administrator. */
    role: Role;
    /**
     * Kind of credential.
     * @enum {string}
     */
    via: "session" | "agent" | "jwt" | "token";
    /** Scopes of the access token; null for any other credential. */
    scopes: Scope[] | null;
    /**
     * When the credential expires; for a session, the earlier of its two limits. Null if it never expires.
     */
    expires_at: string | null;
    /** Send it as `X-CSRF-Token`. Null unless the caller uses a session. */
    csrfToken: string | null;
    /**
     * Key of the access token; null for any other credential.
     */
    token_id: number | null;
    /** Whether a person approves its changes. */
    asks: boolean;
    /**
     * The most changes that it may make.
     */
    changes_max: number | null;
    /**
     * How many of them are left, here and in tokens above.
     */
    changes_left: number | null;
    /**
     * The token that has derived it, if any.
     */
    parent_id: number | null;
    /**
     * Send it as `after` to get what comes next: after this page, or without `after` from now on.
     */
    next_after: number;
    /** With `operations=1`: `can` without the ways. */
    operations?: string[];
    /** What it may call. */
    can: {
        /** Their tag. */
        area: string;
        /** How each is called. */
        operations: {
            [key: string]: string;
        };
        /** Those only as steps of plans: it asks. */
        as_plan?: {
            [key: string]: string;
        };
    }[];
    /** Set if its requests have no limit. */
    limits_message: string | null;
    /** The most that is taken. */
    maximum: {
        /**
         * Items of a batch.
         */
        batch: number;
        /**
         * `limit` of a list.
         */
        page: number;
        /**
         * Bytes of a file.
         */
        upload_bytes: number;
    };
    /** What is left of each limit that counts this credential. */
    limits: LimitState[];
}
export interface ListAccessTokensSuccessData {
    /** @enum {string} */
    status: "success";
    /** Newest first. */
    access_tokens: AccessToken[];
}
export interface CreateAccessTokenSuccessData {
    /** @enum {string} */
    status: "success";
    access_token: AccessToken;
    /** Send it as `Authorization: Bearer`. Null in a repeated answer. */
    token: string | null;
}
export interface ConflictFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "CONFLICT";
    errorMessage: ErrorMessage;
    reason: ConflictReason;
    /** What is so, in a sentence. */
    message: string;
}
export interface DeriveAccessTokenSuccessData {
    /** @enum {string} */
    status: "success";
    access_token: AccessToken;
    /** Send it as `Authorization: Bearer`. Null in a repeated answer. */
    token: string | null;
}
export interface DeletedSuccessData {
    /** @enum {string} */
    status: "success";
    /**
     * The key of the deleted row.
     */
    id: number;
    /** Nothing was done: this would happen. */
    dry_run?: boolean;
}
export interface DoneSuccessData {
    /** @enum {string} */
    status: "success";
}
export interface ChangeProfileSuccessData {
    /** @enum {string} */
    status: "success";
    user: User;
    /** The address that counts once its link was followed; null if none waits. */
    pending_e_mail: string | null;
}
export interface RemoveAccountSuccessData {
    /** @enum {string} */
    status: "success";
}
export interface BeginPasskeySuccessData {
    /** @enum {string} */
    status: "success";
    options: PasskeyCreationOptions;
}
export interface CreatePasskeySuccessData {
    /** @enum {string} */
    status: "success";
    passkey: Passkey;
}
export interface CreatePasskeyConflictFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "CONFLICT";
    errorMessage: ErrorMessage;
    reason: ConflictReason;
    /** What is so, in a sentence. */
    message: string;
    /**
     * It is a passkey already.
     * @enum {string}
     */
    taken?: "credential";
}
export interface ListPasskeysSuccessData {
    /** @enum {string} */
    status: "success";
    /** Newest first. */
    passkeys: Passkey[];
}
export interface BeginSecondFactorSuccessData {
    /** @enum {string} */
    status: "success";
    /** For an app that does not take a URL, in base32. */
    secret: string;
    /** For the app, often as a QR code. */
    otpauth_url: string;
}
export interface ConfirmSecondFactorSuccessData {
    /** @enum {string} */
    status: "success";
    /** Ten codes. Each replaces a code from the app once, if the app is lost. Shown only once. */
    recovery_codes: string[];
}
export interface IssueTokenSuccessData {
    /** @enum {string} */
    status: "success";
    /** A JWT, signed with HS256. Send it as `Authorization: Bearer`. */
    access_token: string;
    /**
     * How it is sent.
     * @enum {string}
     */
    token_type: "Bearer";
    /**
     * How many seconds it is valid.
     */
    expires_in: number;
}
export interface GetTokenClaimsSuccessData {
    /** @enum {string} */
    status: "success";
    claims: TokenClaims;
}
export interface ListGrantsSuccessData {
    /** @enum {string} */
    status: "success";
    /** Newest first. */
    grants: Grant[];
}
export interface RequestPasswordResetSuccessData {
    /** @enum {string} */
    status: "success";
    /** For people. */
    message: string;
}
export interface ResetPasswordSuccessData {
    /** @enum {string} */
    status: "success";
    /** For people. */
    message: string;
}
export interface TokenAlreadyUsedFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "TOKEN-ALREADY-USED";
    errorMessage: ErrorMessage;
}
export interface GoneFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "SIGNED-URL-EXPIRED" | "TOKEN-EXPIRED";
    errorMessage: ErrorMessage;
}
export interface ListAuditEventsSuccessData {
    /** @enum {string} */
    status: "success";
    /** Newest first. */
    events: AuditEvent[];
    next_cursor: NextCursor;
}
export interface ListUsersSuccessData {
    /** @enum {string} */
    status: "success";
    /** Newest first. */
    users: Account[];
    next_cursor: NextCursor;
}
export interface AccountSuccessData {
    /** @enum {string} */
    status: "success";
    user: Account;
}
export interface CreateUserConflictFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "CONFLICT";
    errorMessage: ErrorMessage;
    reason: ConflictReason;
    /** What is so, in a sentence. */
    message: string;
    /** What another user already has. */
    taken?: CreateUserConflictFailureDataTaken;
}
export interface ChangeUserConflictFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "CONFLICT";
    errorMessage: ErrorMessage;
    reason: ConflictReason;
    /** What is so, in a sentence. */
    message: string;
    /** What another user already has. */
    taken?: CreateUserConflictFailureDataTaken;
}
export interface ListTodosSuccessData {
    /** @enum {string} */
    status: "success";
    /** Newest first. */
    todos: Todo[];
    next_cursor: ListCursor;
    /** With `sort`: `next_cursor`, for `page`. */
    next_page?: string | null;
    /**
     * With `count`: how many there are.
     */
    total?: number;
}
export interface TodoSuccessData {
    /** @enum {string} */
    status: "success";
    todo: Todo;
}
export interface BatchSuccessData {
    /** `partial`: not all were done. */
    status: BatchSuccessDataStatus;
    /** One for each item, in order. */
    items: BatchItem[];
    /**
     * How many items succeeded.
     */
    succeeded: number;
    /**
     * How many items failed.
     */
    failed: number;
    /** Nothing was done: this would happen. */
    dry_run?: boolean;
}
export interface BadRequestOrBatchTooLargeFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "ATTACHMENT-ID-REQUIRED" | "BODY-INVALID" | "MEMO-ID-REQUIRED" | "REACTION-TYPE-INVALID" | "REQUEST-INVALID" | "TODO-ID-REQUIRED" | "TODO-TITLE-REQUIRED" | "UPLOAD-FILE-REQUIRED" | "BATCH-TOO-LARGE";
    errorMessage: ErrorMessage;
    /** Which header is wrong, and why. */
    details?: Detail[];
    /**
     * The most items that are taken.
     */
    maximum?: number;
}
export interface BatchItemFailedOrValidationFailedFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "BATCH-ITEM-FAILED" | "VALIDATION-FAILED";
    errorMessage: ErrorMessage;
    /** What is wrong with each item. */
    items?: BatchFailure[];
    /**
     * How many items succeeded.
     */
    succeeded?: number;
    /**
     * How many items failed.
     */
    failed?: number;
    /** Which fields are wrong, and why. */
    details?: Detail[];
}
export interface ListMemosSuccessData {
    /** @enum {string} */
    status: "success";
    /** Newest first. */
    memos: Memo[];
    next_cursor: ListCursor;
    /** With `sort`: `next_cursor`, for `page`. */
    next_page?: string | null;
    /**
     * With `count`: how many there are.
     */
    total?: number;
}
export interface MemoSuccessData {
    /** @enum {string} */
    status: "success";
    memo: Memo;
}
export interface PreconditionFailedFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "PRECONDITION-FAILED";
    errorMessage: ErrorMessage;
    /**
     * What it is now.
     */
    version?: number;
    /** Which fields are wrong, and why. */
    details?: Detail[];
}
export interface PreconditionRequiredFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "PRECONDITION-REQUIRED";
    errorMessage: ErrorMessage;
}
export interface MoveMemoSuccessData {
    /** @enum {string} */
    status: "success";
    memo: Memo;
    /** States that the memo can be moved to now. */
    allowed_next: MemoState[];
}
export interface InvalidTransitionFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "INVALID-TRANSITION";
    errorMessage: ErrorMessage;
    /** Its state now. */
    state: string;
    /** States that it can be moved to now. */
    allowed_next: string[];
}
export interface MemoBatchSuccessData {
    /** `partial`: not all were done. */
    status: BatchSuccessDataStatus;
    /** One for each item, in order. */
    items: MemoBatchItem[];
    /**
     * How many items succeeded.
     */
    succeeded: number;
    /**
     * How many items failed.
     */
    failed: number;
    /** Nothing was done: this would happen. */
    dry_run?: boolean;
}
export interface ListAttachmentsSuccessData {
    /** @enum {string} */
    status: "success";
    /** Newest first. */
    attachments: Attachment[];
    next_cursor: NextCursor;
}
export interface AttachmentSuccessData {
    /** @enum {string} */
    status: "success";
    attachment: Attachment;
}
export interface UploadTooLargeFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "UPLOAD-TOO-LARGE";
    errorMessage: ErrorMessage;
    /**
     * The most bytes of a file.
     */
    maximum: number;
}
export interface UploadMimeRejectedFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "UPLOAD-MIME-REJECTED";
    errorMessage: ErrorMessage;
    /** The types that are taken. */
    allowed: string[];
}
export interface PlanSuccessData {
    /** @enum {string} */
    status: "success";
    plan: Plan;
    /** How it stands. */
    message: string;
}
export interface PlanInvalidOrValidationFailedFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "PLAN-INVALID" | "VALIDATION-FAILED";
    errorMessage: ErrorMessage;
    /**
     * Position of the step, from 0.
     */
    step?: number;
    failure?: StepFailure;
    /** Which fields are wrong, and why. */
    details?: Detail[];
}
export interface GetAttachmentLinkSuccessData {
    /** @enum {string} */
    status: "success";
    /**
     * Signed `GET /attachment/download/id_{id}`.
     */
    url: string;
    /**
     * When the link expires, in seconds since 1970.
     */
    expires: number;
    /**
     * RFC 3339, UTC.
     */
    expires_at: string;
}
export interface RangeNotSatisfiableFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "RANGE-NOT-SATISFIABLE";
    errorMessage: ErrorMessage;
}
export interface SearchSuccessData {
    /** @enum {string} */
    status: "success";
    /** The newest first, by `created_at`. */
    results: SearchResult[];
    /** The kinds that were searched: of the wanted ones, all that your credential may read. */
    kinds: Kind[];
    /** Send it as `cursor` to get the next page; null at the end. A page may have few results or none and still not be the last. */
    next_cursor: string | null;
}
export interface ListActivitySuccessData {
    /** @enum {string} */
    status: "success";
    /** Newest first. */
    changes: Change[];
    /** Whether more follow: from `next_cursor` or, with `after`, from `next_after`. */
    more: boolean;
    next_cursor: NextCursor;
    /**
     * Send it as `after` to get what comes next: after this page, or without `after` from now on.
     */
    next_after: number;
}
export interface ChangesGoneFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "CHANGES-GONE";
    errorMessage: ErrorMessage;
    /**
     * `forgotten`: a change after the id is no longer recorded. `ahead`: the id is newer than every change.
     * @enum {string}
     */
    reason: "forgotten" | "ahead";
}
export interface ActivityRunsSuccessData {
    /** @enum {string} */
    status: "success";
    /** The run with the newest change is first. */
    runs: Run[];
    next_cursor: NextCursor;
}
export interface UndoActivitySuccessData {
    /** `partial`: not all were done. */
    status: BatchSuccessDataStatus;
    undone: UndoneChanges;
    conflicts: UndoConflicts;
    run: UndoRun;
    more: UndoMore;
    next_cursor: UndoNextCursor;
    /** Nothing was done: this would happen. */
    dry_run?: boolean;
}
export interface UndoActivityConflictFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "CONFLICT";
    errorMessage: ErrorMessage;
    reason: ConflictReason;
    /** What is so, in a sentence. */
    message: string;
    /** With `reason` `undone`: the run that undid it. */
    undone_by?: string;
    undone?: UndoneChanges;
    conflicts?: UndoConflicts;
    run?: UndoRun;
    more?: UndoMore;
    next_cursor?: UndoNextCursor;
}
export interface ListPlansSuccessData {
    /** @enum {string} */
    status: "success";
    /** Newest first. */
    plans: Plan[];
    next_cursor: NextCursor;
}
export interface ApplyPlanConflictOrApplyPlanPlanDecidedFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "CONFLICT" | "PLAN-DECIDED";
    errorMessage: ErrorMessage;
    reason?: ConflictReason;
    /** What is so, in a sentence. */
    message?: string;
    plan?: Plan;
    /** Why it cannot be done now. */
    failure?: StepFailure;
    state?: PlanState;
}
export interface UndoPlanSuccessData {
    /** `partial`: not all were done. */
    status: BatchSuccessDataStatus;
    undone: UndoneChanges;
    conflicts: UndoConflicts;
    run: UndoRun;
    more: UndoMore;
    next_cursor: UndoNextCursor;
    /** Nothing was done: this would happen. */
    dry_run?: boolean;
}
export interface UndoPlanConflictFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "CONFLICT";
    errorMessage: ErrorMessage;
    reason: ConflictReason;
    /** What is so, in a sentence. */
    message: string;
    /** With `reason` `undone`: the run that undid it. */
    undone_by?: string;
    undone?: UndoneChanges;
    conflicts?: UndoConflicts;
    run?: UndoRun;
    more?: UndoMore;
    next_cursor?: UndoNextCursor;
    state?: PlanState;
}
export interface RefusePlanPlanDecidedFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "PLAN-DECIDED";
    errorMessage: ErrorMessage;
    state: PlanState;
}
export interface ListSubscriptionsSuccessData {
    /** @enum {string} */
    status: "success";
    /** Newest first. */
    subscriptions: Subscription[];
}
export interface CreateSubscriptionSuccessData {
    /** @enum {string} */
    status: "success";
    subscription: Subscription;
    /** Verifies deliveries. Null in a repeated answer. */
    secret: string | null;
}
export interface SubscriptionSuccessData {
    /** @enum {string} */
    status: "success";
    subscription: Subscription;
}
export interface RotateSubscriptionSecretSuccessData {
    /** @enum {string} */
    status: "success";
    /** The new secret. */
    secret: string;
}
export interface DeliverySuccessData {
    /** @enum {string} */
    status: "success";
    delivery: Delivery;
}
export interface ListDeliveriesSuccessData {
    /** @enum {string} */
    status: "success";
    /** Newest first. */
    deliveries: Delivery[];
    next_cursor: NextCursor;
}
export interface SendMailSuccessData {
    /** @enum {string} */
    status: "success";
    /** Login name of the user. */
    user_id: string;
}
export interface DownstreamFailedFailureData {
    /** @enum {string} */
    status: "failure";
    /**
     * Rely on this.
     * @enum {string}
     */
    errorCode: "DOWNSTREAM-FAILED";
    errorMessage: ErrorMessage;
}
export interface ReceiveWebhookSuccessData {
    /** @enum {string} */
    status: "success";
    /** Whether the event had arrived before; if so, nothing was stored. */
    duplicate: boolean;
    /**
     * Key of the event, if it was stored.
     */
    id?: number;
}
export interface ToggleReactionSuccessData {
    /** @enum {string} */
    status: "success";
    /**
     * What was done.
     * @enum {string}
     */
    action: "added" | "removed";
    summary: ReactionSummary;
}
export interface RemoveReactionSuccessData {
    /** @enum {string} */
    status: "success";
    summary: ReactionSummary;
}
export interface GetReactionSummarySuccessData {
    /** @enum {string} */
    status: "success";
    /**
     * Reactions of every type.
     */
    total: number;
    by_type: ReactionCounts;
    /** The caller's own reactions; empty without a credential. */
    user_reactions: ReactionType[];
}
export interface EvaluateFeatureFlagsSuccessData {
    /** @enum {string} */
    status: "success";
    /** Every flag, by name: whether the caller has it. */
    flags: {
        [key: string]: boolean;
    };
}
export interface ListFeatureFlagsSuccessData {
    /** @enum {string} */
    status: "success";
    /** Newest first. */
    flags: FeatureFlag[];
    next_cursor: NextCursor;
}
export interface SetFeatureFlagSuccessData {
    /** @enum {string} */
    status: "success";
    flag: FeatureFlag;
}
export interface SetFlagOverrideSuccessData {
    /** @enum {string} */
    status: "success";
    override: FlagOverride;
}
export interface RemoveFlagOverrideSuccessData {
    /** @enum {string} */
    status: "success";
    /** Name of the flag. */
    flag_name: string;
    /**
     * The user's `id`.
     */
    user_id: number;
    /** Whether there was an override. */
    removed: boolean;
}
/**
 * Whether it was done.
 * @enum {string}
 */
export type BatchItemStatus = "success" | "failure";
/**
 * Where it is in its workflow; `PUT /state` moves it.
 * @enum {string}
 */
export type MemoState = "draft" | "published" | "archived";
/**
 * What another user already has.
 * @enum {string}
 */
export type CreateUserConflictFailureDataTaken = "user_id" | "e_mail";
/**
 * `partial`: not all were done.
 * @enum {string}
 */
export type BatchSuccessDataStatus = "success" | "partial";
/** Whether a failed request can succeed as it is, and what to do. */
export interface Advice {
  readonly retry: 'no' | 'later' | 'after_change'
  readonly remedy: string
}
export const catalog: Readonly<Record<ErrorCode, Advice>> = {
  'TODO-ID-REQUIRED': {"retry":"after_change","remedy":"Send the `id` of a todo: in the path digits only, such as `/todo/item/id_1`; in a body a number."},
  'TODO-NOT-FOUND': {"retry":"after_change","remedy":"Use an `id` that `GET /todo/index` lists for this user."},
  'MEMO-ID-REQUIRED': {"retry":"after_change","remedy":"Send the `id` of a memo: in the path digits only, such as `/memo/item/id_1`; in a body a number."},
  'MEMO-NOT-FOUND': {"retry":"after_change","remedy":"Use an `id` that `GET /memo/index` lists for this user."},
  'ATTACHMENT-ID-REQUIRED': {"retry":"after_change","remedy":"Send the `id` of an attachment: in the path digits only, such as `/attachment/item/id_1`; in a body a number."},
  'ATTACHMENT-NOT-FOUND': {"retry":"after_change","remedy":"Use an `id` that `GET /attachment/index` lists for this user."},
  'SESSION-CLOSED': {"retry":"after_change","remedy":"If `Data.message` says that it needs a session, ask your user to do it, because no token can; else send an access token with the `scope` that `WWW-Authenticate` names, or sign in with `POST /session/login` and send its cookie; `security` of the operation in `/api-docs/json` says what it takes."},
  'LOGIN-FAILED': {"retry":"after_change","remedy":"Send the correct `user_id` and `user_pass`, and an unused `code` if the user has a second factor; repeated failures lock the account; with a passkey, answer a new challenge of `POST /session/passkeyoptions` with its cookie."},
  'SECOND-FACTOR-REQUIRED': {"retry":"after_change","remedy":"Send the same request again with `code`: the six digits that the app shows, or a recovery code."},
  'CSRF-TOKEN-INVALID': {"retry":"after_change","remedy":"Send the `csrfToken` from the login or from `GET /session/current` as `X-CSRF-Token`; sign in from a page of the service, or of an origin in `SVC_CORS_ORIGINS`."},
  'METHOD-NOT-ALLOWED': {"retry":"after_change","remedy":"Use one of the methods that the `Allow` header lists; pages of another origin need it in `SVC_CORS_ORIGINS`."},
  'NOT-FOUND': {"retry":"after_change","remedy":"Take the path from `/api-docs/json`, which lists every operation; for a reset token, ask for a new one."},
  'INTERNAL-ERROR': {"retry":"no","remedy":"Report it with the `X-Request-Id` of the answer; the same request is likely to fail again."},
  'ROUTE-CONFLICT': {"retry":"no","remedy":"Tell the operator of the service: two of its parts claim this path."},
  'TODO-TITLE-REQUIRED': {"retry":"after_change","remedy":"Send a `title` that has a character other than white space."},
  'UPLOAD-FILE-REQUIRED': {"retry":"after_change","remedy":"Send `multipart/form-data` with one non-empty file in the field `file`."},
  'UPLOAD-TOO-LARGE': {"retry":"after_change","remedy":"Send a file of at most `Data.maximum` bytes."},
  'UPLOAD-MIME-REJECTED': {"retry":"after_change","remedy":"Send a file of one of the types in `Data.allowed`; the type is detected from the content, not from the name."},
  'ACCOUNT-LOCKED': {"retry":"after_change","remedy":"Reset the password with `POST /password-reset`, or ask an administrator to unlock the account."},
  'BATCH-ITEM-FAILED': {"retry":"after_change","remedy":"Correct each failed item according to its `errorCode` in `Data.items`, and send only those again."},
  'BATCH-TOO-LARGE': {"retry":"after_change","remedy":"Split the items over several requests, with at most `Data.maximum` in each."},
  'CIRCUIT-OPEN': {"retry":"later","remedy":"Send it again after `Retry-After` seconds; until then no call is made."},
  'CONFLICT': {"retry":"after_change","remedy":"Send it again unchanged only if there is `Retry-After`; by `Data.reason`: `running`, send it again after `Retry-After` seconds; `quota`, delete what is no longer needed; or wait for `Retry-After` seconds, if that is given; `taken`, choose another value for the field that `Data.taken` names; `referenced`, delete or change the row that `Data.referenced_by` names first; `last-administrator`, make another user an administrator first; `last-way-in`, set a password or add a passkey first; `undone`, to have it again, undo the run that `Data.undone_by` names; `changed`, read its current state, which does not allow this; of a plan, `Data.plan` shows it anew, and applying it again accepts that; after an undo, `Data.conflicts` says why."},
  'FORBIDDEN': {"retry":"after_change","remedy":"Use a credential whose user has the role that the operation needs; for a webhook that an access token made, that token; to undo the change of another, the owner of the row; a token that two others stand above cannot derive a further one."},
  'INVALID-TRANSITION': {"retry":"after_change","remedy":"From `Data.state`, choose one of `Data.allowed_next`; if that is empty, the state is final."},
  'JWT-INVALID': {"retry":"after_change","remedy":"Get a new JWT with `POST /token/issue` and send it as `Authorization: Bearer`."},
  'ACCESS-TOKEN-INVALID': {"retry":"after_change","remedy":"Send `Authorization: Bearer` with the token exactly as it was shown, or ask its user for a new one, made with `POST /accesstoken/index`: no other credential derives one; at `/metrics`, send `SVC_METRICS_TOKEN`."},
  'ACCESS-TOKEN-NOT-FOUND': {"retry":"after_change","remedy":"Use an `id` that `GET /accesstoken/index` lists for this user."},
  'SUBSCRIPTION-NOT-FOUND': {"retry":"after_change","remedy":"Use an `id` that `GET /subscription/index` lists for this credential."},
  'GRANT-NOT-FOUND': {"retry":"after_change","remedy":"Use an `id` that `GET /grant/index` lists for this user."},
  'SCOPE-INSUFFICIENT': {"retry":"after_change","remedy":"Ask the user for an access token that also has the scope of this operation, which `Data.scope` and `WWW-Authenticate` name (`admin:` scopes are for administrators only); `GET /session/current` shows what this one may call."},
  'APPROVAL-NEEDED': {"retry":"after_change","remedy":"Propose it with `POST /plan/index`, then wait with `GET /plan/item/id_{id}?wait=30` until a person has decided; what no plan can have as a step takes a credential that does not ask."},
  'BUDGET-SPENT': {"retry":"no","remedy":"Send a request that changes less, or ask the user for another access token; `GET /session/current` shows `changes_left`."},
  'PRECONDITION-FAILED': {"retry":"after_change","remedy":"Read the resource again, apply the change to its current state, and send its new `ETag` as `If-Match`."},
  'PRECONDITION-REQUIRED': {"retry":"after_change","remedy":"Read the resource and send its `ETag` as `If-Match`."},
  'RATE-LIMIT-EXCEEDED': {"retry":"later","remedy":"Send it again after `Retry-After` seconds; `GET /session/current` shows every limit."},
  'CHANGES-GONE': {"retry":"after_change","remedy":"Begin again without `after`, then read the rows again: changes made meanwhile follow."},
  'SIGNED-URL-EXPIRED': {"retry":"after_change","remedy":"Get a new link, for example with `GET /attachment/link/id_{id}`."},
  'SIGNED-URL-INVALID': {"retry":"after_change","remedy":"Use the link exactly as it was given, or get a new one, for example with `GET /attachment/link/id_{id}`."},
  'TOKEN-ALREADY-USED': {"retry":"after_change","remedy":"Request a new reset email with `POST /password-reset`."},
  'TOKEN-EXPIRED': {"retry":"after_change","remedy":"Request a new reset email with `POST /password-reset`."},
  'VALIDATION-FAILED': {"retry":"after_change","remedy":"Correct the fields that `Data.details` names."},
  'WEBHOOK-SIGNATURE-INVALID': {"retry":"after_change","remedy":"Sign the exact bytes of the body with the shared secret and the current time."},
  'REACTION-TYPE-INVALID': {"retry":"after_change","remedy":"Use one of like, heart, laugh, sad and wow."},
  'REACTION-NOT-FOUND': {"retry":"no","remedy":"There is nothing to remove: the reaction does not exist."},
  'REQUEST-INVALID': {"retry":"after_change","remedy":"Correct the URL or the message itself: percent-encoding, the `Host` header (in development, that of another machine needs `SVC_DEV_REMOTE=1`), the HTTP syntax, or `If-Match` and `If-None-Match`, which are `*` or tags in quotes such as `\"v1\", \"v2\"`."},
  'BODY-INVALID': {"retry":"after_change","remedy":"Send JSON in UTF-8; the usual cause is a form (`a=1&b=2`) instead of JSON (`{\"a\":1,\"b\":2}`)."},
  'BODY-TOO-LARGE': {"retry":"after_change","remedy":"Send a smaller body, or split it over several requests."},
  'RANGE-NOT-SATISFIABLE': {"retry":"after_change","remedy":"Request a range within the size that `Content-Range` gives, or omit `Range`."},
  'SESSION-NOT-FOUND': {"retry":"after_change","remedy":"Use an `id` that `GET /session/index` lists for this user."},
  'PASSKEY-NOT-FOUND': {"retry":"after_change","remedy":"Use an `id` that `GET /account/passkeys` lists for this user."},
  'RUN-NOT-FOUND': {"retry":"after_change","remedy":"Use a `run` that `GET /activity/runs` lists for this user."},
  'PLAN-INVALID': {"retry":"after_change","remedy":"Correct the step `Data.step` (the first is 0) as `Data.failure` says, then propose the plan again."},
  'PLAN-NOT-FOUND': {"retry":"after_change","remedy":"Use an `id` that `GET /plan/index` lists for this user."},
  'PLAN-DECIDED': {"retry":"after_change","remedy":"Read `Data.state`; `POST /plan/undo/id_{id}` undoes one that was applied, a new plan proposes what is still wanted."},
  'FLAG-NOT-FOUND': {"retry":"after_change","remedy":"Create the flag first with `POST /admin/featureflag/index`."},
  'USER-NOT-FOUND': {"retry":"after_change","remedy":"Name a user that exists."},
  'DOWNSTREAM-FAILED': {"retry":"later","remedy":"Send it again after `Retry-After` seconds; the call may have succeeded although no answer came."},
  'SERVICE-OVERLOADED': {"retry":"later","remedy":"Send it again after `Retry-After` seconds."}
}
/** The same of CONFLICT, by its reason. */
export const conflicts: Readonly<Record<ConflictReason, Advice>> = {
  'running': {"retry":"later","remedy":"Send it again after `Retry-After` seconds."},
  'quota': {"retry":"after_change","remedy":"Delete what is no longer needed; or wait for `Retry-After` seconds, if that is given."},
  'taken': {"retry":"after_change","remedy":"Choose another value for the field that `Data.taken` names."},
  'referenced': {"retry":"after_change","remedy":"Delete or change the row that `Data.referenced_by` names first."},
  'last-administrator': {"retry":"after_change","remedy":"Make another user an administrator first."},
  'last-way-in': {"retry":"after_change","remedy":"Set a password or add a passkey first."},
  'undone': {"retry":"no","remedy":"To have it again, undo the run that `Data.undone_by` names."},
  'changed': {"retry":"after_change","remedy":"Read its current state, which does not allow this; of a plan, `Data.plan` shows it anew, and applying it again accepts that; after an undo, `Data.conflicts` says why."}
}
/** Operations that honour `Idempotency-Key`. */
export const idempotent: readonly string[] = ['post /accesstoken/index', 'post /accesstoken/derive', 'post /admin/user/index', 'post /todo/index', 'post /todo/batch', 'patch /todo/batch', 'post /todo/remove', 'post /memo/index', 'post /memo/batch', 'patch /memo/batch', 'post /memo/remove', 'post /attachment/index', 'post /attachment/plan', 'post /activity/undo', 'post /plan/index', 'post /subscription/index', 'post /admin/mail/index']
/** Operations that answer with a file. */
export const files: readonly string[] = ['get /account/export', 'get /todo/export', 'get /memo/export', 'get /attachment/download/id_{id}']
/** The codes that each operation can fail with. */
export interface FailureCodes {
  'GET /health/index': 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'VALIDATION-FAILED'
  'GET /error/index': 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'VALIDATION-FAILED'
  'GET /error/item/code_{code}': 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'NOT-FOUND' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'VALIDATION-FAILED'
  'POST /session/login': 'ACCOUNT-LOCKED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'LOGIN-FAILED' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SECOND-FACTOR-REQUIRED' | 'SERVICE-OVERLOADED' | 'VALIDATION-FAILED'
  'POST /session/logout': 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /session/passkeyoptions': 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'VALIDATION-FAILED'
  'POST /session/passkey': 'ACCOUNT-LOCKED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'LOGIN-FAILED' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'VALIDATION-FAILED'
  'GET /session/index': 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'DELETE /session/item/id_{id}': 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'SESSION-NOT-FOUND' | 'VALIDATION-FAILED'
  'POST /session/endothers': 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /session/current': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /accesstoken/index': 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /accesstoken/index': 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /accesstoken/derive': 'ACCESS-TOKEN-INVALID' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CONFLICT' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'VALIDATION-FAILED'
  'DELETE /accesstoken/item/id_{id}': 'ACCESS-TOKEN-NOT-FOUND' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'PUT /account/password': 'ACCOUNT-LOCKED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'LOGIN-FAILED' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'PATCH /account/profile': 'ACCOUNT-LOCKED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'LOGIN-FAILED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /account/export': 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /account/remove': 'ACCOUNT-LOCKED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'LOGIN-FAILED' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /account/passkeyoptions': 'ACCOUNT-LOCKED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'LOGIN-FAILED' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /account/passkey': 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /account/passkeys': 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'DELETE /account/passkey/id_{id}': 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'PASSKEY-NOT-FOUND' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /account/totp': 'ACCOUNT-LOCKED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'LOGIN-FAILED' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'PUT /account/totp': 'ACCOUNT-LOCKED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'LOGIN-FAILED' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /account/totpoff': 'ACCOUNT-LOCKED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'LOGIN-FAILED' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /token/issue': 'ACCOUNT-LOCKED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'LOGIN-FAILED' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SECOND-FACTOR-REQUIRED' | 'SERVICE-OVERLOADED' | 'VALIDATION-FAILED'
  'GET /token/claims': 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'VALIDATION-FAILED'
  'GET /grant/index': 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'DELETE /grant/item/id_{id}': 'CSRF-TOKEN-INVALID' | 'GRANT-NOT-FOUND' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /password-reset': 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'INTERNAL-ERROR' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'VALIDATION-FAILED'
  'POST /password-reset/{token}': 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'INTERNAL-ERROR' | 'NOT-FOUND' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'TOKEN-ALREADY-USED' | 'TOKEN-EXPIRED' | 'VALIDATION-FAILED'
  'GET /admin/audit/index': 'ACCESS-TOKEN-INVALID' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /admin/user/index': 'ACCESS-TOKEN-INVALID' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /admin/user/index': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /admin/user/item/id_{id}': 'ACCESS-TOKEN-INVALID' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'USER-NOT-FOUND' | 'VALIDATION-FAILED'
  'PATCH /admin/user/item/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'USER-NOT-FOUND' | 'VALIDATION-FAILED'
  'DELETE /admin/user/item/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'USER-NOT-FOUND' | 'VALIDATION-FAILED'
  'POST /admin/user/endsessions/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CSRF-TOKEN-INVALID' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'USER-NOT-FOUND' | 'VALIDATION-FAILED'
  'POST /admin/user/endpasskeys/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CSRF-TOKEN-INVALID' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'USER-NOT-FOUND' | 'VALIDATION-FAILED'
  'GET /todo/index': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /todo/index': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'BUDGET-SPENT' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'TODO-TITLE-REQUIRED' | 'VALIDATION-FAILED'
  'GET /todo/export': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /todo/item/id_{id}': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'TODO-ID-REQUIRED' | 'TODO-NOT-FOUND' | 'VALIDATION-FAILED'
  'PUT /todo/item/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'BUDGET-SPENT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'TODO-ID-REQUIRED' | 'TODO-NOT-FOUND' | 'TODO-TITLE-REQUIRED' | 'VALIDATION-FAILED'
  'PATCH /todo/item/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'BUDGET-SPENT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'TODO-ID-REQUIRED' | 'TODO-NOT-FOUND' | 'TODO-TITLE-REQUIRED' | 'VALIDATION-FAILED'
  'DELETE /todo/item/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BUDGET-SPENT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'TODO-ID-REQUIRED' | 'TODO-NOT-FOUND' | 'VALIDATION-FAILED'
  'POST /todo/batch': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BATCH-ITEM-FAILED' | 'BATCH-TOO-LARGE' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'BUDGET-SPENT' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'PATCH /todo/batch': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BATCH-ITEM-FAILED' | 'BATCH-TOO-LARGE' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'BUDGET-SPENT' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /todo/remove': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BATCH-ITEM-FAILED' | 'BATCH-TOO-LARGE' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'BUDGET-SPENT' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /memo/index': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /memo/index': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'BUDGET-SPENT' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /memo/export': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /memo/item/id_{id}': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'MEMO-ID-REQUIRED' | 'MEMO-NOT-FOUND' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'PUT /memo/item/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'BUDGET-SPENT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'MEMO-ID-REQUIRED' | 'MEMO-NOT-FOUND' | 'METHOD-NOT-ALLOWED' | 'PRECONDITION-FAILED' | 'PRECONDITION-REQUIRED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'PATCH /memo/item/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'BUDGET-SPENT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'MEMO-ID-REQUIRED' | 'MEMO-NOT-FOUND' | 'METHOD-NOT-ALLOWED' | 'PRECONDITION-FAILED' | 'PRECONDITION-REQUIRED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'DELETE /memo/item/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BUDGET-SPENT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'MEMO-ID-REQUIRED' | 'MEMO-NOT-FOUND' | 'METHOD-NOT-ALLOWED' | 'PRECONDITION-FAILED' | 'PRECONDITION-REQUIRED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'PUT /memo/state/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'BUDGET-SPENT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'INVALID-TRANSITION' | 'MEMO-ID-REQUIRED' | 'MEMO-NOT-FOUND' | 'METHOD-NOT-ALLOWED' | 'PRECONDITION-FAILED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /memo/batch': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BATCH-ITEM-FAILED' | 'BATCH-TOO-LARGE' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'BUDGET-SPENT' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'PATCH /memo/batch': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BATCH-ITEM-FAILED' | 'BATCH-TOO-LARGE' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'BUDGET-SPENT' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /memo/remove': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BATCH-ITEM-FAILED' | 'BATCH-TOO-LARGE' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'BUDGET-SPENT' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /attachment/index': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /attachment/index': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BUDGET-SPENT' | 'CIRCUIT-OPEN' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'UPLOAD-FILE-REQUIRED' | 'UPLOAD-MIME-REJECTED' | 'UPLOAD-TOO-LARGE' | 'VALIDATION-FAILED'
  'POST /attachment/plan': 'ACCESS-TOKEN-INVALID' | 'BUDGET-SPENT' | 'CIRCUIT-OPEN' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'PLAN-INVALID' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'UPLOAD-FILE-REQUIRED' | 'UPLOAD-MIME-REJECTED' | 'UPLOAD-TOO-LARGE' | 'VALIDATION-FAILED'
  'GET /attachment/item/id_{id}': 'ACCESS-TOKEN-INVALID' | 'ATTACHMENT-ID-REQUIRED' | 'ATTACHMENT-NOT-FOUND' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'DELETE /attachment/item/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'ATTACHMENT-ID-REQUIRED' | 'ATTACHMENT-NOT-FOUND' | 'BUDGET-SPENT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /attachment/restore/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'ATTACHMENT-ID-REQUIRED' | 'ATTACHMENT-NOT-FOUND' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'BUDGET-SPENT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /attachment/link/id_{id}': 'ACCESS-TOKEN-INVALID' | 'ATTACHMENT-ID-REQUIRED' | 'ATTACHMENT-NOT-FOUND' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /attachment/download/id_{id}': 'ATTACHMENT-ID-REQUIRED' | 'ATTACHMENT-NOT-FOUND' | 'CIRCUIT-OPEN' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'PRECONDITION-FAILED' | 'RANGE-NOT-SATISFIABLE' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SIGNED-URL-EXPIRED' | 'SIGNED-URL-INVALID' | 'VALIDATION-FAILED'
  'GET /search/index': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /activity/index': 'ACCESS-TOKEN-INVALID' | 'CHANGES-GONE' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /activity/stream': 'ACCESS-TOKEN-INVALID' | 'CHANGES-GONE' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'NOT-FOUND' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /activity/runs': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /activity/undo': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'BUDGET-SPENT' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'RUN-NOT-FOUND' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /plan/index': 'ACCESS-TOKEN-INVALID' | 'BATCH-TOO-LARGE' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'PLAN-INVALID' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /plan/index': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /plan/item/id_{id}': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'PLAN-NOT-FOUND' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /plan/apply/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'PLAN-DECIDED' | 'PLAN-NOT-FOUND' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /plan/undo/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'BUDGET-SPENT' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'PLAN-NOT-FOUND' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /plan/refuse/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'PLAN-DECIDED' | 'PLAN-NOT-FOUND' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /subscription/index': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /subscription/index': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /subscription/item/id_{id}': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'SUBSCRIPTION-NOT-FOUND' | 'VALIDATION-FAILED'
  'PATCH /subscription/item/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CSRF-TOKEN-INVALID' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'SUBSCRIPTION-NOT-FOUND' | 'VALIDATION-FAILED'
  'DELETE /subscription/item/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'SUBSCRIPTION-NOT-FOUND' | 'VALIDATION-FAILED'
  'POST /subscription/secret/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CSRF-TOKEN-INVALID' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'SUBSCRIPTION-NOT-FOUND' | 'VALIDATION-FAILED'
  'POST /subscription/ping/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'SUBSCRIPTION-NOT-FOUND' | 'VALIDATION-FAILED'
  'POST /subscription/retry/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'SUBSCRIPTION-NOT-FOUND' | 'VALIDATION-FAILED'
  'GET /subscription/deliveries/id_{id}': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'SUBSCRIPTION-NOT-FOUND' | 'VALIDATION-FAILED'
  'POST /subscription/redeliver/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'SUBSCRIPTION-NOT-FOUND' | 'VALIDATION-FAILED'
  'POST /admin/mail/index': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CIRCUIT-OPEN' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'DOWNSTREAM-FAILED' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'USER-NOT-FOUND' | 'VALIDATION-FAILED'
  'POST /webhook/index': 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'VALIDATION-FAILED' | 'WEBHOOK-SIGNATURE-INVALID'
  'PUT /reaction/toggle/type_{targetType}/id_{targetId}/reaction_{reactionType}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REACTION-TYPE-INVALID' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'DELETE /reaction/item/type_{targetType}/id_{targetId}/reaction_{reactionType}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REACTION-NOT-FOUND' | 'REACTION-TYPE-INVALID' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /reaction/summary/type_{targetType}/id_{targetId}': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'VALIDATION-FAILED'
  'GET /featureflag/index': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'VALIDATION-FAILED'
  'GET /admin/featureflag/index': 'ACCESS-TOKEN-INVALID' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /admin/featureflag/index': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CSRF-TOKEN-INVALID' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'PUT /admin/featureflag/override/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CSRF-TOKEN-INVALID' | 'FLAG-NOT-FOUND' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'USER-NOT-FOUND' | 'VALIDATION-FAILED'
  'DELETE /admin/featureflag/override/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'CSRF-TOKEN-INVALID' | 'FLAG-NOT-FOUND' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'USER-NOT-FOUND' | 'VALIDATION-FAILED'
}
