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
         * @description Needs no credential. 503 if the database does not answer.
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
         * @description Every code that a failure can have, and what to do about it.
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
         * @description The target of the `Link` with `rel="help"` of every failure. Fails with `NOT-FOUND`.
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
         * @description Starts a session. Two `Set-Cookie: PHPSESSID` headers come back, the old id first and the new id last: use the last one. A user with a second factor sends `code` too; without it, a correct password gets `SECOND-FACTOR-REQUIRED`. Fails with `ACCOUNT-LOCKED`, `CSRF-TOKEN-INVALID`, `LOGIN-FAILED`, `SECOND-FACTOR-REQUIRED`.
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
         * @description Ends the session on the server. No body is required.
         */
        post: operations["logout"];
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
         * @description Where you are signed in, newest first.
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
         * @description It ends at once. Ending the session of this request signs you out. Fails with `SESSION-NOT-FOUND`.
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
         * @description The session of this request stays valid, as do JWTs and access tokens. No body is required.
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
         * @description The user, the credential and when it expires, the operations it may call, its limits, and the most that is taken at once. A page that was reloaded finds its `csrfToken` here.
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
         * @description Tokens that are valid, newest first. The tokens themselves are not stored.
         */
        get: operations["listAccessTokens"];
        put?: never;
        /**
         * Create an access token
         * @description `token` is shown only once. A repeated request with the same `Idempotency-Key` gets null for it: revoke that one and make another. At most 50 may be live. An `admin:*` scope needs the administrator role, else `FORBIDDEN`. Fails with `CONFLICT`, `FORBIDDEN`.
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
         * @description For a helper: it may do nothing that the caller may not, counts among the 50, ends with the caller's, and what it changes counts for both. `FORBIDDEN`: the caller's was derived from a derived one. Fails with `CONFLICT`, `FORBIDDEN`, `SCOPE-INSUFFICIENT`.
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
         * @description It stops working at once. Fails with `ACCESS-TOKEN-NOT-FOUND`.
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
         * @description Needs the current password; a wrong one counts as a failed sign-in. Each session gets a few guesses, even while the account is locked. Ends every other session, every JWT and every access token of the user; this session continues, with its CSRF token. An unacceptable new password gets `VALIDATION-FAILED`; `details` says why. Fails with `ACCOUNT-LOCKED`, `LOGIN-FAILED`.
         */
        put: operations["changePassword"];
        post?: never;
        delete?: never;
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
         * @description From now on, signing in takes a code. The recovery codes are shown only once. Sessions, access tokens and JWTs stay valid. A session that is older than 15 minutes must send the password, as for the beginning. `CONFLICT` if none was begun or one is already confirmed. Fails with `ACCOUNT-LOCKED`, `CONFLICT`, `LOGIN-FAILED`.
         */
        put: operations["confirmSecondFactor"];
        /**
         * Begin a second factor
         * @description Returns a secret for an authenticator app (TOTP, RFC 6238: SHA-1, 6 digits, 30 seconds). It has no effect until a code confirms it; beginning again replaces it. A session that is older than 15 minutes must send the password: without it `VALIDATION-FAILED`, with a wrong one `LOGIN-FAILED`. `CONFLICT` if one is already confirmed. Fails with `ACCOUNT-LOCKED`, `CONFLICT`, `LOGIN-FAILED`.
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
         * @description Needs the password and a code; wrong ones count like those of a sign-in. The recovery codes become invalid. `CONFLICT` if there is none. Fails with `ACCOUNT-LOCKED`, `CONFLICT`, `LOGIN-FAILED`.
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
         * @description Takes the login name and the password of a user, and a `code` if the user has a second factor. Fails with `ACCOUNT-LOCKED`, `CSRF-TOKEN-INVALID`, `LOGIN-FAILED`, `SECOND-FACTOR-REQUIRED`.
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
         * @description Shows the claims as the service reads them.
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
         * @description Newest first. Users let programs in on the consent page.
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
         * @description Its tokens stop working at once. Fails with `GRANT-NOT-FOUND`.
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
         * @description The answer is the same whether or not the address is registered.
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
         * @description Uses the token up and ends every session and JWT of the user. Fails with `NOT-FOUND`, `TOKEN-ALREADY-USED`, `TOKEN-EXPIRED`.
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
         * @description Newest first.
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
         * @description Newest first.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Add a user
         * @description Takes no password: the user gets an email with a link to set one. `CONFLICT` if another user has the login name or, ignoring case, the email address; `taken` says which. Fails with `CONFLICT`.
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
         * @description Includes whether the user is locked, and by what. Fails with `USER-NOT-FOUND`.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Lock, unlock or change the role of a user
         * @description `locked: true` ends sessions, JWTs and access tokens of the user and prevents signing in until an administrator sends `locked: false`, which also lifts a lock after failed sign-ins. `CONFLICT` if it would leave no unlocked administrator. Fails with `CONFLICT`, `USER-NOT-FOUND`.
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
         * @description Ends every session and JWT of the user. Access tokens stay valid: the user can revoke them, and `locked: true` ends them. Fails with `USER-NOT-FOUND`.
         */
        post: operations["endUserSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * @description 200 if all items were created, 207 if some, 422 if none. An item over the todo limit gets `CONFLICT`. Fails with `BATCH-ITEM-FAILED`, `BATCH-TOO-LARGE`, `CONFLICT`.
         */
        post: operations["createTodos"];
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change many todos
         * @description 200 if all items were changed, 207 if some, 422 if none. Two items may change the same todo. Fails with `BATCH-ITEM-FAILED`, `BATCH-TOO-LARGE`, `CONFLICT`.
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
         * @description 200 if all were deleted, 207 if some, 422 if none. An id listed twice is not found the second time. `POST /activity/undo` restores them. Fails with `BATCH-ITEM-FAILED`, `BATCH-TOO-LARGE`, `CONFLICT`.
         */
        post: operations["deleteTodos"];
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
         * @description Newest first.
         */
        get: operations["listTodos"];
        put?: never;
        /**
         * Create a todo
         * @description It is not completed at first. Fails with `CONFLICT`, `TODO-TITLE-REQUIRED`.
         */
        post: operations["createTodo"];
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
         * @description A todo of another user is not found. Fails with `TODO-ID-REQUIRED`, `TODO-NOT-FOUND`.
         */
        get: operations["getTodo"];
        /**
         * Replace a todo
         * @description `is_completed` is unchanged if left out. Fails with `TODO-ID-REQUIRED`, `TODO-NOT-FOUND`, `TODO-TITLE-REQUIRED`.
         */
        put: operations["replaceTodo"];
        post?: never;
        /**
         * Delete a todo
         * @description `POST /activity/undo` restores it. Fails with `TODO-ID-REQUIRED`, `TODO-NOT-FOUND`.
         */
        delete: operations["deleteTodo"];
        options?: never;
        head?: never;
        /**
         * Change a todo
         * @description Changes the fields that are sent. Fails with `TODO-ID-REQUIRED`, `TODO-NOT-FOUND`, `TODO-TITLE-REQUIRED`.
         */
        patch: operations["changeTodo"];
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
         * @description Newest first.
         */
        get: operations["listMemos"];
        put?: never;
        /**
         * Create a memo
         * @description It is a draft at first. Fails with `CONFLICT`.
         */
        post: operations["createMemo"];
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
         * @description A write needs its `ETag` as `If-Match`. Fails with `MEMO-ID-REQUIRED`, `MEMO-NOT-FOUND`.
         */
        get: operations["getMemo"];
        /**
         * Replace a memo
         * @description Replaces the text of the version that `If-Match` names. Fails with `MEMO-ID-REQUIRED`, `MEMO-NOT-FOUND`, `PRECONDITION-FAILED`, `PRECONDITION-REQUIRED`.
         */
        put: operations["replaceMemo"];
        post?: never;
        /**
         * Delete a memo
         * @description Deletes the version that `If-Match` names. Fails with `MEMO-ID-REQUIRED`, `MEMO-NOT-FOUND`, `PRECONDITION-FAILED`, `PRECONDITION-REQUIRED`.
         */
        delete: operations["deleteMemo"];
        options?: never;
        head?: never;
        patch?: never;
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
         * @description From draft to published, from published to archived or back to draft. Fails with `INVALID-TRANSITION`, `MEMO-ID-REQUIRED`, `MEMO-NOT-FOUND`, `PRECONDITION-FAILED`.
         */
        put: operations["moveMemo"];
        post?: never;
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
         * @description Newest first.
         */
        get: operations["listAttachments"];
        put?: never;
        /**
         * Upload a file
         * @description The type is found from the content, whatever the client says. Fails with `CONFLICT`, `UPLOAD-FILE-REQUIRED`, `UPLOAD-MIME-REJECTED`, `UPLOAD-TOO-LARGE`.
         */
        post: operations["createAttachment"];
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
         * @description Its name, type and size. `GET /attachment/link/id_{id}` leads to the content. Fails with `ATTACHMENT-ID-REQUIRED`, `ATTACHMENT-NOT-FOUND`.
         */
        get: operations["getAttachment"];
        put?: never;
        post?: never;
        /**
         * Delete an attachment
         * @description Links to it stop working at once; `POST /activity/undo` restores it. Fails with `ATTACHMENT-ID-REQUIRED`, `ATTACHMENT-NOT-FOUND`.
         */
        delete: operations["deleteAttachment"];
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
         * @description Anyone with the link may download until it expires. Fails with `ATTACHMENT-ID-REQUIRED`, `ATTACHMENT-NOT-FOUND`.
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
         * @description `GET /attachment/link/id_{id}` gives the URL. One byte range may be requested. Fails with `ATTACHMENT-ID-REQUIRED`, `ATTACHMENT-NOT-FOUND`, `PRECONDITION-FAILED`, `RANGE-NOT-SATISFIABLE`, `SIGNED-URL-EXPIRED`, `SIGNED-URL-INVALID`.
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
         * @description Your own rows of all kinds that your credential may read, newest first.
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
         * @description Your own changes, newest first, of the kinds that your credential may read. With `Prefer: return=minimal`, without rows. Fails with `CHANGES-GONE`.
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
         * @description Your own changes of the kinds that your credential may read, as they are committed: an event `change` for each, with `id` and, in `data`, the change as the list shows it; a comment every 15 s. It ends with the credential. Come back with the last `id`: nothing is left out. At most 10 at once. 404 if changes are not recorded. Fails with `CHANGES-GONE`, `NOT-FOUND`, `SCOPE-INSUFFICIENT`.
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
         * @description Your runs with changes that your credential may read, the newest change first.
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
         * @description Undoes a run or single changes, newest first: deletes what was created, restores what was deleted, puts old values back. A row that has changed since stays. 200 if all were undone, 207 if some, 409 if none. An undo can be undone. Fails with `BUDGET-SPENT`, `CONFLICT`, `RUN-NOT-FOUND`.
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
         * @description Newest first, those whose rows your credential may read or write.
         */
        get: operations["listPlans"];
        put?: never;
        /**
         * Propose a plan
         * @description Your user decides on `/plan/board` within 7 days. The steps are tried, and nothing is kept but the plan. Needs the scope of every step. Fails with `BATCH-TOO-LARGE`, `CONFLICT`, `PLAN-INVALID`, `SCOPE-INSUFFICIENT`.
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
         * @description With `wait`, when it is decided, or after so many seconds. Fails with `PLAN-NOT-FOUND`.
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
         * @description As a whole, as its run and in the name of its proposer. If its rows have changed since it was tried: 409, with the plan as it is now. Fails with `CONFLICT`, `PLAN-DECIDED`, `PLAN-NOT-FOUND`, `SCOPE-INSUFFICIENT`.
         */
        post: operations["applyPlan"];
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
         * @description Nothing of it is done. Fails with `PLAN-DECIDED`, `PLAN-NOT-FOUND`.
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
         * @description Newest first. An access token sees those that it has made. A session sees all, and may delete all; what a token has made it cannot change: FORBIDDEN.
         */
        get: operations["listSubscriptions"];
        put?: never;
        /**
         * Subscribe to changes
         * @description Sends what changes from now on to `url`, signed by Standard Webhooks. An access token needs the read scopes of the kinds, and its subscriptions end with it. `secret` is shown only once. At most 20. Fails with `CONFLICT`, `SCOPE-INSUFFICIENT`.
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
         * @description Fails with `SUBSCRIPTION-NOT-FOUND`.
         */
        get: operations["getSubscription"];
        put?: never;
        post?: never;
        /**
         * Delete a subscription
         * @description Fails with `SUBSCRIPTION-NOT-FOUND`.
         */
        delete: operations["deleteSubscription"];
        options?: never;
        head?: never;
        /**
         * Change, pause or resume a subscription
         * @description Changes made while it is paused are never delivered. Those before that were not delivered yet are, when it is resumed. Fails with `FORBIDDEN`, `SCOPE-INSUFFICIENT`, `SUBSCRIPTION-NOT-FOUND`.
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
         * @description Shown only once. For 24 hours the old one signs too. Fails with `FORBIDDEN`, `SUBSCRIPTION-NOT-FOUND`.
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
         * @description Sent once, soon: `GET /subscription/deliveries/id_{id}` shows the answer. If it arrives, what failed is tried at once. Fails with `CONFLICT`, `FORBIDDEN`, `SUBSCRIPTION-NOT-FOUND`.
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
         * @description What failed is tried now, not at `next_try_at`, and the waits start again from the first. If nothing has failed, nothing happens. Fails with `CONFLICT`, `FORBIDDEN`, `SUBSCRIPTION-NOT-FOUND`.
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
         * @description The last 500 attempts, newest first, and what waits to be sent once. Fails with `SUBSCRIPTION-NOT-FOUND`.
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
         * @description Sent once, soon, whatever is being retried. Fails with `CONFLICT`, `FORBIDDEN`, `SUBSCRIPTION-NOT-FOUND`.
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
         * @description Answers when the mail server has accepted the email. After five failures in a row, it is not tried for 30 seconds: `CIRCUIT-OPEN`, with `Retry-After`. Fails with `CIRCUIT-OPEN`, `CONFLICT`, `DOWNSTREAM-FAILED`, `USER-NOT-FOUND`.
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
         * @description The same signature again stores nothing and returns `duplicate: true`. Fails with `WEBHOOK-SIGNATURE-INVALID`.
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
         * @description `action` says which of the two happened. Fails with `REACTION-TYPE-INVALID`.
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
         * @description Returns the remaining counts. Fails with `REACTION-NOT-FOUND`, `REACTION-TYPE-INVALID`.
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
         * @description The target need not exist.
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
         * @description Without credentials only flags that are on for everybody are true.
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
         * @description Newest first.
         */
        get: operations["listFeatureFlags"];
        put?: never;
        /**
         * Add or change a feature flag
         * @description A field that is left out keeps its value; in a new flag it is `false` or 0. Raising `rollout_pct` never removes the flag from a user.
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
         * @description Adds or changes the override, which turns the flag on or off for the user. Fails with `FLAG-NOT-FOUND`, `USER-NOT-FOUND`.
         */
        put: operations["setFlagOverride"];
        post?: never;
        /**
         * Remove a user's override
         * @description The global value applies to the user again. `removed` is false if there was no override. Fails with `FLAG-NOT-FOUND`, `USER-NOT-FOUND`.
         */
        delete: operations["removeFlagOverride"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Circuit breakers, by name. */
        Circuits: {
            [key: string]: "closed" | "open" | "half-open";
        };
        /** @description A code, and what to do about it. */
        CatalogEntry: {
            errorCode: components["schemas"]["ErrorCode"];
            /**
             * Format: int64
             * @description HTTP status of its failures.
             */
            status: number;
            /** @description For people. It may change; the code does not. */
            errorMessage: string;
            /** @description When it occurs. */
            condition: string;
            /**
             * @description Whether the same request can succeed: `no`; `later`, after `Retry-After` seconds, if the answer has that header; `after_change`, if you change something in it.
             * @enum {string}
             */
            retry: "no" | "later" | "after_change";
            /** @description What to do. */
            remedy: string;
        };
        /**
         * @description Every code that a failure can have. Codes may be added, never change their meaning.
         * @enum {string}
         */
        ErrorCode: "TODO-ID-REQUIRED" | "TODO-NOT-FOUND" | "MEMO-ID-REQUIRED" | "MEMO-NOT-FOUND" | "ATTACHMENT-ID-REQUIRED" | "ATTACHMENT-NOT-FOUND" | "SESSION-CLOSED" | "LOGIN-FAILED" | "SECOND-FACTOR-REQUIRED" | "CSRF-TOKEN-INVALID" | "METHOD-NOT-ALLOWED" | "NOT-FOUND" | "INTERNAL-ERROR" | "ROUTE-CONFLICT" | "TODO-TITLE-REQUIRED" | "UPLOAD-FILE-REQUIRED" | "UPLOAD-TOO-LARGE" | "UPLOAD-MIME-REJECTED" | "ACCOUNT-LOCKED" | "BATCH-ITEM-FAILED" | "BATCH-TOO-LARGE" | "CIRCUIT-OPEN" | "CONFLICT" | "FORBIDDEN" | "INVALID-TRANSITION" | "JWT-INVALID" | "ACCESS-TOKEN-INVALID" | "ACCESS-TOKEN-NOT-FOUND" | "SUBSCRIPTION-NOT-FOUND" | "GRANT-NOT-FOUND" | "SCOPE-INSUFFICIENT" | "APPROVAL-NEEDED" | "BUDGET-SPENT" | "PRECONDITION-FAILED" | "PRECONDITION-REQUIRED" | "RATE-LIMIT-EXCEEDED" | "CHANGES-GONE" | "SIGNED-URL-EXPIRED" | "SIGNED-URL-INVALID" | "TOKEN-ALREADY-USED" | "TOKEN-EXPIRED" | "VALIDATION-FAILED" | "WEBHOOK-SIGNATURE-INVALID" | "REACTION-TYPE-INVALID" | "REACTION-NOT-FOUND" | "REQUEST-INVALID" | "BODY-INVALID" | "BODY-TOO-LARGE" | "RANGE-NOT-SATISFIABLE" | "SESSION-NOT-FOUND" | "RUN-NOT-FOUND" | "PLAN-INVALID" | "PLAN-NOT-FOUND" | "PLAN-DECIDED" | "FLAG-NOT-FOUND" | "USER-NOT-FOUND" | "DOWNSTREAM-FAILED" | "SERVICE-OVERLOADED";
        /** @description Login name and password, and a code if the user has a second factor. */
        Credentials: {
            /** @description Login name. */
            user_id: string;
            /** @description Password. */
            user_pass: string;
            /** @description For a user with a second factor: the six digits from the app, or a recovery code. Each works once. */
            code?: string;
        };
        /** @description A user, as seen by that user. */
        User: {
            /**
             * Format: int64
             * @description Key of the user.
             */
            id: number;
            /** @description Login name. */
            user_id: string;
            /** @description Display name. */
            user_name: string;
            /** @description Email address. */
            e_mail: string;
        };
        /** @description A place where the user is signed in. */
        Session: {
            /**
             * Format: int64
             * @description Key for the operations on sessions; it is not a credential.
             */
            id: number;
            /**
             * Format: date-time
             * @description When the user signed in.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last used, to the minute.
             */
            last_seen_at: string;
            /** @description IP address of the sign-in; null if no longer known. */
            address: string | null;
            /** @description `User-Agent` of the sign-in, at most 255 characters; null if there was none. */
            user_agent: string | null;
            /** @description Whether it is the session of this request. */
            current: boolean;
        };
        /**
         * @description What an access token may do. `admin:*` also needs the role of an administrator.
         * @enum {string}
         */
        Scope: "todo:read" | "todo:write" | "memo:read" | "memo:write" | "attachment:read" | "attachment:write" | "reaction:write" | "admin:read" | "admin:write";
        /** @description How much of a limit the caller has used. */
        LimitState: {
            /** @description Name of the limit, as in `RateLimit-Policy`. */
            name: string;
            /**
             * @description What it counts: nothing else lowers `remaining`.
             * @enum {string}
             */
            counts: "requests" | "sign-ins" | "wrong credentials" | "password resets";
            /**
             * Format: int64
             * @description The most in a window.
             */
            max: number;
            /**
             * Format: int64
             * @description Length of a window.
             */
            window_seconds: number;
            /**
             * Format: int64
             * @description How many are left in this window.
             */
            remaining: number;
            /**
             * Format: int64
             * @description Seconds until the window ends; 0 if none has begun.
             */
            reset_seconds: number;
        };
        /** @description A token with which a program acts as its user, within its scopes. */
        AccessToken: {
            /**
             * Format: int64
             * @description Its key.
             */
            id: number;
            /** @description Any name that tells you what it is for, at most 64 characters. */
            name: string;
            /** @description The first characters of the token, to recognise it by. */
            hint: string;
            /** @description What it may do. */
            scopes: components["schemas"]["Scope"][];
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When it was last used, to the minute; null if it never was.
             */
            last_used_at: string | null;
            /** @description Whether a person must approve what changes something. */
            asks: boolean;
            /**
             * Format: int64
             * @description The most changes that it may make in its life.
             */
            changes_max: number | null;
            /**
             * Format: int64
             * @description How many of them are left, here and in tokens above.
             */
            changes_left: number | null;
            /**
             * Format: int64
             * @description The token that has derived it, if any.
             */
            parent_id: number | null;
        };
        /** @description An access token to create. */
        NewAccessToken: {
            /** @description Any name that tells you what it is for, at most 64 characters. */
            name: string;
            /** @description What it may do: each scope once. */
            scopes: components["schemas"]["Scope"][];
            /**
             * Format: int32
             * @description How many days it is valid: 90 if nothing is said.
             */
            expires_in_days?: number;
            /**
             * Format: int32
             * @description Instead of days.
             */
            expires_in_minutes?: number;
            /**
             * @description Whether a person must approve what changes something.
             * @default false
             */
            asks?: boolean;
            /**
             * Format: int32
             * @description The most changes that it may make in its life.
             */
            changes_max?: number | null;
        };
        /** @description An access token for a helper. */
        DerivedAccessToken: {
            /** @description Any name that tells you what it is for, at most 64 characters. */
            name: string;
            /** @description What it may do: each scope once. */
            scopes: components["schemas"]["Scope"][];
            /**
             * Format: int32
             * @description How many minutes it is valid.
             */
            expires_in_minutes: number;
            /** @description At least, and by default, as the caller. */
            asks?: boolean;
            /**
             * Format: int32
             * @description At most, and by default, what the caller has left.
             */
            changes_max?: number | null;
        };
        /** @description The current password and the new one. */
        PasswordChange: {
            /** @description The current password. */
            user_pass: string;
            /** @description At least 8 characters, at most 72 bytes in UTF-8; not the login name, the email address or one of the most common passwords. */
            new_pass: string;
        };
        /** @description The password, if it is needed. */
        SecondFactorBegin: {
            /** @description The password, if the session began more than 15 minutes ago. */
            user_pass?: string;
        };
        /** @description A code from the app. */
        SecondFactorCode: {
            /** @description The six digits, 0 to 9, that the app shows now. */
            code: string;
            /** @description The password, if the session began more than 15 minutes ago. */
            user_pass?: string;
        };
        /** @description The password and a code. */
        SecondFactorEnd: {
            /** @description The password. */
            user_pass: string;
            /** @description For a user with a second factor: the six digits from the app, or a recovery code. Each works once. */
            code: string;
        };
        /** @description All claims, including those that the service does not use. Times count from 1970. */
        TokenClaims: {
            /** @description The user's `id`. */
            sub: string;
            /** @description Role of the user: `user` or `admin`. */
            role?: string;
            /** @description When it was issued, in seconds. */
            iat?: number;
            /** @description When it expires, in seconds. */
            exp: number;
            /** @description When it becomes valid, in seconds. */
            nbf?: number;
            /** @description When the password was set, in milliseconds: a new password ends the token. */
            pwd?: number;
        } & {
            [key: string]: unknown;
        };
        /** @description A program that the user has let in. */
        Grant: {
            /**
             * Format: int64
             * @description Key for the operations on grants; it is not a credential.
             */
            id: number;
            /** @description What the program calls itself. */
            client_name: string;
            /** @description Where the browser was sent back to, or the scheme of an app; null for a program without a browser. */
            host: string | null;
            /** @description What it may do. */
            scopes: components["schemas"]["Scope"][];
            /** @description Whether a person must approve what changes something. */
            asks: boolean;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last used, to the minute; null if it never was.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it expires, unless the program renews its access: then 30 days later.
             */
            expires_at: string;
        };
        /** @description The account whose password was forgotten. */
        ResetRequest: {
            /** @description Email address of the account. */
            email: string;
        };
        /** @description The password to set. */
        NewPassword: {
            /** @description At least 8 characters, at most 72 bytes in UTF-8; not the login name, the email address or one of the most common passwords. */
            password: string;
        };
        /** @description Who did what, when and from where. */
        AuditEvent: {
            /**
             * Format: int64
             * @description Its key.
             */
            id: number;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            created_at: string;
            event: components["schemas"]["AuditEventName"];
            /**
             * Format: int64
             * @description Who did it; null for an unknown user or the command line.
             */
            user_id: number | null;
            /**
             * @description Kind of credential; `oauth`: by its program, `mail`: an emailed link, `cli`: the command line.
             * @enum {string}
             */
            via: "session" | "agent" | "jwt" | "token" | "oauth" | "password" | "mail" | "cli";
            /** @description Where the request came from. */
            address: string | null;
            /** @description `X-Request-Id` of the request. */
            request_id: string | null;
            /** @description What it was done to: a login name, a flag or a row. */
            subject: string | null;
            /** @description The new value, or other details, if any. */
            detail: string | null;
        };
        /**
         * @description What happened.
         * @enum {string}
         */
        AuditEventName: "login" | "login-failed" | "login-refused" | "lock" | "unlock" | "logout" | "session-end" | "sessions-end" | "token-issue" | "access-token-created" | "access-token-revoked" | "client-registered" | "grant-made" | "grant-ended" | "refresh-reused" | "second-factor-begun" | "second-factor-on" | "second-factor-off" | "recovery-code-used" | "reset-request" | "password-change" | "user-add" | "user-remove" | "role-change" | "flag-change" | "override-change" | "transition-undone" | "plan-applied" | "plan-refused" | "subscription-created" | "subscription-changed" | "subscription-secret" | "subscription-removed";
        /**
         * Format: int64
         * @description Send it as `cursor` to get the next page; null at the end. A page also ends at 1 MiB, and with a filter it may have few items or none and still not be the last.
         */
        NextCursor: number | null;
        /** @description A user, as administrators see it. */
        Account: {
            /**
             * Format: int64
             * @description Its key.
             */
            id: number;
            /** @description Login name. */
            user_id: string;
            /** @description Display name. */
            user_name: string;
            /** @description Email address. */
            e_mail: string;
            role: components["schemas"]["Role"];
            /** @description Whether the user is kept from signing in. */
            locked: boolean;
            /**
             * @description What locks the user: an administrator, or failed sign-ins. Null if nothing does.
             * @enum {string|null}
             */
            locked_by: "administrator" | "failures" | null;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed, even to the same values, in UTC.
             */
            updated_at: string;
        };
        /**
         * @description What the user may do: an administrator may also call the operations under `/admin`.
         * @enum {string}
         */
        Role: "user" | "admin";
        /** @description A user to add. */
        NewAccount: {
            /** @description Login name: at most 255 characters, no white space. */
            user_id: string;
            /** @description Name for people, at most 255 characters. */
            user_name: string;
            /** @description Email address, at most 255 characters. */
            e_mail: string;
            /**
             * @description What the user may do.
             * @default user
             * @enum {string}
             */
            role?: "user" | "admin";
        };
        /** @description Fields of a user to change, at least one. */
        AccountChange: {
            role: components["schemas"]["Role"];
            /** @description True locks the user; false lifts any lock. */
            locked?: boolean;
        } | {
            role?: components["schemas"]["Role"];
            /** @description True locks the user; false lifts any lock. */
            locked: boolean;
        };
        /** @description A todo to create. */
        NewTodo: {
            /** @description Trimmed, not empty. */
            title: string;
        };
        /** @description Fields of one todo to change, at least one. */
        TodoItemChange: {
            /**
             * Format: int64
             * @description Key of the todo, a number.
             */
            id: number;
            /** @description Trimmed, not empty. */
            title: string;
            /** @description Whether it is done. */
            is_completed?: boolean;
        } | {
            /**
             * Format: int64
             * @description Key of the todo, a number.
             */
            id: number;
            /** @description Trimmed, not empty. */
            title?: string;
            /** @description Whether it is done. */
            is_completed: boolean;
        };
        /** @description The result of one item. With `Prefer: return=minimal` or `dry_run` only the `id` of its todo, if it has one. */
        BatchItem: {
            /**
             * Format: int64
             * @description Position in the request, from 0.
             */
            index: number;
            /** @enum {string} */
            status: "success";
            todo: components["schemas"]["Todo"];
        } | components["schemas"]["BatchFailure"] | {
            /**
             * Format: int64
             * @description Position in the request, from 0.
             */
            index: number;
            /** @enum {string} */
            status: "success";
            /**
             * Format: int64
             * @description Its key.
             */
            id: number;
        } | {
            /**
             * Format: int64
             * @description Position in the request, from 0.
             */
            index: number;
            /** @enum {string} */
            status: "success";
        };
        /** @description Something to be done. */
        Todo: {
            /**
             * Format: int64
             * @description Its key.
             */
            id: number;
            /** @description What is to be done. */
            title: string;
            /** @description Whether it is done. */
            is_completed: boolean;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed, even to the same values, in UTC.
             */
            updated_at: string;
        };
        /** @description An item of a batch that failed. */
        BatchFailure: {
            /**
             * Format: int64
             * @description Position in the request, from 0.
             */
            index: number;
            /** @enum {string} */
            status: "failure";
            errorCode: components["schemas"]["ErrorCode"];
            errorMessage: components["schemas"]["ErrorMessage"];
            /** @description With `VALIDATION-FAILED`: which fields of the item are wrong, and why. */
            details?: components["schemas"]["Detail"][];
            reason?: components["schemas"]["ConflictReason"];
        };
        /**
         * @description What the code means, for people. The wording may change.
         * @example TODO title is required.
         */
        ErrorMessage: string;
        /** @description What is wrong with one field. */
        Detail: {
            /**
             * @description The part of the request; `params` are those of the path.
             * @enum {string}
             */
            in: "body" | "params" | "query" | "headers";
            /** @description Its name; empty for the part as a whole. */
            field: string;
            /** @description What is wrong. */
            message: string;
        };
        /**
         * @description `running`: a request with the same key has no answer yet. `quota`: there is no room for more. `taken`: another has this value. `last-administrator`: no administrator would be left. `undone`: it is undone already. `changed`: its state does not allow the request.
         * @enum {string}
         */
        ConflictReason: "running" | "quota" | "taken" | "last-administrator" | "undone" | "changed";
        /** @description The result of one item. */
        RemovedItem: {
            /**
             * Format: int64
             * @description Position in the request, from 0.
             */
            index: number;
            /** @enum {string} */
            status: "success";
            /**
             * Format: int64
             * @description Its key.
             */
            id: number;
        } | components["schemas"]["BatchFailure"];
        /** @description The new state of a todo. */
        TodoReplacement: {
            /** @description Trimmed, not empty. */
            title: string;
            /** @description Whether it is done. */
            is_completed?: boolean;
        };
        /** @description Fields of a todo to change, at least one. */
        TodoChange: {
            /** @description Trimmed, not empty. */
            title: string;
            /** @description Whether it is done. */
            is_completed?: boolean;
        } | {
            /** @description Trimmed, not empty. */
            title?: string;
            /** @description Whether it is done. */
            is_completed: boolean;
        };
        /** @description A note that has versions and a state. */
        Memo: {
            /**
             * Format: int64
             * @description Its key.
             */
            id: number;
            /** @description Its text. */
            body: string;
            /**
             * @description Draft, published or archived.
             * @enum {string}
             */
            state: "draft" | "published" | "archived";
            /**
             * Format: int64
             * @description Grows by one with every change; the `ETag` names it.
             */
            version: number;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed, even to the same values, in UTC.
             */
            updated_at: string;
        };
        /** @description The text of a memo. */
        MemoContent: {
            /** @description Its text. */
            body: string;
        };
        /** @description The new state of a memo. */
        MemoTransition: {
            /**
             * @description The new state.
             * @enum {string}
             */
            to_state: "draft" | "published" | "archived";
        };
        /** @description A file, without its content. */
        Attachment: {
            /**
             * Format: int64
             * @description Its key.
             */
            id: number;
            /** @description File name as the client gave it, without folders. */
            name: string;
            /** @description Type found from the content, not from what the client said. */
            mime: string;
            /**
             * Format: int64
             * @description Size in bytes.
             */
            size: number;
            /** @description Of the content, hex. Also the `ETag` of the download. */
            sha256: string;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            created_at: string;
        };
        /** @description A form with one file. */
        UploadForm: {
            /**
             * Format: binary
             * @description One file, not empty. Other fields are ignored or, with `handling=strict`, refused.
             */
            file: Blob;
        };
        /** @description A row that contains the text. */
        SearchResult: {
            kind: components["schemas"]["Kind"];
            /** @description The row. */
            row: {
                [key: string]: unknown;
            } | components["schemas"]["Todo"] | components["schemas"]["Memo"] | components["schemas"]["Attachment"];
        };
        /**
         * @description Kind of the row.
         * @enum {string}
         */
        Kind: "todo" | "memo" | "attachment";
        /** @description What was done to one row. With `Prefer: return=minimal` only what was done, to which row. */
        ListedChange: components["schemas"]["Change"] | {
            /**
             * Format: int64
             * @description Its key.
             */
            id: number;
            kind: components["schemas"]["Kind"];
            /**
             * Format: int64
             * @description Key of the row.
             */
            key: number;
            action: components["schemas"]["Action"];
        };
        /** @description What was done to one row. `before` and `after` lack fields that are newer than the change. */
        Change: {
            /**
             * Format: int64
             * @description Its key.
             */
            id: number;
            /**
             * Format: date-time
             * @description When, in UTC.
             */
            at: string;
            /**
             * @description Kind of credential.
             * @enum {string}
             */
            via: "session" | "agent" | "jwt" | "token";
            /**
             * Format: int64
             * @description The access token that was used; null if there was none.
             */
            token_id: number | null;
            /** @description The run that it belongs to; null without `X-Run-Id`. */
            run: string | null;
            /** @description `X-Request-Id` of the request. */
            request_id: string;
            kind: components["schemas"]["Kind"];
            /**
             * Format: int64
             * @description Key of the row.
             */
            key: number;
            action: components["schemas"]["Action"];
            /** @description The row as it was; null if it was created. */
            before: components["schemas"]["Todo"] | components["schemas"]["Memo"] | components["schemas"]["Attachment"] | null;
            /** @description The row as the change left it; null if it was deleted. */
            after: components["schemas"]["Todo"] | components["schemas"]["Memo"] | components["schemas"]["Attachment"] | null;
            /** @description Whether it has been undone. */
            undone: boolean;
        };
        /**
         * @description What was done.
         * @enum {string}
         */
        Action: "create" | "update" | "delete";
        /** @description Changes made for one purpose, as far as your credential may read them. */
        Run: {
            /** @description Its name. */
            run: string;
            /**
             * @description Kind of credential of its first change.
             * @enum {string}
             */
            via: "session" | "agent" | "jwt" | "token";
            /** @description Name of the access token of its first change, if any. */
            token_name: string | null;
            /**
             * Format: date-time
             * @description When its first change was made, in UTC.
             */
            started_at: string;
            /**
             * Format: date-time
             * @description When its last change was made, in UTC.
             */
            ended_at: string;
            /**
             * Format: int64
             * @description How many of its changes are recorded.
             */
            changes: number;
            /** @description Whether all of them have been undone. */
            undone: boolean;
            /** @description What it undid, if it is an undo: a run, or changes by their ids. */
            undoes: {
                /** @description The run, if all of it was to be undone. */
                run?: string;
                /** @description The changes otherwise. */
                ids?: number[];
            } | null;
        };
        /** @description What to undo: a run, or changes by their ids. */
        UndoRequest: {
            /** @description Undoes this run. */
            run: string;
            /**
             * Format: int64
             * @description `next_cursor` of the previous answer, while its `more` is true.
             */
            cursor?: number;
            /** @description Only say what would happen. */
            dry_run?: boolean;
        } | {
            /** @description Undoes these changes; instead of `run`. */
            ids: number[];
            /**
             * Format: int64
             * @description `next_cursor` of the previous answer, while its `more` is true.
             */
            cursor?: number;
            /** @description Only say what would happen. */
            dry_run?: boolean;
        };
        /** @description Newest first. */
        UndoneChanges: components["schemas"]["Undone"][];
        /** @description A change that was undone. With `Prefer: return=minimal` only its `id`. */
        Undone: {
            /**
             * Format: int64
             * @description Id of the change.
             */
            id: number;
            kind: components["schemas"]["Kind"];
            /**
             * Format: int64
             * @description Its key.
             */
            key: number;
            action: components["schemas"]["Action"];
        } | {
            /**
             * Format: int64
             * @description Id of the change.
             */
            id: number;
        };
        /** @description What was not undone, and why. */
        UndoConflicts: components["schemas"]["UndoConflict"][];
        /** @description A change that was not undone. */
        UndoConflict: {
            /**
             * Format: int64
             * @description Id of the change.
             */
            id: number;
            /** @description Null if it is unknown. */
            kind: components["schemas"]["Kind"] | null;
            /**
             * Format: int64
             * @description Null if it is unknown.
             */
            key: number | null;
            /**
             * @description `changed`: the row has changed since. `cannot_return`: no room, key in use, or file gone. `undone`: already undone. `not_allowed`: this credential may not write this kind. `unknown`: no such change, or it is no longer recorded.
             * @enum {string}
             */
            reason: "changed" | "cannot_return" | "undone" | "not_allowed" | "unknown";
        };
        /** @description Name of the undo itself as a run: undo that to revert it. Null if nothing was undone. */
        UndoRun: string | null;
        /** @description Whether there are more changes than one request looks at. If so, whatever the status, send it again with `next_cursor` as `cursor`. */
        UndoMore: boolean;
        /**
         * Format: int64
         * @description Send it as `cursor` to go on with older changes; null if `more` is false.
         */
        UndoNextCursor: number | null;
        /** @description A plan to propose. */
        NewPlan: {
            /** @description For the person who decides. */
            purpose: string;
            /** @description Of its changes; `plan-<id>` by default. */
            run?: string;
            /** @description Done in this order, all or none. */
            steps: components["schemas"]["PlanStep"][];
        };
        /** @description One operation of a plan. */
        PlanStep: {
            /** @description An `operationId` with `x-plan`, such as `changeTodos`. */
            operation: string;
            /** @description Of path, query and body, side by side, and `if_match`. `$milk.id`: that field of the row of the step named `milk`. `$$`: a `$` at the beginning of a text. */
            arguments: {
                [key: string]: unknown;
            };
            /** @description Its name for later steps. */
            as?: string;
        };
        /** @description What a program would do, for a person to decide. */
        Plan: {
            /**
             * Format: int64
             * @description Its key.
             */
            id: number;
            /** @description For the person who decides. */
            purpose: string;
            /** @description The run of its changes. */
            run: string;
            state: components["schemas"]["PlanState"];
            /**
             * @description Credential of its proposer.
             * @enum {string}
             */
            via: "session" | "agent" | "jwt" | "token";
            /** @description Its name, if it is an access token. */
            token_name: string | null;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Until when it waits.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When it was decided.
             */
            decided_at: string | null;
            /** @description Why it was refused. */
            reason: string | null;
            /** @description In order. */
            steps: components["schemas"]["PlanStep"][];
            /** @description What it would change, or has changed. */
            changes: components["schemas"]["PlannedChange"][];
        };
        /**
         * @description `pending`: it waits for its user. `expired`: nobody decided in 7 days.
         * @enum {string}
         */
        PlanState: "pending" | "applied" | "refused" | "expired";
        /** @description What a plan would do to one row. */
        PlannedChange: {
            kind: components["schemas"]["Kind"];
            /**
             * Format: int64
             * @description Null if the row does not exist yet.
             */
            key: number | null;
            action: components["schemas"]["Action"];
            /** @description The row as it is, if there is one. */
            before: {
                [key: string]: unknown;
            } | null;
            /** @description The row as it would be, if it would not be deleted; a new one has no `id` yet. */
            after: {
                [key: string]: unknown;
            } | null;
        };
        /** @description A plan, without the rows that it would change. */
        ListedPlan: {
            /**
             * Format: int64
             * @description Its key.
             */
            id: number;
            /** @description For the person who decides. */
            purpose: string;
            /** @description The run of its changes. */
            run: string;
            state: components["schemas"]["PlanState"];
            /**
             * @description Credential of its proposer.
             * @enum {string}
             */
            via: "session" | "agent" | "jwt" | "token";
            /** @description Its name, if it is an access token. */
            token_name: string | null;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Until when it waits.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When it was decided.
             */
            decided_at: string | null;
            /** @description Why it was refused. */
            reason: string | null;
            /** @description In order. */
            steps: components["schemas"]["PlanStep"][];
        };
        /** @description Why a plan is refused. */
        PlanRefusal: {
            /** @description Why, for the program. */
            reason?: string;
        };
        /** @description An address to which changes are delivered. */
        Subscription: {
            /**
             * Format: int64
             * @description Its key.
             */
            id: number;
            /** @description Where deliveries are sent. */
            url: string;
            /** @description Kinds of rows whose changes are delivered. */
            kinds: components["schemas"]["Kind"][];
            /** @description What it is for. */
            description: string | null;
            /**
             * Format: int64
             * @description The access token that made it, and alone manages it; null if a session did.
             */
            token_id: number | null;
            /** @description Whether changes are delivered. */
            is_active: boolean;
            /**
             * @description Why it was switched off: `gone`, the receiver answered 410; `failures`, five days without a success. Else null.
             * @enum {string|null}
             */
            stopped_by: "gone" | "failures" | null;
            /**
             * Format: date-time
             * @description Since when every delivery has failed; null if none has.
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description When the change that failed is tried again; null if none waits.
             */
            next_try_at: string | null;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed, even to the same values, in UTC.
             */
            updated_at: string;
        };
        /** @description A subscription to create. */
        NewSubscription: {
            /** @description Where deliveries are sent: an https URL on the public internet. */
            url: string;
            /** @description By default all that you may read. */
            kinds?: components["schemas"]["Kind"][];
            /** @description Any text that tells you what it is for. */
            description?: string;
        };
        /** @description What to change; absent members stay as they are. */
        SubscriptionChange: {
            /** @description Where deliveries are sent: an https URL on the public internet. */
            url?: string;
            /** @description The kinds of rows whose changes are delivered. */
            kinds?: components["schemas"]["Kind"][];
            /** @description `false` pauses it; `true` resumes: with what was not delivered before the pause, then with the changes from now on. */
            is_active?: boolean;
        };
        /** @description One attempt to deliver. */
        Delivery: {
            /**
             * Format: int64
             * @description Its key.
             */
            id: number;
            /**
             * Format: int64
             * @description Id of the change; null for a ping.
             */
            change: number | null;
            /**
             * Format: date-time
             * @description When it was sent; null while it waits.
             */
            at: string | null;
            /**
             * Format: int64
             * @description HTTP status of the answer; null if there was none.
             */
            status: number | null;
            /** @description Why there was no answer: `timeout`, `unresolved`, `refused`, `private-address`, `not-allowed`, `too-long`, `tls` or `broken`; `forgotten` if the change is no longer recorded. */
            error: string | null;
            /**
             * Format: int64
             * @description How long it took, in milliseconds.
             */
            ms: number | null;
        };
        /** @description What to deliver again. */
        Redelivery: {
            /**
             * Format: int64
             * @description Id of the change to deliver again.
             */
            change: number;
        };
        /** @description A mail to a user. */
        NewMail: {
            /** @description Login name of the user it goes to. */
            user_id: string;
            /** @description One line. */
            subject: string;
            /** @description Plain text. */
            text: string;
        };
        /**
         * @description Any JSON: the sender decides what an event looks like.
         * @example {
         *       "event": "invoice.paid",
         *       "invoice": 42
         *     }
         */
        WebhookEvent: unknown;
        /** @description How many reactions a target has, and which are the caller's. */
        ReactionSummary: {
            /**
             * Format: int64
             * @description Reactions of every type.
             */
            total: number;
            by_type: components["schemas"]["ReactionCounts"];
            /** @description The caller's own reactions; empty without a credential. */
            user_reactions: ("like" | "heart" | "laugh" | "sad" | "wow")[];
        };
        /** @description Types with at least one reaction. */
        ReactionCounts: {
            /**
             * Format: int64
             * @description How many.
             */
            like?: number;
            /**
             * Format: int64
             * @description How many.
             */
            heart?: number;
            /**
             * Format: int64
             * @description How many.
             */
            laugh?: number;
            /**
             * Format: int64
             * @description How many.
             */
            sad?: number;
            /**
             * Format: int64
             * @description How many.
             */
            wow?: number;
        };
        /** @description A feature that is on for everybody or for some users. */
        FeatureFlag: {
            /**
             * Format: int64
             * @description Its key.
             */
            id: number;
            /** @description Its name. */
            flag_name: string;
            /** @description On for everybody. */
            is_enabled: boolean;
            /**
             * Format: int64
             * @description Percentage of users who have it if it is not on for everybody.
             */
            rollout_pct: number;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed, even to the same values, in UTC.
             */
            updated_at: string;
        };
        /** @description A flag and its new setting. */
        FlagSetting: {
            /** @description 1 to 128 letters, digits, `_`, `.`, `:` or `-`; the first one a letter or a digit. Case matters. */
            flag_name: string;
            /** @description Whether it is on. */
            is_enabled?: boolean;
            /**
             * Format: int32
             * @description Percentage of users who have the flag while it is not on for everybody.
             */
            rollout_pct?: number;
        };
        /** @description Whether the user has the flag. */
        OverrideSetting: {
            /** @description 1 to 128 letters, digits, `_`, `.`, `:` or `-`; the first one a letter or a digit. Case matters. */
            flag_name: string;
            /** @description Whether it is on. */
            is_enabled: boolean;
        };
        /** @description Turns a flag on or off for one user. */
        FlagOverride: {
            /**
             * Format: int64
             * @description Its key.
             */
            id: number;
            /** @description Its name. */
            flag_name: string;
            /**
             * Format: int64
             * @description The user's `id`.
             */
            user_id: number;
            /** @description Whether the user has it. */
            is_enabled: boolean;
            /**
             * Format: date-time
             * @description When it was created, in UTC.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed, even to the same values, in UTC.
             */
            updated_at: string;
        };
        GetHealthSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /**
                 * @description `degraded` if the database takes no writes, a circuit is not closed or the service is overloaded.
                 * @enum {string}
                 */
                healthStatus: "ok" | "degraded";
                /** @description Why it is degraded; null if it is not. */
                cause: string | null;
                /**
                 * @description This service answers.
                 * @enum {string}
                 */
                api: "ok";
                /**
                 * @description Its database answers.
                 * @enum {string}
                 */
                database: "ok";
                /** @description Newest migration of the database. */
                schema: string;
                /** @description `SVC_ENV`. */
                environment: string;
                /** @description `sqlite` or `postgres`. */
                databaseType: string;
                circuits: components["schemas"]["Circuits"];
            };
        };
        RequestInvalidFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "REQUEST-INVALID";
                errorMessage: components["schemas"]["ErrorMessage"];
                /** @description Which header is wrong, and why. */
                details?: components["schemas"]["Detail"][];
            };
        };
        MethodNotAllowedFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "METHOD-NOT-ALLOWED";
                errorMessage: components["schemas"]["ErrorMessage"];
            };
        };
        ValidationFailedFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "VALIDATION-FAILED";
                errorMessage: components["schemas"]["ErrorMessage"];
                /** @description Which fields are wrong, and why. */
                details: components["schemas"]["Detail"][];
            };
        };
        InternalErrorFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "INTERNAL-ERROR";
                errorMessage: components["schemas"]["ErrorMessage"];
            };
        };
        GetHealthServiceOverloadedFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "SERVICE-OVERLOADED";
                errorMessage: components["schemas"]["ErrorMessage"];
                /**
                 * @description The service is not fully working.
                 * @enum {string}
                 */
                healthStatus: "degraded";
                /** @description Why it is degraded. */
                cause: string;
                /**
                 * @description This service answers.
                 * @enum {string}
                 */
                api: "ok";
                /**
                 * @description The database does not answer.
                 * @enum {string}
                 */
                database: "down";
                /** @description Newest migration of the database. */
                schema: string;
                /** @description `SVC_ENV`. */
                environment: string;
                /** @description `sqlite` or `postgres`. */
                databaseType: string;
                circuits: components["schemas"]["Circuits"];
            };
        };
        ListErrorsSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description Every code. */
                errors: components["schemas"]["CatalogEntry"][];
            };
        };
        ServiceUnavailableFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "CIRCUIT-OPEN" | "SERVICE-OVERLOADED";
                errorMessage: components["schemas"]["ErrorMessage"];
            };
        };
        GetErrorSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                error: components["schemas"]["CatalogEntry"];
            };
        };
        NotFoundFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "ACCESS-TOKEN-NOT-FOUND" | "ATTACHMENT-NOT-FOUND" | "FLAG-NOT-FOUND" | "GRANT-NOT-FOUND" | "MEMO-NOT-FOUND" | "NOT-FOUND" | "PLAN-NOT-FOUND" | "REACTION-NOT-FOUND" | "RUN-NOT-FOUND" | "SESSION-NOT-FOUND" | "SUBSCRIPTION-NOT-FOUND" | "TODO-NOT-FOUND" | "USER-NOT-FOUND";
                errorMessage: components["schemas"]["ErrorMessage"];
            };
        };
        LoginSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description Send it as `X-CSRF-Token`. Fixed for the session. */
                csrfToken: string;
                user: components["schemas"]["User"];
            };
        };
        BadRequestFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "ATTACHMENT-ID-REQUIRED" | "BODY-INVALID" | "MEMO-ID-REQUIRED" | "REACTION-TYPE-INVALID" | "TODO-ID-REQUIRED" | "TODO-TITLE-REQUIRED" | "UPLOAD-FILE-REQUIRED";
                errorMessage: components["schemas"]["ErrorMessage"];
            };
        };
        UnauthorizedFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "ACCESS-TOKEN-INVALID" | "JWT-INVALID" | "LOGIN-FAILED" | "SECOND-FACTOR-REQUIRED" | "SESSION-CLOSED" | "WEBHOOK-SIGNATURE-INVALID";
                errorMessage: components["schemas"]["ErrorMessage"];
            };
        };
        ForbiddenFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "APPROVAL-NEEDED" | "BUDGET-SPENT" | "CSRF-TOKEN-INVALID" | "FORBIDDEN" | "SCOPE-INSUFFICIENT" | "SIGNED-URL-INVALID";
                errorMessage: components["schemas"]["ErrorMessage"];
            };
        };
        BodyTooLargeFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "BODY-TOO-LARGE";
                errorMessage: components["schemas"]["ErrorMessage"];
            };
        };
        AccountLockedFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "ACCOUNT-LOCKED";
                errorMessage: components["schemas"]["ErrorMessage"];
            };
        };
        RateLimitExceededFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "RATE-LIMIT-EXCEEDED";
                errorMessage: components["schemas"]["ErrorMessage"];
            };
        };
        LogoutSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
            };
        };
        ListSessionsSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description Newest first. */
                sessions: components["schemas"]["Session"][];
            };
        };
        EndSessionSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /**
                 * Format: int64
                 * @description Key of the session that was ended.
                 */
                id: number;
            };
        };
        EndOtherSessionsSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /**
                 * Format: int64
                 * @description How many were ended.
                 */
                ended: number;
            };
        };
        GetCurrentSessionSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                user: components["schemas"]["User"];
                /**
                 * @description A user, or an administrator.
                 * @enum {string}
                 */
                role: "user" | "admin";
                /**
                 * @description Kind of credential that was accepted.
                 * @enum {string}
                 */
                via: "session" | "agent" | "jwt" | "token";
                /** @description Scopes of the access token; null for any other credential. */
                scopes: components["schemas"]["Scope"][] | null;
                /**
                 * Format: date-time
                 * @description When the credential expires; for a session, the earlier of its two limits. Null if it never expires.
                 */
                expires_at: string | null;
                /** @description Send it as `X-CSRF-Token`. Null unless the caller uses a session. */
                csrfToken: string | null;
                /**
                 * Format: int64
                 * @description Key of the access token; null for any other credential.
                 */
                token_id: number | null;
                /** @description Whether a person must approve what changes something. */
                asks: boolean;
                /**
                 * Format: int64
                 * @description The most changes that it may make in its life.
                 */
                changes_max: number | null;
                /**
                 * Format: int64
                 * @description How many of them are left, here and in tokens above.
                 */
                changes_left: number | null;
                /**
                 * Format: int64
                 * @description The token that has derived it, if any.
                 */
                parent_id: number | null;
                /**
                 * Format: int64
                 * @description Send it as `after` to get what comes next: after this page, or without `after` from now on.
                 */
                next_after: number;
                /** @description The `operationId` of every operation that this credential may call. */
                operations: string[];
                /** @description The same operations, with how each is called. */
                can: {
                    /** @description Its `operationId`. */
                    operation: string;
                    /** @description Its method. */
                    method: string;
                    /** @description Its path; a name in braces stands for a value. */
                    path: string;
                }[];
                /** @description The most that is taken. */
                maximum: {
                    /**
                     * Format: int64
                     * @description Items of a batch.
                     */
                    batch: number;
                    /**
                     * Format: int64
                     * @description `limit` of a list.
                     */
                    page: number;
                    /**
                     * Format: int64
                     * @description Bytes of a file.
                     */
                    upload_bytes: number;
                };
                /** @description What is left of each limit that counts this credential. */
                limits: components["schemas"]["LimitState"][];
            };
        };
        ListAccessTokensSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description Newest first. */
                access_tokens: components["schemas"]["AccessToken"][];
            };
        };
        CreateAccessTokenSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                access_token: components["schemas"]["AccessToken"];
                /** @description Send it as `Authorization: Bearer`. Null in a repeated answer. */
                token: string | null;
            };
        };
        ConflictFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "CONFLICT";
                errorMessage: components["schemas"]["ErrorMessage"];
                reason: components["schemas"]["ConflictReason"];
            };
        };
        DeriveAccessTokenSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                access_token: components["schemas"]["AccessToken"];
                /** @description Send it as `Authorization: Bearer`. Null in a repeated answer. */
                token: string | null;
            };
        };
        DeletedSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /**
                 * Format: int64
                 * @description The key of what was deleted.
                 */
                id: number;
                /** @description Nothing was done, because `dry_run` was true: this is what would happen. */
                dry_run?: boolean;
            };
        };
        DoneSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
            };
        };
        BeginSecondFactorSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description For an app that does not take a URL, in base32. */
                secret: string;
                /** @description For the app, often as a QR code. */
                otpauth_url: string;
            };
        };
        ConfirmSecondFactorSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description Ten codes. Each replaces a code from the app once, if the app is lost. Shown only once. */
                recovery_codes: string[];
            };
        };
        IssueTokenSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description A JWT, signed with HS256. Send it as `Authorization: Bearer`. */
                access_token: string;
                /**
                 * @description How it is sent.
                 * @enum {string}
                 */
                token_type: "Bearer";
                /**
                 * Format: int64
                 * @description How many seconds it is valid.
                 */
                expires_in: number;
            };
        };
        GetTokenClaimsSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                claims: components["schemas"]["TokenClaims"];
            };
        };
        ListGrantsSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description Newest first. */
                grants: components["schemas"]["Grant"][];
            };
        };
        RequestPasswordResetSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description For people. */
                message: string;
            };
        };
        ResetPasswordSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description For people. */
                message: string;
            };
        };
        TokenAlreadyUsedFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "TOKEN-ALREADY-USED";
                errorMessage: components["schemas"]["ErrorMessage"];
            };
        };
        GoneFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "SIGNED-URL-EXPIRED" | "TOKEN-EXPIRED";
                errorMessage: components["schemas"]["ErrorMessage"];
            };
        };
        ListAuditEventsSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description Newest first. */
                events: components["schemas"]["AuditEvent"][];
                next_cursor: components["schemas"]["NextCursor"];
            };
        };
        ListUsersSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description Newest first. */
                users: components["schemas"]["Account"][];
                next_cursor: components["schemas"]["NextCursor"];
            };
        };
        AccountSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                user: components["schemas"]["Account"];
            };
        };
        CreateUserConflictFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "CONFLICT";
                errorMessage: components["schemas"]["ErrorMessage"];
                reason: components["schemas"]["ConflictReason"];
                /**
                 * @description What another user already has.
                 * @enum {string}
                 */
                taken?: "user_id" | "e_mail";
            };
        };
        BatchSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description One for each item, in order. */
                items: components["schemas"]["BatchItem"][];
                /**
                 * Format: int64
                 * @description How many items succeeded.
                 */
                succeeded: number;
                /**
                 * Format: int64
                 * @description How many items failed.
                 */
                failed: number;
                /** @description Nothing was done, because `dry_run` was true: this is what would happen. */
                dry_run?: boolean;
            };
        };
        BatchPartial: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "partial";
                /** @description One for each item, in order. */
                items: components["schemas"]["BatchItem"][];
                /**
                 * Format: int64
                 * @description How many items succeeded.
                 */
                succeeded: number;
                /**
                 * Format: int64
                 * @description How many items failed.
                 */
                failed: number;
                /** @description Nothing was done, because `dry_run` was true: this is what would happen. */
                dry_run?: boolean;
            };
        };
        BatchTooLargeFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "BATCH-TOO-LARGE";
                errorMessage: components["schemas"]["ErrorMessage"];
                /**
                 * Format: int64
                 * @description The most items that are taken.
                 */
                maximum: number;
            };
        };
        BatchItemFailedFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "BATCH-ITEM-FAILED";
                errorMessage: components["schemas"]["ErrorMessage"];
                /** @description What is wrong with each item. */
                items: components["schemas"]["BatchFailure"][];
                /**
                 * Format: int64
                 * @description How many items succeeded.
                 */
                succeeded: number;
                /**
                 * Format: int64
                 * @description How many items failed.
                 */
                failed: number;
            };
        };
        DeleteTodosSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description One for each item, in order. */
                items: components["schemas"]["RemovedItem"][];
                /**
                 * Format: int64
                 * @description How many items succeeded.
                 */
                succeeded: number;
                /**
                 * Format: int64
                 * @description How many items failed.
                 */
                failed: number;
                /** @description Nothing was done, because `dry_run` was true: this is what would happen. */
                dry_run?: boolean;
            };
        };
        DeleteTodosPartial: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "partial";
                /** @description One for each item, in order. */
                items: components["schemas"]["RemovedItem"][];
                /**
                 * Format: int64
                 * @description How many items succeeded.
                 */
                succeeded: number;
                /**
                 * Format: int64
                 * @description How many items failed.
                 */
                failed: number;
                /** @description Nothing was done, because `dry_run` was true: this is what would happen. */
                dry_run?: boolean;
            };
        };
        ListTodosSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description Newest first. */
                todos: components["schemas"]["Todo"][];
                next_cursor: components["schemas"]["NextCursor"];
            };
        };
        TodoSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                todo: components["schemas"]["Todo"];
            };
        };
        ListMemosSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description Newest first. */
                memos: components["schemas"]["Memo"][];
                next_cursor: components["schemas"]["NextCursor"];
            };
        };
        MemoSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                memo: components["schemas"]["Memo"];
            };
        };
        PreconditionFailedFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "PRECONDITION-FAILED";
                errorMessage: components["schemas"]["ErrorMessage"];
            };
        };
        PreconditionRequiredFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "PRECONDITION-REQUIRED";
                errorMessage: components["schemas"]["ErrorMessage"];
            };
        };
        MoveMemoSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                memo: components["schemas"]["Memo"];
                /** @description States that the memo can be moved to now. */
                allowed_next: ("draft" | "published" | "archived")[];
            };
        };
        InvalidTransitionFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "INVALID-TRANSITION";
                errorMessage: components["schemas"]["ErrorMessage"];
                /** @description States that it can be moved to now. */
                allowed_next: string[];
            };
        };
        ListAttachmentsSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description Newest first. */
                attachments: components["schemas"]["Attachment"][];
                next_cursor: components["schemas"]["NextCursor"];
            };
        };
        AttachmentSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                attachment: components["schemas"]["Attachment"];
            };
        };
        UploadTooLargeFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "UPLOAD-TOO-LARGE";
                errorMessage: components["schemas"]["ErrorMessage"];
                /**
                 * Format: int64
                 * @description The most bytes of a file.
                 */
                maximum: number;
            };
        };
        UploadMimeRejectedFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "UPLOAD-MIME-REJECTED";
                errorMessage: components["schemas"]["ErrorMessage"];
                /** @description The types that are taken. */
                allowed: string[];
            };
        };
        GetAttachmentLinkSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /**
                 * Format: uri
                 * @description Signed `GET /attachment/download/id_{id}`.
                 */
                url: string;
                /**
                 * Format: int64
                 * @description When the link expires, in seconds since 1970.
                 */
                expires: number;
            };
        };
        RangeNotSatisfiableFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "RANGE-NOT-SATISFIABLE";
                errorMessage: components["schemas"]["ErrorMessage"];
            };
        };
        SearchSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description The newest first, by `created_at`. */
                results: components["schemas"]["SearchResult"][];
                /** @description What was searched: of the kinds asked for, those that your credential may read. */
                kinds: components["schemas"]["Kind"][];
                /** @description Send it as `cursor` to get the next page; null at the end. A page may have few results or none and still not be the last. */
                next_cursor: string | null;
            };
        };
        ListActivitySuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description Newest first. */
                changes: components["schemas"]["ListedChange"][];
                next_cursor: components["schemas"]["NextCursor"];
                /**
                 * Format: int64
                 * @description Send it as `after` to get what comes next: after this page, or without `after` from now on.
                 */
                next_after: number;
            };
        };
        ChangesGoneFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "CHANGES-GONE";
                errorMessage: components["schemas"]["ErrorMessage"];
                /**
                 * @description `forgotten`: a change after the id is no longer recorded. `ahead`: the id is newer than every change.
                 * @enum {string}
                 */
                reason: "forgotten" | "ahead";
            };
        };
        ActivityRunsSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description The run with the newest change is first. */
                runs: components["schemas"]["Run"][];
                next_cursor: components["schemas"]["NextCursor"];
            };
        };
        UndoActivitySuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                undone: components["schemas"]["UndoneChanges"];
                conflicts: components["schemas"]["UndoConflicts"];
                run: components["schemas"]["UndoRun"];
                more: components["schemas"]["UndoMore"];
                next_cursor: components["schemas"]["UndoNextCursor"];
                /** @description Nothing was done, because `dry_run` was true: this is what would happen. */
                dry_run?: boolean;
            };
        };
        UndoActivityPartial: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "partial";
                undone: components["schemas"]["UndoneChanges"];
                conflicts: components["schemas"]["UndoConflicts"];
                run: components["schemas"]["UndoRun"];
                more: components["schemas"]["UndoMore"];
                next_cursor: components["schemas"]["UndoNextCursor"];
                /** @description Nothing was done, because `dry_run` was true: this is what would happen. */
                dry_run?: boolean;
            };
        };
        UndoActivityConflictFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "CONFLICT";
                errorMessage: components["schemas"]["ErrorMessage"];
                reason: components["schemas"]["ConflictReason"];
                /** @description With `reason` `undone`: the run that undid it. */
                undone_by?: string;
                undone?: components["schemas"]["UndoneChanges"];
                conflicts?: components["schemas"]["UndoConflicts"];
                run?: components["schemas"]["UndoRun"];
                more?: components["schemas"]["UndoMore"];
                next_cursor?: components["schemas"]["UndoNextCursor"];
            };
        };
        PlanSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                plan: components["schemas"]["Plan"];
            };
        };
        /** @description Why a step cannot be done. */
        StepFailure: {
            errorCode: components["schemas"]["ErrorCode"];
            errorMessage: components["schemas"]["ErrorMessage"];
            /** @description Which fields are wrong, and why. */
            details?: components["schemas"]["Detail"][];
        };
        CreatePlanPlanInvalidFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "PLAN-INVALID";
                errorMessage: components["schemas"]["ErrorMessage"];
                /**
                 * Format: int64
                 * @description Position of the step, from 0.
                 */
                step: number;
                failure: components["schemas"]["StepFailure"];
            };
        };
        ListPlansSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description Newest first. */
                plans: components["schemas"]["ListedPlan"][];
                next_cursor: components["schemas"]["NextCursor"];
            };
        };
        ApplyPlanConflictFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "CONFLICT";
                errorMessage: components["schemas"]["ErrorMessage"];
                reason: components["schemas"]["ConflictReason"];
                plan?: components["schemas"]["Plan"];
                /** @description Why it cannot be done now. */
                failure?: components["schemas"]["StepFailure"];
            };
        };
        ApplyPlanPlanDecidedFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "PLAN-DECIDED";
                errorMessage: components["schemas"]["ErrorMessage"];
                state: components["schemas"]["PlanState"];
            };
        };
        RefusePlanPlanDecidedFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "PLAN-DECIDED";
                errorMessage: components["schemas"]["ErrorMessage"];
                state: components["schemas"]["PlanState"];
            };
        };
        ListSubscriptionsSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description Newest first. */
                subscriptions: components["schemas"]["Subscription"][];
            };
        };
        CreateSubscriptionSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                subscription: components["schemas"]["Subscription"];
                /** @description Verifies deliveries. Null in a repeated answer. */
                secret: string | null;
            };
        };
        SubscriptionSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                subscription: components["schemas"]["Subscription"];
            };
        };
        RotateSubscriptionSecretSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description The new secret. */
                secret: string;
            };
        };
        DeliverySuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                delivery: components["schemas"]["Delivery"];
            };
        };
        ListDeliveriesSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description Newest first. */
                deliveries: components["schemas"]["Delivery"][];
                next_cursor: components["schemas"]["NextCursor"];
            };
        };
        SendMailSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description Login name of the user. */
                user_id: string;
            };
        };
        DownstreamFailedFailure: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "failure";
                /**
                 * @description Rely on this.
                 * @enum {string}
                 */
                errorCode: "DOWNSTREAM-FAILED";
                errorMessage: components["schemas"]["ErrorMessage"];
            };
        };
        ReceiveWebhookSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description Whether the event had arrived before; if so, nothing was stored. */
                duplicate: boolean;
                /**
                 * Format: int64
                 * @description Key of the event, if it was stored.
                 */
                id?: number;
            };
        };
        ToggleReactionSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /**
                 * @description What was done.
                 * @enum {string}
                 */
                action: "added" | "removed";
                summary: components["schemas"]["ReactionSummary"];
            };
        };
        RemoveReactionSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                summary: components["schemas"]["ReactionSummary"];
            };
        };
        GetReactionSummarySuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /**
                 * Format: int64
                 * @description Reactions of every type.
                 */
                total: number;
                by_type: components["schemas"]["ReactionCounts"];
                /** @description The caller's own reactions; empty without a credential. */
                user_reactions: ("like" | "heart" | "laugh" | "sad" | "wow")[];
            };
        };
        EvaluateFeatureFlagsSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description Every flag, by name: whether the caller has it. */
                flags: {
                    [key: string]: boolean;
                };
            };
        };
        ListFeatureFlagsSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description Newest first. */
                flags: components["schemas"]["FeatureFlag"][];
                next_cursor: components["schemas"]["NextCursor"];
            };
        };
        SetFeatureFlagSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                flag: components["schemas"]["FeatureFlag"];
            };
        };
        SetFlagOverrideSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                override: components["schemas"]["FlagOverride"];
            };
        };
        RemoveFlagOverrideSuccess: {
            Result: boolean;
            Data: {
                /** @enum {string} */
                status: "success";
                /** @description Name of the flag. */
                flag_name: string;
                /**
                 * Format: int64
                 * @description The user's `id`.
                 */
                user_id: number;
                /** @description Whether there was an override. */
                removed: boolean;
            };
        };
    };
    responses: {
        /** @description `REQUEST-INVALID`: Bad URL, bad percent-encoding, an `If-Match` or `If-None-Match` that is no list of entity tags, or a message that the HTTP parser refuses. */
        RequestInvalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RequestInvalidFailure"];
            };
        };
        /** @description `METHOD-NOT-ALLOWED`: Path exists, method not registered; `Allow` header lists methods. */
        MethodNotAllowed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MethodNotAllowedFailure"];
            };
        };
        /** @description `VALIDATION-FAILED`: Input validation fails; `Data.details` says which fields and why. */
        ValidationFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationFailedFailure"];
            };
        };
        /** @description `INTERNAL-ERROR`: Unhandled failure on a REST request. */
        InternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalErrorFailure"];
            };
        };
        /** @description `SERVICE-OVERLOADED`: See the description of the operation. */
        GetHealthServiceOverloaded: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GetHealthServiceOverloadedFailure"];
            };
        };
        /**
         * @description `CIRCUIT-OPEN`: Circuit breaker is open.
         *
         *     `SERVICE-OVERLOADED`: Overload, a full disk, a database that does not answer the health check, or too many unread answers to one user.
         */
        ServiceUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ServiceUnavailableFailure"];
            };
        };
        /**
         * @description `ACCESS-TOKEN-NOT-FOUND`: No live access token for that id owned by the signed-in user.
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
                "application/json": components["schemas"]["NotFoundFailure"];
            };
        };
        /**
         * @description `ATTACHMENT-ID-REQUIRED`: Missing or non-numeric id.
         *
         *     `BODY-INVALID`: Body that is not JSON, not UTF-8, incomplete, nested more than 64 levels deep, or has a `__proto__` key.
         *
         *     `MEMO-ID-REQUIRED`: Missing or non-numeric id.
         *
         *     `REACTION-TYPE-INVALID`: Reaction type not in the allowed list.
         *
         *     `TODO-ID-REQUIRED`: Missing or non-numeric id.
         *
         *     `TODO-TITLE-REQUIRED`: Empty title on create or update.
         *
         *     `UPLOAD-FILE-REQUIRED`: Upload missing or not a genuine uploaded file.
         *
         *     `REQUEST-INVALID`: Bad URL, bad percent-encoding, an `If-Match` or `If-None-Match` that is no list of entity tags, or a message that the HTTP parser refuses.
         */
        BadRequestOrRequestInvalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BadRequestFailure"] | components["schemas"]["RequestInvalidFailure"];
            };
        };
        /**
         * @description `ACCESS-TOKEN-INVALID`: Access token (`gth_...`) that is unknown, altered, revoked or expired; no credential at all at `/mcp`; at `/metrics`, anything but its token.
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
                "application/json": components["schemas"]["UnauthorizedFailure"];
            };
        };
        /**
         * @description `APPROVAL-NEEDED`: Change, other than a dry run, by an access token that asks.
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
                "application/json": components["schemas"]["ForbiddenFailure"];
            };
        };
        /** @description `BODY-TOO-LARGE`: Body over `SVC_BODY_MAX_BYTES`, over 64 KiB for a form, over 16 KiB for a sign-in, a token or a reset, or JSON of more than 20,000 objects, arrays and strings (or 8 times `SVC_BATCH_MAX`). */
        BodyTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BodyTooLargeFailure"];
            };
        };
        /** @description `ACCOUNT-LOCKED`: Login for a locked account. */
        AccountLocked: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AccountLockedFailure"];
            };
        };
        /** @description `RATE-LIMIT-EXCEEDED`: Counter above the limit in the current window; `Retry-After` header present. */
        RateLimitExceeded: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RateLimitExceededFailure"];
            };
        };
        /** @description `CONFLICT`: A request that conflicts with one underway (the same idempotency key) or with a rule: a name or address is taken, a limit of the user is reached, no administrator would be left, a second factor is already on or off, or nothing can be undone; `Data.reason` says which. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConflictFailure"];
            };
        };
        /** @description Success. */
        DeletedSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DeletedSuccess"];
            };
        };
        /** @description Success. */
        DoneSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DoneSuccess"];
            };
        };
        /** @description `TOKEN-ALREADY-USED`: Reset token with used_at set. */
        TokenAlreadyUsed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TokenAlreadyUsedFailure"];
            };
        };
        /**
         * @description `SIGNED-URL-EXPIRED`: `expires` in the past.
         *
         *     `TOKEN-EXPIRED`: Reset token past its expiry (410, not 404).
         */
        Gone: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GoneFailure"];
            };
        };
        /** @description Success. */
        AccountSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AccountSuccess"];
            };
        };
        /** @description `CONFLICT`: See the description of the operation. */
        CreateUserConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CreateUserConflictFailure"];
            };
        };
        /** @description Success. */
        BatchSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BatchSuccess"];
            };
        };
        /** @description Some items were done, others were not. */
        BatchPartial: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BatchPartial"];
            };
        };
        /**
         * @description `ATTACHMENT-ID-REQUIRED`: Missing or non-numeric id.
         *
         *     `BODY-INVALID`: Body that is not JSON, not UTF-8, incomplete, nested more than 64 levels deep, or has a `__proto__` key.
         *
         *     `MEMO-ID-REQUIRED`: Missing or non-numeric id.
         *
         *     `REACTION-TYPE-INVALID`: Reaction type not in the allowed list.
         *
         *     `TODO-ID-REQUIRED`: Missing or non-numeric id.
         *
         *     `TODO-TITLE-REQUIRED`: Empty title on create or update.
         *
         *     `UPLOAD-FILE-REQUIRED`: Upload missing or not a genuine uploaded file.
         *
         *     `BATCH-TOO-LARGE`: Input array longer than the endpoint's maximum, checked before processing.
         *
         *     `REQUEST-INVALID`: Bad URL, bad percent-encoding, an `If-Match` or `If-None-Match` that is no list of entity tags, or a message that the HTTP parser refuses.
         */
        BadRequestOrBatchTooLargeOrRequestInvalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BadRequestFailure"] | components["schemas"]["BatchTooLargeFailure"] | components["schemas"]["RequestInvalidFailure"];
            };
        };
        /**
         * @description `BATCH-ITEM-FAILED`: A batch item cannot be processed; the overall response may be 207 (partial) or 422 (all failed).
         *
         *     `VALIDATION-FAILED`: Input validation fails; `Data.details` says which fields and why.
         */
        BatchItemFailedOrValidationFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BatchItemFailedFailure"] | components["schemas"]["ValidationFailedFailure"];
            };
        };
        /** @description Success. */
        TodoSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TodoSuccess"];
            };
        };
        /** @description Success. */
        MemoSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MemoSuccess"];
            };
        };
        /** @description The caller has this version already. */
        NotModified: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `PRECONDITION-FAILED`: A conditional update affected zero rows because a concurrent writer advanced the version. */
        PreconditionFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PreconditionFailedFailure"];
            };
        };
        /** @description `PRECONDITION-REQUIRED`: Conditional write without an `If-Match` header. */
        PreconditionRequired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PreconditionRequiredFailure"];
            };
        };
        /** @description `INVALID-TRANSITION`: From/to pair not in the workflow's allowed map. */
        InvalidTransition: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidTransitionFailure"];
            };
        };
        /** @description Success. */
        AttachmentSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AttachmentSuccess"];
            };
        };
        /** @description `UPLOAD-TOO-LARGE`: Size over the configured maximum. */
        UploadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UploadTooLargeFailure"];
            };
        };
        /** @description `UPLOAD-MIME-REJECTED`: Detected type not on the allowlist. */
        UploadMimeRejected: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UploadMimeRejectedFailure"];
            };
        };
        /** @description `RANGE-NOT-SATISFIABLE`: `Range` outside the content; `Content-Range` gives its size. */
        RangeNotSatisfiable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RangeNotSatisfiableFailure"];
            };
        };
        /** @description `CHANGES-GONE`: A change after `after` or `Last-Event-ID` is no longer recorded, because of its age or to make room (`Data.reason` `forgotten`); or the id is newer than every change (`ahead`): it is wrong, or the database was restored from a backup. */
        ChangesGone: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ChangesGoneFailure"];
            };
        };
        /** @description `CONFLICT`: See the description of the operation. */
        UndoActivityConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UndoActivityConflictFailure"];
            };
        };
        /** @description Success. */
        PlanSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PlanSuccess"];
            };
        };
        /**
         * @description `PLAN-INVALID`: See the description of the operation.
         *
         *     `VALIDATION-FAILED`: Input validation fails; `Data.details` says which fields and why.
         */
        CreatePlanPlanInvalidOrValidationFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CreatePlanPlanInvalidFailure"] | components["schemas"]["ValidationFailedFailure"];
            };
        };
        /**
         * @description `CONFLICT`: See the description of the operation.
         *
         *     `PLAN-DECIDED`: See the description of the operation.
         */
        ApplyPlanConflictOrApplyPlanPlanDecided: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApplyPlanConflictFailure"] | components["schemas"]["ApplyPlanPlanDecidedFailure"];
            };
        };
        /** @description `PLAN-DECIDED`: See the description of the operation. */
        RefusePlanPlanDecided: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RefusePlanPlanDecidedFailure"];
            };
        };
        /** @description Success. */
        SubscriptionSuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SubscriptionSuccess"];
            };
        };
        /** @description Success. */
        DeliverySuccess: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DeliverySuccess"];
            };
        };
        /** @description `DOWNSTREAM-FAILED`: A downstream call failed while its circuit is closed. */
        DownstreamFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DownstreamFailedFailure"];
            };
        };
    };
    parameters: {
        /**
         * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
         * @example handling=strict
         */
        Prefer: string;
        /**
         * @description Checked, but not used: this request is part of no run that the caller names.
         * @example tidy-up-7
         */
        UnusedRunId: string;
        /**
         * @description Its key.
         * @example 1
         */
        Id: number;
        /** @description Any string, a new one for each new operation. If you send it again within 24 hours with the same body, you get the first answer again (`Idempotent-Replayed: true`), even if the operation failed. A request that is refused before the operation begins (401, 403, 429, an invalid body or field) does not use up the key, nor does a 5xx: send the same key again. */
        IdempotencyKey: string;
        /** @description At most so many. */
        Limit: number;
        /** @description `next_cursor` of the previous page. */
        Cursor: number;
        /**
         * @description The user's `id`.
         * @example 2
         */
        UserId: number;
        /**
         * @description Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
         * @example tidy-up-7
         */
        RunId: string;
        /** @description Only the one with this id. */
        OnlyId: number;
        /**
         * @description Only those that contain this text.
         * @example milk
         */
        Q: string;
        /**
         * @description Only those changed at this time or later.
         * @example 2026-11-21T09:30:00Z
         */
        UpdatedSince: string;
        /** @description Only say what would happen. */
        DryRun: boolean;
        /**
         * @description `ETag` of the version to replace, or `*`.
         * @example "v1"
         */
        IfMatch: string;
        /**
         * @description Kind of the target: 1 to 64 letters, digits, `_`, `.` or `-`.
         * @example memo
         */
        TargetType: string;
        /**
         * @description Key of the target among those of its kind.
         * @example 1
         */
        TargetId: number;
        /**
         * @description Kind of the reaction.
         * @example like
         */
        ReactionType: "like" | "heart" | "laugh" | "sad" | "wow";
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
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetHealthSuccess"];
                };
            };
            400: components["responses"]["RequestInvalid"];
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
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListErrorsSuccess"];
                };
            };
            400: components["responses"]["RequestInvalid"];
            405: components["responses"]["MethodNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getError: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description As in `errorCode`.
                 * @example TODO-NOT-FOUND
                 */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetErrorSuccess"];
                };
            };
            400: components["responses"]["RequestInvalid"];
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
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Credentials"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginSuccess"];
                };
            };
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogoutSuccess"];
                };
            };
            400: components["responses"]["BadRequestOrRequestInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSessionsSuccess"];
                };
            };
            400: components["responses"]["RequestInvalid"];
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
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndSessionSuccess"];
                };
            };
            400: components["responses"]["RequestInvalid"];
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
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndOtherSessionsSuccess"];
                };
            };
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
            query?: never;
            header?: {
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCurrentSessionSuccess"];
                };
            };
            400: components["responses"]["RequestInvalid"];
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
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAccessTokensSuccess"];
                };
            };
            400: components["responses"]["RequestInvalid"];
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
                /** @description Any string, a new one for each new operation. If you send it again within 24 hours with the same body, you get the first answer again (`Idempotent-Replayed: true`), even if the operation failed. A request that is refused before the operation begins (401, 403, 429, an invalid body or field) does not use up the key, nor does a 5xx: send the same key again. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAccessToken"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateAccessTokenSuccess"];
                };
            };
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                /** @description Any string, a new one for each new operation. If you send it again within 24 hours with the same body, you get the first answer again (`Idempotent-Replayed: true`), even if the operation failed. A request that is refused before the operation begins (401, 403, 429, an invalid body or field) does not use up the key, nor does a 5xx: send the same key again. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DerivedAccessToken"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeriveAccessTokenSuccess"];
                };
            };
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DeletedSuccess"];
            400: components["responses"]["RequestInvalid"];
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
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            200: components["responses"]["DoneSuccess"];
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
    confirmSecondFactor: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorCode"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfirmSecondFactorSuccess"];
                };
            };
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorBegin"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BeginSecondFactorSuccess"];
                };
            };
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorEnd"];
            };
        };
        responses: {
            200: components["responses"]["DoneSuccess"];
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Credentials"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssueTokenSuccess"];
                };
            };
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetTokenClaimsSuccess"];
                };
            };
            400: components["responses"]["RequestInvalid"];
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
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListGrantsSuccess"];
                };
            };
            400: components["responses"]["RequestInvalid"];
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
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DeletedSuccess"];
            400: components["responses"]["RequestInvalid"];
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
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetRequest"];
            };
        };
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestPasswordResetSuccess"];
                };
            };
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The raw token from the email, 64 hexadecimal characters.
                 * @example 0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d
                 */
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPassword"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResetPasswordSuccess"];
                };
            };
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                /** @description At most so many. */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the previous page. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only events of this user. */
                user_id?: number;
                /**
                 * @description Only events of this kind.
                 * @example login
                 */
                event?: components["schemas"]["AuditEventName"];
            };
            header?: {
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAuditEventsSuccess"];
                };
            };
            400: components["responses"]["RequestInvalid"];
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
                /** @description At most so many. */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the previous page. */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Only those whose login name, name or email address contains this text. `A` to `Z` match `a` to `z`; there are no wildcards.
                 * @example demo
                 */
                q?: string;
                /** @description Only those who have this role. */
                role?: components["schemas"]["Role"];
                /** @description Only those who are locked, or only those who are not. */
                locked?: boolean;
            };
            header?: {
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListUsersSuccess"];
                };
            };
            400: components["responses"]["RequestInvalid"];
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
                /** @description Any string, a new one for each new operation. If you send it again within 24 hours with the same body, you get the first answer again (`Idempotent-Replayed: true`), even if the operation failed. A request that is refused before the operation begins (401, 403, 429, an invalid body or field) does not use up the key, nor does a 5xx: send the same key again. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAccount"];
            };
        };
        responses: {
            200: components["responses"]["AccountSuccess"];
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The user's `id`.
                 * @example 2
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AccountSuccess"];
            400: components["responses"]["RequestInvalid"];
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
    changeUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The user's `id`.
                 * @example 2
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountChange"];
            };
        };
        responses: {
            200: components["responses"]["AccountSuccess"];
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
    endUserSessions: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The user's `id`.
                 * @example 2
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AccountSuccess"];
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                /** @description Any string, a new one for each new operation. If you send it again within 24 hours with the same body, you get the first answer again (`Idempotent-Replayed: true`), even if the operation failed. A request that is refused before the operation begins (401, 403, 429, an invalid body or field) does not use up the key, nor does a 5xx: send the same key again. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description Todos to create. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description Done in this order. */
                    items: components["schemas"]["NewTodo"][];
                    /** @description Only say what would happen. */
                    dry_run?: boolean;
                };
            };
        };
        responses: {
            200: components["responses"]["BatchSuccess"];
            207: components["responses"]["BatchPartial"];
            400: components["responses"]["BadRequestOrBatchTooLargeOrRequestInvalid"];
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
                /** @description Any string, a new one for each new operation. If you send it again within 24 hours with the same body, you get the first answer again (`Idempotent-Replayed: true`), even if the operation failed. A request that is refused before the operation begins (401, 403, 429, an invalid body or field) does not use up the key, nor does a 5xx: send the same key again. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description Changes of todos. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description Done in this order. */
                    items: components["schemas"]["TodoItemChange"][];
                    /** @description Only say what would happen. */
                    dry_run?: boolean;
                };
            };
        };
        responses: {
            200: components["responses"]["BatchSuccess"];
            207: components["responses"]["BatchPartial"];
            400: components["responses"]["BadRequestOrBatchTooLargeOrRequestInvalid"];
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
                /** @description Any string, a new one for each new operation. If you send it again within 24 hours with the same body, you get the first answer again (`Idempotent-Replayed: true`), even if the operation failed. A request that is refused before the operation begins (401, 403, 429, an invalid body or field) does not use up the key, nor does a 5xx: send the same key again. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description Todos to delete. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description Done in this order. */
                    ids: number[];
                    /** @description Only say what would happen. */
                    dry_run?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteTodosSuccess"];
                };
            };
            /** @description Some items were done, others were not. */
            207: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteTodosPartial"];
                };
            };
            400: components["responses"]["BadRequestOrBatchTooLargeOrRequestInvalid"];
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
    listTodos: {
        parameters: {
            query?: {
                /** @description At most so many. */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the previous page. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only the one with this id. */
                id?: components["parameters"]["OnlyId"];
                /** @description Only those that are done, or that are not. */
                is_completed?: boolean;
                /**
                 * @description Only those that contain this text.
                 * @example milk
                 */
                q?: components["parameters"]["Q"];
                /**
                 * @description Only those changed at this time or later.
                 * @example 2026-11-21T09:30:00Z
                 */
                updated_since?: components["parameters"]["UpdatedSince"];
            };
            header?: {
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTodosSuccess"];
                };
            };
            400: components["responses"]["RequestInvalid"];
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
                /** @description Any string, a new one for each new operation. If you send it again within 24 hours with the same body, you get the first answer again (`Idempotent-Replayed: true`), even if the operation failed. A request that is refused before the operation begins (401, 403, 429, an invalid body or field) does not use up the key, nor does a 5xx: send the same key again. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTodo"];
            };
        };
        responses: {
            200: components["responses"]["TodoSuccess"];
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
    getTodo: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["TodoSuccess"];
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                 * @description Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TodoReplacement"];
            };
        };
        responses: {
            200: components["responses"]["TodoSuccess"];
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                /** @description Only say what would happen. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /**
                 * @description Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DeletedSuccess"];
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                 * @description Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TodoChange"];
            };
        };
        responses: {
            200: components["responses"]["TodoSuccess"];
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
    listMemos: {
        parameters: {
            query?: {
                /** @description At most so many. */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the previous page. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only the one with this id. */
                id?: components["parameters"]["OnlyId"];
                /**
                 * @description Only those that contain this text.
                 * @example milk
                 */
                q?: components["parameters"]["Q"];
                /**
                 * @description Only those changed at this time or later.
                 * @example 2026-11-21T09:30:00Z
                 */
                updated_since?: components["parameters"]["UpdatedSince"];
            };
            header?: {
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMemosSuccess"];
                };
            };
            400: components["responses"]["RequestInvalid"];
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
                /** @description Any string, a new one for each new operation. If you send it again within 24 hours with the same body, you get the first answer again (`Idempotent-Replayed: true`), even if the operation failed. A request that is refused before the operation begins (401, 403, 429, an invalid body or field) does not use up the key, nor does a 5xx: send the same key again. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemoContent"];
            };
        };
        responses: {
            200: components["responses"]["MemoSuccess"];
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
    getMemo: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `ETag` of the version that the caller has: 304 if it is still the same.
                 * @example "v1"
                 */
                "if-none-match"?: string;
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Its key.
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
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                 * @description `ETag` of the version to replace, or `*`.
                 * @example "v1"
                 */
                "if-match": components["parameters"]["IfMatch"];
                /**
                 * @description Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemoContent"];
            };
        };
        responses: {
            200: components["responses"]["MemoSuccess"];
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                /** @description Only say what would happen. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header: {
                /**
                 * @description `ETag` of the version to replace, or `*`.
                 * @example "v1"
                 */
                "if-match": components["parameters"]["IfMatch"];
                /**
                 * @description Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DeletedSuccess"];
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
    moveMemo: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `ETag` of the version to replace, or `*`.
                 * @example "v1"
                 */
                "if-match"?: string;
                /**
                 * @description Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemoTransition"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MoveMemoSuccess"];
                };
            };
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
    listAttachments: {
        parameters: {
            query?: {
                /** @description At most so many. */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the previous page. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only the one with this id. */
                id?: components["parameters"]["OnlyId"];
                /**
                 * @description Only those that contain this text.
                 * @example milk
                 */
                q?: components["parameters"]["Q"];
                /**
                 * @description Only those created at this time or later.
                 * @example 2026-11-21T09:30:00Z
                 */
                created_since?: string;
            };
            header?: {
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAttachmentsSuccess"];
                };
            };
            400: components["responses"]["RequestInvalid"];
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
                /** @description Any string, a new one for each new operation. If you send it again within 24 hours with the same body, you get the first answer again (`Idempotent-Replayed: true`), even if the operation failed. A request that is refused before the operation begins (401, 403, 429, an invalid body or field) does not use up the key, nor does a 5xx: send the same key again. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["UploadForm"];
            };
        };
        responses: {
            200: components["responses"]["AttachmentSuccess"];
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
    getAttachment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AttachmentSuccess"];
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                /** @description Only say what would happen. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /**
                 * @description Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["RunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DeletedSuccess"];
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
    getAttachmentLink: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAttachmentLinkSuccess"];
                };
            };
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                 * @description When the link expires, in seconds since 1970.
                 * @example 1795255200
                 */
                expires: number;
                /**
                 * @description HMAC-SHA256 of path and other parameters, hex.
                 * @example 0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d
                 */
                signature: string;
            };
            header?: {
                /**
                 * @description The bytes to return.
                 * @example bytes=0-1023
                 */
                range?: string;
                /** @description `ETag` of the part that the caller has. */
                "if-range"?: string;
                /** @description `ETag` of the content that is wanted, or `*`. */
                "if-match"?: string;
                /** @description `ETag` of the content that the caller has: if it is still the same, the answer is 304. */
                "if-none-match"?: string;
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The content, with the type that was found. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": Blob;
                };
            };
            /** @description The range that was asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": Blob;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                 * @description Only those that contain this text.
                 * @example milk
                 */
                q: string;
                /**
                 * @description Only of these kinds, with commas between them.
                 * @example todo,memo
                 */
                kinds?: string;
                /** @description At most so many. */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description `next_cursor` of the previous page.
                 * @example todo:7
                 */
                cursor?: string;
            };
            header?: {
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchSuccess"];
                };
            };
            400: components["responses"]["RequestInvalid"];
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
                /** @description At most so many. */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the previous page. */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Only of this run.
                 * @example tidy-up-7
                 */
                run?: string;
                /** @description Only of this kind. */
                kind?: components["schemas"]["Kind"];
                /** @description Only of this row. */
                key?: number;
                /** @description Only those made with this access token. */
                token_id?: number;
                /**
                 * @description Only from this time on.
                 * @example 2026-11-21T09:30:00.000Z
                 */
                since?: string;
                /** @description Only those after this id, oldest first, without `cursor`. Go on with `next_after` until a page is empty. */
                after?: number;
                /** @description Waits for a change after `after`, or from now on. */
                wait?: number;
            };
            header?: {
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListActivitySuccess"];
                };
            };
            400: components["responses"]["RequestInvalid"];
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
                /** @description Begins after the change with this id; without it, with the next change. */
                after?: number;
            };
            header?: {
                /**
                 * @description The same as `after`, which it overrides: browsers send it when they reconnect.
                 * @example 7
                 */
                "last-event-id"?: string;
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. It lasts until one side ends it. */
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
            400: components["responses"]["RequestInvalid"];
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
                /** @description At most so many. */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the previous page. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityRunsSuccess"];
                };
            };
            400: components["responses"]["RequestInvalid"];
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
                /** @description Any string, a new one for each new operation. If you send it again within 24 hours with the same body, you get the first answer again (`Idempotent-Replayed: true`), even if the operation failed. A request that is refused before the operation begins (401, 403, 429, an invalid body or field) does not use up the key, nor does a 5xx: send the same key again. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UndoRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UndoActivitySuccess"];
                };
            };
            /** @description Some items were done, others were not. */
            207: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UndoActivityPartial"];
                };
            };
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                /** @description At most so many. */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the previous page. */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Only in this state.
                 * @example pending
                 */
                state?: components["schemas"]["PlanState"];
            };
            header?: {
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListPlansSuccess"];
                };
            };
            400: components["responses"]["RequestInvalid"];
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
            query?: never;
            header?: {
                /** @description Any string, a new one for each new operation. If you send it again within 24 hours with the same body, you get the first answer again (`Idempotent-Replayed: true`), even if the operation failed. A request that is refused before the operation begins (401, 403, 429, an invalid body or field) does not use up the key, nor does a 5xx: send the same key again. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPlan"];
            };
        };
        responses: {
            200: components["responses"]["PlanSuccess"];
            400: components["responses"]["BadRequestOrBatchTooLargeOrRequestInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            422: components["responses"]["CreatePlanPlanInvalidOrValidationFailed"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPlan: {
        parameters: {
            query?: {
                /** @description Waits so many seconds for a decision. */
                wait?: number;
            };
            header?: {
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PlanSuccess"];
            400: components["responses"]["RequestInvalid"];
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
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PlanSuccess"];
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
    refusePlan: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlanRefusal"];
            };
        };
        responses: {
            200: components["responses"]["PlanSuccess"];
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSubscriptionsSuccess"];
                };
            };
            400: components["responses"]["RequestInvalid"];
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
                /** @description Any string, a new one for each new operation. If you send it again within 24 hours with the same body, you get the first answer again (`Idempotent-Replayed: true`), even if the operation failed. A request that is refused before the operation begins (401, 403, 429, an invalid body or field) does not use up the key, nor does a 5xx: send the same key again. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSubscription"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateSubscriptionSuccess"];
                };
            };
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SubscriptionSuccess"];
            400: components["responses"]["RequestInvalid"];
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
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DeletedSuccess"];
            400: components["responses"]["RequestInvalid"];
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
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionChange"];
            };
        };
        responses: {
            200: components["responses"]["SubscriptionSuccess"];
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotateSubscriptionSecretSuccess"];
                };
            };
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DeliverySuccess"];
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SubscriptionSuccess"];
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                /** @description At most so many. */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the previous page. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDeliveriesSuccess"];
                };
            };
            400: components["responses"]["RequestInvalid"];
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
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Its key.
                 * @example 1
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Redelivery"];
            };
        };
        responses: {
            200: components["responses"]["DeliverySuccess"];
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                /** @description Any string, a new one for each new operation. If you send it again within 24 hours with the same body, you get the first answer again (`Idempotent-Replayed: true`), even if the operation failed. A request that is refused before the operation begins (401, 403, 429, an invalid body or field) does not use up the key, nor does a 5xx: send the same key again. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewMail"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendMailSuccess"];
                };
            };
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                 * @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `t`, a full stop and the body as it is sent. Several `v1` are allowed.
                 * @example t=1795253400,v1=0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d
                 */
                "x-webhook-signature": string;
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiveWebhookSuccess"];
                };
            };
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Kind of the target: 1 to 64 letters, digits, `_`, `.` or `-`.
                 * @example memo
                 */
                targetType: components["parameters"]["TargetType"];
                /**
                 * @description Key of the target among those of its kind.
                 * @example 1
                 */
                targetId: components["parameters"]["TargetId"];
                /**
                 * @description Kind of the reaction.
                 * @example like
                 */
                reactionType: components["parameters"]["ReactionType"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToggleReactionSuccess"];
                };
            };
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
    removeReaction: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Kind of the target: 1 to 64 letters, digits, `_`, `.` or `-`.
                 * @example memo
                 */
                targetType: components["parameters"]["TargetType"];
                /**
                 * @description Key of the target among those of its kind.
                 * @example 1
                 */
                targetId: components["parameters"]["TargetId"];
                /**
                 * @description Kind of the reaction.
                 * @example like
                 */
                reactionType: components["parameters"]["ReactionType"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemoveReactionSuccess"];
                };
            };
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description Kind of the target: 1 to 64 letters, digits, `_`, `.` or `-`.
                 * @example memo
                 */
                targetType: components["parameters"]["TargetType"];
                /**
                 * @description Key of the target among those of its kind.
                 * @example 1
                 */
                targetId: components["parameters"]["TargetId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetReactionSummarySuccess"];
                };
            };
            400: components["responses"]["RequestInvalid"];
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
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluateFeatureFlagsSuccess"];
                };
            };
            400: components["responses"]["RequestInvalid"];
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
                /** @description At most so many. */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the previous page. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListFeatureFlagsSuccess"];
                };
            };
            400: components["responses"]["RequestInvalid"];
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
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FlagSetting"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetFeatureFlagSuccess"];
                };
            };
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The user's `id`.
                 * @example 2
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OverrideSetting"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetFlagOverrideSuccess"];
                };
            };
            400: components["responses"]["BadRequestOrRequestInvalid"];
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
                 * @description Name of the flag.
                 * @example checkout.new-form
                 */
                flag_name: string;
            };
            header?: {
                /**
                 * @description Checked, but not used: this request is part of no run that the caller names.
                 * @example tidy-up-7
                 */
                "x-run-id"?: components["parameters"]["UnusedRunId"];
                /**
                 * @description RFC 7240. `handling=strict`: unknown fields and parameters are refused, not ignored, and so is `If-Match` where it is not checked; the default with an access token, which `handling=lenient` turns off. `return=minimal`: batches and undo return only keys, lists of changes no rows.
                 * @example handling=strict
                 */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The user's `id`.
                 * @example 2
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemoveFlagOverrideSuccess"];
                };
            };
            400: components["responses"]["RequestInvalid"];
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
}
/** Every code of the catalog. */
export type ErrorCode =
  | 'TODO-ID-REQUIRED'
  | 'TODO-NOT-FOUND'
  | 'MEMO-ID-REQUIRED'
  | 'MEMO-NOT-FOUND'
  | 'ATTACHMENT-ID-REQUIRED'
  | 'ATTACHMENT-NOT-FOUND'
  | 'SESSION-CLOSED'
  | 'LOGIN-FAILED'
  | 'SECOND-FACTOR-REQUIRED'
  | 'CSRF-TOKEN-INVALID'
  | 'METHOD-NOT-ALLOWED'
  | 'NOT-FOUND'
  | 'INTERNAL-ERROR'
  | 'ROUTE-CONFLICT'
  | 'TODO-TITLE-REQUIRED'
  | 'UPLOAD-FILE-REQUIRED'
  | 'UPLOAD-TOO-LARGE'
  | 'UPLOAD-MIME-REJECTED'
  | 'ACCOUNT-LOCKED'
  | 'BATCH-ITEM-FAILED'
  | 'BATCH-TOO-LARGE'
  | 'CIRCUIT-OPEN'
  | 'CONFLICT'
  | 'FORBIDDEN'
  | 'INVALID-TRANSITION'
  | 'JWT-INVALID'
  | 'ACCESS-TOKEN-INVALID'
  | 'ACCESS-TOKEN-NOT-FOUND'
  | 'SUBSCRIPTION-NOT-FOUND'
  | 'GRANT-NOT-FOUND'
  | 'SCOPE-INSUFFICIENT'
  | 'APPROVAL-NEEDED'
  | 'BUDGET-SPENT'
  | 'PRECONDITION-FAILED'
  | 'PRECONDITION-REQUIRED'
  | 'RATE-LIMIT-EXCEEDED'
  | 'CHANGES-GONE'
  | 'SIGNED-URL-EXPIRED'
  | 'SIGNED-URL-INVALID'
  | 'TOKEN-ALREADY-USED'
  | 'TOKEN-EXPIRED'
  | 'VALIDATION-FAILED'
  | 'WEBHOOK-SIGNATURE-INVALID'
  | 'REACTION-TYPE-INVALID'
  | 'REACTION-NOT-FOUND'
  | 'REQUEST-INVALID'
  | 'BODY-INVALID'
  | 'BODY-TOO-LARGE'
  | 'RANGE-NOT-SATISFIABLE'
  | 'SESSION-NOT-FOUND'
  | 'RUN-NOT-FOUND'
  | 'PLAN-INVALID'
  | 'PLAN-NOT-FOUND'
  | 'PLAN-DECIDED'
  | 'FLAG-NOT-FOUND'
  | 'USER-NOT-FOUND'
  | 'DOWNSTREAM-FAILED'
  | 'SERVICE-OVERLOADED'
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
  'SESSION-CLOSED': {"retry":"after_change","remedy":"Send an access token with the `scope` that `WWW-Authenticate` names; if it names none, sign in with `POST /session/login` and send its cookie, or send a Bearer credential that the operation accepts: its `security` in `/api-docs/json` says which."},
  'LOGIN-FAILED': {"retry":"after_change","remedy":"Send the correct `user_id` and `user_pass`, and an unused `code` if the user has a second factor; repeated failures lock the account."},
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
  'CONFLICT': {"retry":"later","remedy":"Send it again unchanged only if there is `Retry-After`; by `Data.reason`: `running`, send it again after `Retry-After` seconds; `quota`, delete what is no longer needed; or wait for `Retry-After` seconds, if that is given; `taken`, choose another value for the field that `Data.taken` names; `last-administrator`, make another user an administrator first; `undone`, to have it again, undo the run that `Data.undone_by` names; `changed`, read its current state, which does not allow this; after an undo, `Data.conflicts` says why."},
  'FORBIDDEN': {"retry":"after_change","remedy":"Use a credential whose user has the role that the operation needs; for a webhook that an access token made, that token; a token that two others stand above cannot derive a further one."},
  'INVALID-TRANSITION': {"retry":"after_change","remedy":"Choose one of the states in `Data.allowed_next`."},
  'JWT-INVALID': {"retry":"after_change","remedy":"Get a new JWT with `POST /token/issue` and send it as `Authorization: Bearer`."},
  'ACCESS-TOKEN-INVALID': {"retry":"after_change","remedy":"Send `Authorization: Bearer` with the token exactly as it was shown, or ask its user for a new one, made with `POST /accesstoken/index`; at `/metrics`, send `SVC_METRICS_TOKEN`."},
  'ACCESS-TOKEN-NOT-FOUND': {"retry":"after_change","remedy":"Use an `id` that `GET /accesstoken/index` lists for this user."},
  'SUBSCRIPTION-NOT-FOUND': {"retry":"after_change","remedy":"Use an `id` that `GET /subscription/index` lists for this credential."},
  'GRANT-NOT-FOUND': {"retry":"after_change","remedy":"Use an `id` that `GET /grant/index` lists for this user."},
  'SCOPE-INSUFFICIENT': {"retry":"after_change","remedy":"Ask the user for an access token that also has the scope of this operation, which `WWW-Authenticate` names; `GET /session/current` shows what this one may call."},
  'APPROVAL-NEEDED': {"retry":"after_change","remedy":"Propose it with `POST /plan/index`, then wait with `GET /plan/item/id_{id}?wait=30` until a person has decided."},
  'BUDGET-SPENT': {"retry":"no","remedy":"Send a request that changes less, or ask the user for another access token; `GET /session/current` shows `changes_left`."},
  'PRECONDITION-FAILED': {"retry":"after_change","remedy":"Read the resource again, apply the change to its current state, and send its new `ETag` as `If-Match`."},
  'PRECONDITION-REQUIRED': {"retry":"after_change","remedy":"Read the resource and send its `ETag` as `If-Match`."},
  'RATE-LIMIT-EXCEEDED': {"retry":"later","remedy":"Send it again after `Retry-After` seconds; `GET /session/current` shows every limit."},
  'CHANGES-GONE': {"retry":"after_change","remedy":"Begin again without `after`, then read the rows themselves: what changes meanwhile is told."},
  'SIGNED-URL-EXPIRED': {"retry":"after_change","remedy":"Get a new link, for example with `GET /attachment/link/id_{id}`."},
  'SIGNED-URL-INVALID': {"retry":"after_change","remedy":"Use the link exactly as it was given, or ask for a new one."},
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
  'RUN-NOT-FOUND': {"retry":"after_change","remedy":"Use a `run` that `GET /activity/runs` lists for this user."},
  'PLAN-INVALID': {"retry":"after_change","remedy":"Correct the step `Data.step` (the first is 0) as `Data.failure` says, then propose the plan again."},
  'PLAN-NOT-FOUND': {"retry":"after_change","remedy":"Use an `id` that `GET /plan/index` lists for this user."},
  'PLAN-DECIDED': {"retry":"after_change","remedy":"Read `Data.state`; propose a new plan if it is still wanted."},
  'FLAG-NOT-FOUND': {"retry":"after_change","remedy":"Create the flag first with `POST /admin/featureflag/index`."},
  'USER-NOT-FOUND': {"retry":"after_change","remedy":"Name a user that exists."},
  'DOWNSTREAM-FAILED': {"retry":"later","remedy":"Send it again after `Retry-After` seconds; the call may have succeeded although no answer came."},
  'SERVICE-OVERLOADED': {"retry":"later","remedy":"Send it again after `Retry-After` seconds."}
}
/** Operations that honour `Idempotency-Key`. */
export const idempotent: readonly string[] = ['post /accesstoken/index', 'post /accesstoken/derive', 'post /admin/user/index', 'post /todo/batch', 'patch /todo/batch', 'post /todo/remove', 'post /todo/index', 'post /memo/index', 'post /attachment/index', 'post /activity/undo', 'post /plan/index', 'post /subscription/index', 'post /admin/mail/index']
/** Operations that answer with a file. */
export const files: readonly string[] = ['get /attachment/download/id_{id}']
/** The codes that each operation can fail with. */
export interface FailureCodes {
  'GET /health/index': 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'VALIDATION-FAILED'
  'GET /error/index': 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'VALIDATION-FAILED'
  'GET /error/item/code_{code}': 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'NOT-FOUND' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'VALIDATION-FAILED'
  'POST /session/login': 'ACCOUNT-LOCKED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'LOGIN-FAILED' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SECOND-FACTOR-REQUIRED' | 'SERVICE-OVERLOADED' | 'VALIDATION-FAILED'
  'POST /session/logout': 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /session/index': 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'DELETE /session/item/id_{id}': 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'SESSION-NOT-FOUND' | 'VALIDATION-FAILED'
  'POST /session/endothers': 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /session/current': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /accesstoken/index': 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /accesstoken/index': 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /accesstoken/derive': 'ACCESS-TOKEN-INVALID' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CONFLICT' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'VALIDATION-FAILED'
  'DELETE /accesstoken/item/id_{id}': 'ACCESS-TOKEN-NOT-FOUND' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'PUT /account/password': 'ACCOUNT-LOCKED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'LOGIN-FAILED' | 'METHOD-NOT-ALLOWED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
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
  'POST /admin/user/endsessions/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CSRF-TOKEN-INVALID' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'USER-NOT-FOUND' | 'VALIDATION-FAILED'
  'POST /todo/batch': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BATCH-ITEM-FAILED' | 'BATCH-TOO-LARGE' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'BUDGET-SPENT' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'PATCH /todo/batch': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BATCH-ITEM-FAILED' | 'BATCH-TOO-LARGE' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'BUDGET-SPENT' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /todo/remove': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BATCH-ITEM-FAILED' | 'BATCH-TOO-LARGE' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'BUDGET-SPENT' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /todo/index': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /todo/index': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'BUDGET-SPENT' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'TODO-TITLE-REQUIRED' | 'VALIDATION-FAILED'
  'GET /todo/item/id_{id}': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'TODO-ID-REQUIRED' | 'TODO-NOT-FOUND' | 'VALIDATION-FAILED'
  'PUT /todo/item/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'BUDGET-SPENT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'TODO-ID-REQUIRED' | 'TODO-NOT-FOUND' | 'TODO-TITLE-REQUIRED' | 'VALIDATION-FAILED'
  'PATCH /todo/item/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'BUDGET-SPENT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'TODO-ID-REQUIRED' | 'TODO-NOT-FOUND' | 'TODO-TITLE-REQUIRED' | 'VALIDATION-FAILED'
  'DELETE /todo/item/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BUDGET-SPENT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'TODO-ID-REQUIRED' | 'TODO-NOT-FOUND' | 'VALIDATION-FAILED'
  'GET /memo/index': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /memo/index': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'BUDGET-SPENT' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /memo/item/id_{id}': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'MEMO-ID-REQUIRED' | 'MEMO-NOT-FOUND' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'PUT /memo/item/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'BUDGET-SPENT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'MEMO-ID-REQUIRED' | 'MEMO-NOT-FOUND' | 'METHOD-NOT-ALLOWED' | 'PRECONDITION-FAILED' | 'PRECONDITION-REQUIRED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'DELETE /memo/item/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BUDGET-SPENT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'MEMO-ID-REQUIRED' | 'MEMO-NOT-FOUND' | 'METHOD-NOT-ALLOWED' | 'PRECONDITION-FAILED' | 'PRECONDITION-REQUIRED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'PUT /memo/state/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'BUDGET-SPENT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'INVALID-TRANSITION' | 'MEMO-ID-REQUIRED' | 'MEMO-NOT-FOUND' | 'METHOD-NOT-ALLOWED' | 'PRECONDITION-FAILED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /attachment/index': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /attachment/index': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BUDGET-SPENT' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'UPLOAD-FILE-REQUIRED' | 'UPLOAD-MIME-REJECTED' | 'UPLOAD-TOO-LARGE' | 'VALIDATION-FAILED'
  'GET /attachment/item/id_{id}': 'ACCESS-TOKEN-INVALID' | 'ATTACHMENT-ID-REQUIRED' | 'ATTACHMENT-NOT-FOUND' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'DELETE /attachment/item/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'ATTACHMENT-ID-REQUIRED' | 'ATTACHMENT-NOT-FOUND' | 'BUDGET-SPENT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /attachment/link/id_{id}': 'ACCESS-TOKEN-INVALID' | 'ATTACHMENT-ID-REQUIRED' | 'ATTACHMENT-NOT-FOUND' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /attachment/download/id_{id}': 'ATTACHMENT-ID-REQUIRED' | 'ATTACHMENT-NOT-FOUND' | 'INTERNAL-ERROR' | 'METHOD-NOT-ALLOWED' | 'PRECONDITION-FAILED' | 'RANGE-NOT-SATISFIABLE' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SIGNED-URL-EXPIRED' | 'SIGNED-URL-INVALID' | 'VALIDATION-FAILED'
  'GET /search/index': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /activity/index': 'ACCESS-TOKEN-INVALID' | 'CHANGES-GONE' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /activity/stream': 'ACCESS-TOKEN-INVALID' | 'CHANGES-GONE' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'NOT-FOUND' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /activity/runs': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /activity/undo': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'BUDGET-SPENT' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'RUN-NOT-FOUND' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /plan/index': 'ACCESS-TOKEN-INVALID' | 'BATCH-TOO-LARGE' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'PLAN-INVALID' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /plan/index': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /plan/item/id_{id}': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'PLAN-NOT-FOUND' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /plan/apply/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CONFLICT' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'PLAN-DECIDED' | 'PLAN-NOT-FOUND' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /plan/refuse/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'PLAN-DECIDED' | 'PLAN-NOT-FOUND' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
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
  'PUT /reaction/toggle/type_{targetType}/id_{targetId}/reaction_{reactionType}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REACTION-TYPE-INVALID' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'DELETE /reaction/item/type_{targetType}/id_{targetId}/reaction_{reactionType}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'CSRF-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REACTION-NOT-FOUND' | 'REACTION-TYPE-INVALID' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'GET /reaction/summary/type_{targetType}/id_{targetId}': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'VALIDATION-FAILED'
  'GET /featureflag/index': 'ACCESS-TOKEN-INVALID' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SERVICE-OVERLOADED' | 'VALIDATION-FAILED'
  'GET /admin/featureflag/index': 'ACCESS-TOKEN-INVALID' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'POST /admin/featureflag/index': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CSRF-TOKEN-INVALID' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'VALIDATION-FAILED'
  'PUT /admin/featureflag/override/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'BODY-INVALID' | 'BODY-TOO-LARGE' | 'CSRF-TOKEN-INVALID' | 'FLAG-NOT-FOUND' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'USER-NOT-FOUND' | 'VALIDATION-FAILED'
  'DELETE /admin/featureflag/override/id_{id}': 'ACCESS-TOKEN-INVALID' | 'APPROVAL-NEEDED' | 'CSRF-TOKEN-INVALID' | 'FLAG-NOT-FOUND' | 'FORBIDDEN' | 'INTERNAL-ERROR' | 'JWT-INVALID' | 'METHOD-NOT-ALLOWED' | 'RATE-LIMIT-EXCEEDED' | 'REQUEST-INVALID' | 'SCOPE-INSUFFICIENT' | 'SERVICE-OVERLOADED' | 'SESSION-CLOSED' | 'USER-NOT-FOUND' | 'VALIDATION-FAILED'
}
