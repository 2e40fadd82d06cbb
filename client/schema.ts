// Generated from docs/openapi.json by `npm run client`. Do not edit.

export interface paths {
    "/health/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Health of the service */
        get: operations["getHealth"];
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
         * @description Starts a session. Two `Set-Cookie: PHPSESSID` headers come back, the old id first and the new id last: use the last one.
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
    "/token/issue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Issue a JWT */
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
        /** Claims of the JWT that is sent */
        get: operations["getTokenClaims"];
        put?: never;
        post?: never;
        delete?: never;
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
         * Ask for a reset mail
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
         * @description Uses the token up and ends every session and JWT of the user.
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
        /** Create a todo */
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
        /** Read a todo */
        get: operations["getTodo"];
        /**
         * Replace a todo
         * @description `is_completed` stays as it is where it is left out.
         */
        put: operations["replaceTodo"];
        post?: never;
        /** Delete a todo */
        delete: operations["deleteTodo"];
        options?: never;
        head?: never;
        /** Change a todo */
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
         * @description 200 where all items were created, 207 where some, 422 where none.
         */
        post: operations["createTodos"];
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
         * @description Newest first.
         */
        get: operations["listMemos"];
        put?: never;
        /** Create a memo */
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
        /** Read a memo */
        get: operations["getMemo"];
        /** Replace a memo */
        put: operations["replaceMemo"];
        post?: never;
        /** Delete a memo */
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
         * @description draft → published → archived, and published → draft.
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
         * @description The type is found by content, whatever the client says.
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
         * @description Its description; the content has a link.
         */
        get: operations["getAttachment"];
        put?: never;
        post?: never;
        /**
         * Delete an attachment
         * @description Links to it end at once.
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
         * @description Whoever has the link may download until it expires.
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
         * @description `GET /attachment/link/id_{id}` gives the URL. One byte range may be asked for.
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
         * Send a mail to a user
         * @description Answers when the mail server has taken the mail. After five failures in a row the server is left alone for 30 seconds: `CIRCUIT-OPEN`, with `Retry-After`.
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
         * @description The same signature again stores nothing and answers `duplicate: true`.
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
         * Add a reaction, or take it away
         * @description Always 200; `action` says which of the two it was.
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
        /** Take a reaction away */
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
        /** Count the reactions to a target */
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
         * @description A field that is left out keeps its value; in a new flag it is `false` or 0. Raising `rollout_pct` takes the flag from nobody.
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
         * @description Adds or changes the override, which grants the flag or takes it away.
         */
        put: operations["setFlagOverride"];
        post?: never;
        /**
         * Remove a user's override
         * @description The user is back at the global value. `removed` is false where there was none.
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
        /**
         * @example {
         *       "id": 1,
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "event": "login",
         *       "user_id": 2,
         *       "via": "password",
         *       "address": "127.0.0.1",
         *       "request_id": "855a4624-2695-438e-b91d-0da00054990f",
         *       "subject": "demo",
         *       "detail": null
         *     }
         */
        AuditEvent: {
            id: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-11-21T09:30:00.000Z
             */
            created_at: string;
            /**
             * @example login
             * @enum {string}
             */
            event: "login" | "login-failed" | "lock" | "unlock" | "logout" | "token-issue" | "reset-request" | "password-change" | "role-change" | "flag-change" | "override-change";
            user_id: number | null;
            /**
             * @description Which way in: session, bearer, jwt, password, mail or cli.
             * @example password
             */
            via: string;
            address: string | null;
            request_id: string | null;
            subject: string | null;
            detail: string | null;
        };
        /**
         * @example {
         *       "id": 2,
         *       "user_id": "demo",
         *       "user_name": "Demo",
         *       "e_mail": "demo@example.com"
         *     }
         */
        User: {
            id: number;
            user_id: string;
            user_name: string;
            e_mail: string;
        };
        /**
         * @example {
         *       "user_id": "demo",
         *       "user_pass": "demo"
         *     }
         */
        Credentials: {
            user_id: string;
            user_pass: string;
        };
        /**
         * @example {
         *       "password": "correct horse battery"
         *     }
         */
        NewPassword: {
            /** @description At least 8 characters, at most 72 bytes in UTF-8. */
            password: string;
        };
        /**
         * @example {
         *       "email": "demo@example.com"
         *     }
         */
        ResetRequest: {
            email: string;
        };
        /**
         * @example {
         *       "sub": "2",
         *       "role": "user",
         *       "iat": 1795253400,
         *       "exp": 1795257000
         *     }
         */
        TokenClaims: {
            /** @description The user's `id`. */
            sub: string;
            role?: string;
            iat?: number;
            exp: number;
            nbf?: number;
        };
        /**
         * @example {
         *       "id": 1,
         *       "title": "Buy milk",
         *       "is_completed": false,
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "updated_at": "2026-11-21T09:30:00.000Z"
         *     }
         */
        Todo: {
            id: number;
            title: string;
            is_completed: boolean;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-11-21T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-11-21T09:30:00.000Z
             */
            updated_at: string;
        };
        /**
         * @example {
         *       "title": "Buy milk"
         *     }
         */
        NewTodo: {
            /**
             * @description Stored trimmed. White space alone is no title.
             * @example Buy milk
             */
            title: string;
        };
        /**
         * @example {
         *       "title": "Buy oat milk",
         *       "is_completed": true
         *     }
         */
        TodoReplacement: {
            /**
             * @description Stored trimmed. White space alone is no title.
             * @example Buy milk
             */
            title: string;
            /** @example false */
            is_completed?: boolean;
        };
        /**
         * @description Either field, or both.
         * @example {
         *       "is_completed": true
         *     }
         */
        TodoChange: {
            /**
             * @description Stored trimmed. White space alone is no title.
             * @example Buy milk
             */
            title?: string;
            /** @example false */
            is_completed?: boolean;
        } | unknown | unknown;
        /**
         * @example {
         *       "index": 0,
         *       "status": "failure",
         *       "errorCode": "TODO-TITLE-REQUIRED",
         *       "errorMessage": "TODO title is required."
         *     }
         */
        BatchItem: {
            /**
             * @description Position in the request, from 0.
             * @example 0
             */
            index: number;
            /** @enum {string} */
            status: "success";
            todo: components["schemas"]["Todo"];
        } | {
            /**
             * @description Position in the request, from 0.
             * @example 0
             */
            index: number;
            /** @enum {string} */
            status: "failure";
            /** @example TODO-TITLE-REQUIRED */
            errorCode: string;
            /** @example TODO title is required. */
            errorMessage: string;
        };
        /**
         * @example {
         *       "id": 1,
         *       "body": "Call the plumber",
         *       "state": "draft",
         *       "version": 1,
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "updated_at": "2026-11-21T09:30:00.000Z"
         *     }
         */
        Memo: {
            id: number;
            body: string;
            /**
             * @example draft
             * @enum {string}
             */
            state: "draft" | "published" | "archived";
            /** @description Grows by one with every change; the `ETag` names it. */
            version: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-11-21T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-11-21T09:30:00.000Z
             */
            updated_at: string;
        };
        /**
         * @example {
         *       "body": "Call the plumber"
         *     }
         */
        MemoContent: {
            /** @example Call the plumber */
            body: string;
        };
        /**
         * @example {
         *       "to_state": "published"
         *     }
         */
        MemoTransition: {
            /**
             * @example draft
             * @enum {string}
             */
            to_state: "draft" | "published" | "archived";
        };
        /**
         * @example {
         *       "id": 1,
         *       "name": "report.pdf",
         *       "mime": "application/pdf",
         *       "size": 48213,
         *       "sha256": "f4a1c0e9b1d2a7c3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5061728394a5b",
         *       "created_at": "2026-11-21T09:30:00.000Z"
         *     }
         */
        Attachment: {
            id: number;
            /** @description File name as the client gave it, without folders. */
            name: string;
            /** @description Type by content; what the client said does not count. */
            mime: string;
            /** @description Bytes. */
            size: number;
            /** @description Of the content, hex. Also the `ETag` of the download. */
            sha256: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-11-21T09:30:00.000Z
             */
            created_at: string;
        };
        /**
         * @example {
         *       "file": "(binary)"
         *     }
         */
        UploadForm: {
            /**
             * Format: binary
             * @description One file. Other fields are ignored.
             */
            file: Blob;
        };
        /**
         * @example {
         *       "total": 3,
         *       "by_type": {
         *         "like": 2,
         *         "wow": 1
         *       },
         *       "user_reactions": [
         *         "like"
         *       ]
         *     }
         */
        ReactionSummary: {
            /** @description Reactions of every type. */
            total: number;
            /** @description Only types that somebody reacted with. */
            by_type: {
                like?: number;
                heart?: number;
                laugh?: number;
                sad?: number;
                wow?: number;
            };
            /** @description The caller's own; empty for a caller who is not signed in. */
            user_reactions: ("like" | "heart" | "laugh" | "sad" | "wow")[];
        };
        /**
         * @example {
         *       "id": 1,
         *       "flag_name": "checkout.new-form",
         *       "is_enabled": false,
         *       "rollout_pct": 25,
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "updated_at": "2026-11-21T09:30:00.000Z"
         *     }
         */
        FeatureFlag: {
            id: number;
            flag_name: string;
            /** @description On for everybody. */
            is_enabled: boolean;
            rollout_pct: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-11-21T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-11-21T09:30:00.000Z
             */
            updated_at: string;
        };
        /**
         * @example {
         *       "flag_name": "checkout.new-form",
         *       "rollout_pct": 25
         *     }
         */
        FlagSetting: {
            /**
             * @description 1 to 128 letters, digits, `_`, `.`, `:` or `-`; the first one a letter or a digit. Case counts.
             * @example checkout.new-form
             */
            flag_name: string;
            /** @example true */
            is_enabled?: boolean;
            /**
             * @description Percentage of users who have the flag where it is not on for everybody.
             * @example 25
             */
            rollout_pct?: number;
        };
        /**
         * @example {
         *       "id": 1,
         *       "flag_name": "checkout.new-form",
         *       "user_id": 2,
         *       "is_enabled": true,
         *       "created_at": "2026-11-21T09:30:00.000Z",
         *       "updated_at": "2026-11-21T09:30:00.000Z"
         *     }
         */
        FlagOverride: {
            id: number;
            flag_name: string;
            /** @description The user's `id`. */
            user_id: number;
            is_enabled: boolean;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-11-21T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC.
             * @example 2026-11-21T09:30:00.000Z
             */
            updated_at: string;
        };
        /**
         * @example {
         *       "flag_name": "checkout.new-form",
         *       "is_enabled": true
         *     }
         */
        OverrideSetting: {
            /**
             * @description 1 to 128 letters, digits, `_`, `.`, `:` or `-`; the first one a letter or a digit. Case counts.
             * @example checkout.new-form
             */
            flag_name: string;
            /** @example true */
            is_enabled: boolean;
        };
        /**
         * @example {
         *       "user_id": "demo",
         *       "subject": "Maintenance",
         *       "text": "We are back at ten."
         *     }
         */
        NewMail: {
            /** @description Login name of the user it goes to. */
            user_id: string;
            /** @description One line. */
            subject: string;
            text: string;
        };
        /**
         * @description Any JSON.
         * @example {
         *       "event": "invoice.paid",
         *       "invoice": 42
         *     }
         */
        WebhookEvent: unknown;
        /**
         * @description Authenticated endpoint without a valid session.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "SESSION-CLOSED",
         *         "errorMessage": "Session timeout. Please log in again."
         *       }
         *     }
         */
        SessionClosedFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "SESSION-CLOSED";
                /** @enum {string} */
                errorMessage: "Session timeout. Please log in again.";
            };
        };
        /**
         * @description Login credentials rejected.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "LOGIN-FAILED",
         *         "errorMessage": "Wrong user ID or user PASS"
         *       }
         *     }
         */
        LoginFailedFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "LOGIN-FAILED";
                /** @enum {string} */
                errorMessage: "Wrong user ID or user PASS";
            };
        };
        /**
         * @description State-changing request of a logged-in session caller with missing or wrong token, or a login sent by a foreign page.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "CSRF-TOKEN-INVALID",
         *         "errorMessage": "Invalid CSRF token."
         *       }
         *     }
         */
        CsrfTokenInvalidFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "CSRF-TOKEN-INVALID";
                /** @enum {string} */
                errorMessage: "Invalid CSRF token.";
            };
        };
        /**
         * @description Route resolves to no controller or action (JSON when Accept prefers JSON). Also an unknown reset token.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "NOT-FOUND",
         *         "errorMessage": "The requested resource was not found."
         *       }
         *     }
         */
        NotFoundFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "NOT-FOUND";
                /** @enum {string} */
                errorMessage: "The requested resource was not found.";
            };
        };
        /**
         * @description Unhandled failure on a REST request.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "INTERNAL-ERROR",
         *         "errorMessage": "An unexpected internal error occurred."
         *       }
         *     }
         */
        InternalErrorFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "INTERNAL-ERROR";
                /** @enum {string} */
                errorMessage: "An unexpected internal error occurred.";
            };
        };
        /**
         * @description Missing or non-numeric id.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "TODO-ID-REQUIRED",
         *         "errorMessage": "TODO id is required."
         *       }
         *     }
         */
        TodoIdRequiredFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "TODO-ID-REQUIRED";
                /** @enum {string} */
                errorMessage: "TODO id is required.";
            };
        };
        /**
         * @description No row for that id owned by the signed-in user.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "TODO-NOT-FOUND",
         *         "errorMessage": "TODO item was not found."
         *       }
         *     }
         */
        TodoNotFoundFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "TODO-NOT-FOUND";
                /** @enum {string} */
                errorMessage: "TODO item was not found.";
            };
        };
        /**
         * @description Empty title on create or update.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "TODO-TITLE-REQUIRED",
         *         "errorMessage": "TODO title is required."
         *       }
         *     }
         */
        TodoTitleRequiredFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "TODO-TITLE-REQUIRED";
                /** @enum {string} */
                errorMessage: "TODO title is required.";
            };
        };
        /**
         * @description Upload missing or not a genuine uploaded file.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "UPLOAD-FILE-REQUIRED",
         *         "errorMessage": "Upload file is required."
         *       }
         *     }
         */
        UploadFileRequiredFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "UPLOAD-FILE-REQUIRED";
                /** @enum {string} */
                errorMessage: "Upload file is required.";
            };
        };
        /**
         * @description Size over the configured maximum.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "UPLOAD-TOO-LARGE",
         *         "errorMessage": "Upload exceeds size limit."
         *       }
         *     }
         */
        UploadTooLargeFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "UPLOAD-TOO-LARGE";
                /** @enum {string} */
                errorMessage: "Upload exceeds size limit.";
            };
        };
        /**
         * @description Detected type not on the allowlist.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "UPLOAD-MIME-REJECTED",
         *         "errorMessage": "Upload mime type is not allowed."
         *       }
         *     }
         */
        UploadMimeRejectedFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "UPLOAD-MIME-REJECTED";
                /** @enum {string} */
                errorMessage: "Upload mime type is not allowed.";
            };
        };
        /**
         * @description Login for a locked account.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "ACCOUNT-LOCKED",
         *         "errorMessage": "Account is locked due to too many failed login attempts."
         *       }
         *     }
         */
        AccountLockedFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "ACCOUNT-LOCKED";
                /** @enum {string} */
                errorMessage: "Account is locked due to too many failed login attempts.";
            };
        };
        /**
         * @description A batch item cannot be processed; the overall response may be 207 (partial) or 422 (all failed).
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "BATCH-ITEM-FAILED",
         *         "errorMessage": "One or more batch items failed."
         *       }
         *     }
         */
        BatchItemFailedFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "BATCH-ITEM-FAILED";
                /** @enum {string} */
                errorMessage: "One or more batch items failed.";
            };
        };
        /**
         * @description Input array longer than the endpoint's maximum, checked before processing.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "BATCH-TOO-LARGE",
         *         "errorMessage": "Batch request exceeds the maximum number of items."
         *       }
         *     }
         */
        BatchTooLargeFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "BATCH-TOO-LARGE";
                /** @enum {string} */
                errorMessage: "Batch request exceeds the maximum number of items.";
            };
        };
        /**
         * @description Circuit breaker is open.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "CIRCUIT-OPEN",
         *         "errorMessage": "The downstream service is temporarily unavailable."
         *       }
         *     }
         */
        CircuitOpenFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "CIRCUIT-OPEN";
                /** @enum {string} */
                errorMessage: "The downstream service is temporarily unavailable.";
            };
        };
        /**
         * @description Reserved for a second request conflicting with one underway (for example a duplicate idempotency key).
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "CONFLICT",
         *         "errorMessage": "A conflicting operation is already in progress."
         *       }
         *     }
         */
        ConflictFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "CONFLICT";
                /** @enum {string} */
                errorMessage: "A conflicting operation is already in progress.";
            };
        };
        /**
         * @description Role claim does not satisfy the endpoint.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "FORBIDDEN",
         *         "errorMessage": "You do not have permission to perform this action."
         *       }
         *     }
         */
        ForbiddenFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "FORBIDDEN";
                /** @enum {string} */
                errorMessage: "You do not have permission to perform this action.";
            };
        };
        /**
         * @description From/to pair not in the workflow's allowed map.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "INVALID-TRANSITION",
         *         "errorMessage": "The requested state transition is not allowed."
         *       }
         *     }
         */
        InvalidTransitionFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "INVALID-TRANSITION";
                /** @enum {string} */
                errorMessage: "The requested state transition is not allowed.";
            };
        };
        /**
         * @description Header absent, token malformed, wrong signature, expired, or algorithm not HS256.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "JWT-INVALID",
         *         "errorMessage": "The JWT token is invalid or expired."
         *       }
         *     }
         */
        JwtInvalidFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "JWT-INVALID";
                /** @enum {string} */
                errorMessage: "The JWT token is invalid or expired.";
            };
        };
        /**
         * @description A conditional update affected zero rows because a concurrent writer advanced the version.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "PRECONDITION-FAILED",
         *         "errorMessage": "The resource was modified by another request. Fetch the latest version and retry."
         *       }
         *     }
         */
        PreconditionFailedFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "PRECONDITION-FAILED";
                /** @enum {string} */
                errorMessage: "The resource was modified by another request. Fetch the latest version and retry.";
            };
        };
        /**
         * @description Conditional write without an `If-Match` header.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "PRECONDITION-REQUIRED",
         *         "errorMessage": "If-Match header is required for this operation."
         *       }
         *     }
         */
        PreconditionRequiredFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "PRECONDITION-REQUIRED";
                /** @enum {string} */
                errorMessage: "If-Match header is required for this operation.";
            };
        };
        /**
         * @description Counter above the limit in the current window; `Retry-After` header present.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "RATE-LIMIT-EXCEEDED",
         *         "errorMessage": "Too many requests. Please try again later."
         *       }
         *     }
         */
        RateLimitExceededFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "RATE-LIMIT-EXCEEDED";
                /** @enum {string} */
                errorMessage: "Too many requests. Please try again later.";
            };
        };
        /**
         * @description `expires` in the past.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "SIGNED-URL-EXPIRED",
         *         "errorMessage": "The signed URL has expired."
         *       }
         *     }
         */
        SignedUrlExpiredFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "SIGNED-URL-EXPIRED";
                /** @enum {string} */
                errorMessage: "The signed URL has expired.";
            };
        };
        /**
         * @description Signature mismatch or missing parameters.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "SIGNED-URL-INVALID",
         *         "errorMessage": "The signed URL is invalid."
         *       }
         *     }
         */
        SignedUrlInvalidFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "SIGNED-URL-INVALID";
                /** @enum {string} */
                errorMessage: "The signed URL is invalid.";
            };
        };
        /**
         * @description Reset token with used_at set.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "TOKEN-ALREADY-USED",
         *         "errorMessage": "The reset token has already been used."
         *       }
         *     }
         */
        TokenAlreadyUsedFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "TOKEN-ALREADY-USED";
                /** @enum {string} */
                errorMessage: "The reset token has already been used.";
            };
        };
        /**
         * @description Reset token past its expiry (410, not 404).
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "TOKEN-EXPIRED",
         *         "errorMessage": "The reset token has expired."
         *       }
         *     }
         */
        TokenExpiredFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "TOKEN-EXPIRED";
                /** @enum {string} */
                errorMessage: "The reset token has expired.";
            };
        };
        /**
         * @description Input validation fails; `Data.details` says which fields and why.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "VALIDATION-FAILED",
         *         "errorMessage": "One or more input fields failed validation.",
         *         "details": [
         *           {
         *             "in": "body",
         *             "field": "title",
         *             "message": "must be string"
         *           }
         *         ]
         *       }
         *     }
         */
        ValidationFailedFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "VALIDATION-FAILED";
                /** @enum {string} */
                errorMessage: "One or more input fields failed validation.";
                details: {
                    in: "body" | "params" | "query" | "headers";
                    field: string;
                    message: string;
                }[];
            };
        };
        /**
         * @description Signature header missing, malformed or failing HMAC check.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "WEBHOOK-SIGNATURE-INVALID",
         *         "errorMessage": "Webhook signature is invalid or stale."
         *       }
         *     }
         */
        WebhookSignatureInvalidFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "WEBHOOK-SIGNATURE-INVALID";
                /** @enum {string} */
                errorMessage: "Webhook signature is invalid or stale.";
            };
        };
        /**
         * @description Reaction type not in the allowed list.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "REACTION-TYPE-INVALID",
         *         "errorMessage": "Invalid reaction type."
         *       }
         *     }
         */
        ReactionTypeInvalidFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "REACTION-TYPE-INVALID";
                /** @enum {string} */
                errorMessage: "Invalid reaction type.";
            };
        };
        /**
         * @description Explicit removal of a reaction that does not exist.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "REACTION-NOT-FOUND",
         *         "errorMessage": "Reaction not found."
         *       }
         *     }
         */
        ReactionNotFoundFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "REACTION-NOT-FOUND";
                /** @enum {string} */
                errorMessage: "Reaction not found.";
            };
        };
        /**
         * @description Bad URL, bad percent-encoding, or a message that the HTTP parser refuses.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "REQUEST-INVALID",
         *         "errorMessage": "The request could not be understood."
         *       }
         *     }
         */
        RequestInvalidFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "REQUEST-INVALID";
                /** @enum {string} */
                errorMessage: "The request could not be understood.";
            };
        };
        /**
         * @description Body that is not JSON, not UTF-8, incomplete, or has a `__proto__` key.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "BODY-INVALID",
         *         "errorMessage": "The request body is not valid JSON."
         *       }
         *     }
         */
        BodyInvalidFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "BODY-INVALID";
                /** @enum {string} */
                errorMessage: "The request body is not valid JSON.";
            };
        };
        /**
         * @description Body over `SVC_BODY_MAX_BYTES`.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "BODY-TOO-LARGE",
         *         "errorMessage": "The request body is too large."
         *       }
         *     }
         */
        BodyTooLargeFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "BODY-TOO-LARGE";
                /** @enum {string} */
                errorMessage: "The request body is too large.";
            };
        };
        /**
         * @description Missing or non-numeric id.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "MEMO-ID-REQUIRED",
         *         "errorMessage": "Memo id is required."
         *       }
         *     }
         */
        MemoIdRequiredFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "MEMO-ID-REQUIRED";
                /** @enum {string} */
                errorMessage: "Memo id is required.";
            };
        };
        /**
         * @description No memo for that id owned by the signed-in user.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "MEMO-NOT-FOUND",
         *         "errorMessage": "Memo was not found."
         *       }
         *     }
         */
        MemoNotFoundFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "MEMO-NOT-FOUND";
                /** @enum {string} */
                errorMessage: "Memo was not found.";
            };
        };
        /**
         * @description Missing or non-numeric id.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "ATTACHMENT-ID-REQUIRED",
         *         "errorMessage": "Attachment id is required."
         *       }
         *     }
         */
        AttachmentIdRequiredFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "ATTACHMENT-ID-REQUIRED";
                /** @enum {string} */
                errorMessage: "Attachment id is required.";
            };
        };
        /**
         * @description No attachment for that id owned by the signed-in user.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "ATTACHMENT-NOT-FOUND",
         *         "errorMessage": "Attachment was not found."
         *       }
         *     }
         */
        AttachmentNotFoundFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "ATTACHMENT-NOT-FOUND";
                /** @enum {string} */
                errorMessage: "Attachment was not found.";
            };
        };
        /**
         * @description `Range` with no byte of the content; `Content-Range` says how many there are.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "RANGE-NOT-SATISFIABLE",
         *         "errorMessage": "The requested range lies outside the content."
         *       }
         *     }
         */
        RangeNotSatisfiableFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "RANGE-NOT-SATISFIABLE";
                /** @enum {string} */
                errorMessage: "The requested range lies outside the content.";
            };
        };
        /**
         * @description Override for a flag that does not exist.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "FLAG-NOT-FOUND",
         *         "errorMessage": "Feature flag was not found."
         *       }
         *     }
         */
        FlagNotFoundFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "FLAG-NOT-FOUND";
                /** @enum {string} */
                errorMessage: "Feature flag was not found.";
            };
        };
        /**
         * @description Administrative operation on a user that does not exist.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "USER-NOT-FOUND",
         *         "errorMessage": "User was not found."
         *       }
         *     }
         */
        UserNotFoundFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "USER-NOT-FOUND";
                /** @enum {string} */
                errorMessage: "User was not found.";
            };
        };
        /**
         * @description A downstream call failed while its circuit is closed.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "DOWNSTREAM-FAILED",
         *         "errorMessage": "The downstream service failed."
         *       }
         *     }
         */
        DownstreamFailedFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "DOWNSTREAM-FAILED";
                /** @enum {string} */
                errorMessage: "The downstream service failed.";
            };
        };
        /**
         * @description Overload, no space left on the disk, or the database does not answer the health check.
         * @example {
         *       "Result": true,
         *       "Data": {
         *         "status": "failure",
         *         "errorCode": "SERVICE-OVERLOADED",
         *         "errorMessage": "The service cannot take this request now. Please try again later."
         *       }
         *     }
         */
        ServiceOverloadedFailure: {
            /** @enum {boolean} */
            Result: true;
            Data: {
                /** @enum {string} */
                status: "failure";
                /** @enum {string} */
                errorCode: "SERVICE-OVERLOADED";
                /** @enum {string} */
                errorMessage: "The service cannot take this request now. Please try again later.";
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            /** @description `degraded` where a circuit is not closed, or under overload. */
                            healthStatus: "ok" | "degraded";
                            /** @enum {string} */
                            api: "ok";
                            /** @enum {string} */
                            database: "ok";
                            /**
                             * @description Newest migration of the database.
                             * @example 2026-11-21-3-todos
                             */
                            schema: string;
                            /** @example development */
                            environment: string;
                            /** @example sqlite */
                            databaseType: string;
                            /**
                             * @description Circuit breakers, by name.
                             * @example {
                             *       "mail": "closed"
                             *     }
                             */
                            circuits: {
                                [key: string]: "closed" | "open" | "half-open";
                            };
                        };
                    };
                };
            };
            /** @description `REQUEST-INVALID`: The request could not be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestInvalidFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            /** @description Send it as `X-CSRF-Token`. Fixed for the session. */
                            csrfToken: string;
                            user: components["schemas"]["User"];
                        };
                    };
                };
            };
            /**
             * @description `BODY-INVALID`: The request body is not valid JSON.
             *
             *     `REQUEST-INVALID`: The request could not be understood.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyInvalidFailure"] | components["schemas"]["RequestInvalidFailure"];
                };
            };
            /** @description `LOGIN-FAILED`: Wrong user ID or user PASS */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginFailedFailure"];
                };
            };
            /** @description `CSRF-TOKEN-INVALID`: Invalid CSRF token. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CsrfTokenInvalidFailure"];
                };
            };
            /** @description `BODY-TOO-LARGE`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeFailure"];
                };
            };
            /** @description `VALIDATION-FAILED`: One or more input fields failed validation. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `ACCOUNT-LOCKED`: Account is locked due to too many failed login attempts. */
            423: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountLockedFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                        };
                    };
                };
            };
            /**
             * @description `BODY-INVALID`: The request body is not valid JSON.
             *
             *     `REQUEST-INVALID`: The request could not be understood.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyInvalidFailure"] | components["schemas"]["RequestInvalidFailure"];
                };
            };
            /** @description `SESSION-CLOSED`: Session timeout. Please log in again. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionClosedFailure"];
                };
            };
            /** @description `CSRF-TOKEN-INVALID`: Invalid CSRF token. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CsrfTokenInvalidFailure"];
                };
            };
            /** @description `BODY-TOO-LARGE`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    issueToken: {
        parameters: {
            query?: never;
            header?: never;
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            /** @description A JWT, signed with HS256. */
                            access_token: string;
                            /** @enum {string} */
                            token_type: "Bearer";
                            /**
                             * @description Seconds.
                             * @example 3600
                             */
                            expires_in: number;
                        };
                    };
                };
            };
            /**
             * @description `BODY-INVALID`: The request body is not valid JSON.
             *
             *     `REQUEST-INVALID`: The request could not be understood.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyInvalidFailure"] | components["schemas"]["RequestInvalidFailure"];
                };
            };
            /** @description `LOGIN-FAILED`: Wrong user ID or user PASS */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginFailedFailure"];
                };
            };
            /** @description `BODY-TOO-LARGE`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeFailure"];
                };
            };
            /** @description `VALIDATION-FAILED`: One or more input fields failed validation. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `ACCOUNT-LOCKED`: Account is locked due to too many failed login attempts. */
            423: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountLockedFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    getTokenClaims: {
        parameters: {
            query?: never;
            header?: never;
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            claims: components["schemas"]["TokenClaims"];
                        };
                    };
                };
            };
            /** @description `REQUEST-INVALID`: The request could not be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestInvalidFailure"];
                };
            };
            /** @description `JWT-INVALID`: The JWT token is invalid or expired. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JwtInvalidFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            /** @example If the address is registered, a mail with further steps is on its way. */
                            message: string;
                        };
                    };
                };
            };
            /**
             * @description `BODY-INVALID`: The request body is not valid JSON.
             *
             *     `REQUEST-INVALID`: The request could not be understood.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyInvalidFailure"] | components["schemas"]["RequestInvalidFailure"];
                };
            };
            /** @description `BODY-TOO-LARGE`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeFailure"];
                };
            };
            /** @description `VALIDATION-FAILED`: One or more input fields failed validation. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The raw token of the mail, 64 hexadecimal characters. */
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            /** @example The password was changed. Please log in. */
                            message: string;
                        };
                    };
                };
            };
            /**
             * @description `BODY-INVALID`: The request body is not valid JSON.
             *
             *     `REQUEST-INVALID`: The request could not be understood.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyInvalidFailure"] | components["schemas"]["RequestInvalidFailure"];
                };
            };
            /** @description `NOT-FOUND`: The requested resource was not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundFailure"];
                };
            };
            /** @description `TOKEN-ALREADY-USED`: The reset token has already been used. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenAlreadyUsedFailure"];
                };
            };
            /** @description `TOKEN-EXPIRED`: The reset token has expired. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenExpiredFailure"];
                };
            };
            /** @description `BODY-TOO-LARGE`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeFailure"];
                };
            };
            /** @description `VALIDATION-FAILED`: One or more input fields failed validation. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                /** @description Items at most. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: number;
                /** @description Only of this user. */
                user_id?: number;
                /** @example login */
                event?: "login" | "login-failed" | "lock" | "unlock" | "logout" | "token-issue" | "reset-request" | "password-change" | "role-change" | "flag-change" | "override-change";
            };
            header?: never;
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            events: components["schemas"]["AuditEvent"][];
                            /**
                             * @description Send it as `cursor` to get the next page; null at the end.
                             * @example null
                             */
                            next_cursor: number | null;
                        };
                    };
                };
            };
            /** @description `REQUEST-INVALID`: The request could not be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestInvalidFailure"];
                };
            };
            /**
             * @description `JWT-INVALID`: The JWT token is invalid or expired.
             *
             *     `SESSION-CLOSED`: Session timeout. Please log in again.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JwtInvalidFailure"] | components["schemas"]["SessionClosedFailure"];
                };
            };
            /** @description `FORBIDDEN`: You do not have permission to perform this action. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `VALIDATION-FAILED`: One or more input fields failed validation. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    listTodos: {
        parameters: {
            query?: {
                /** @description Items at most. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: number;
            };
            header?: never;
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            todos: components["schemas"]["Todo"][];
                            /**
                             * @description Send it as `cursor` to get the next page; null at the end.
                             * @example null
                             */
                            next_cursor: number | null;
                        };
                    };
                };
            };
            /** @description `REQUEST-INVALID`: The request could not be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestInvalidFailure"];
                };
            };
            /**
             * @description `JWT-INVALID`: The JWT token is invalid or expired.
             *
             *     `SESSION-CLOSED`: Session timeout. Please log in again.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JwtInvalidFailure"] | components["schemas"]["SessionClosedFailure"];
                };
            };
            /** @description `VALIDATION-FAILED`: One or more input fields failed validation. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    createTodo: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of your own, new for each new operation. Sent again within 24 hours with the same body, it gives the first answer again (`Idempotent-Replayed: true`). */
                "idempotency-key"?: string;
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
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            todo: components["schemas"]["Todo"];
                        };
                    };
                };
            };
            /**
             * @description `BODY-INVALID`: The request body is not valid JSON.
             *
             *     `REQUEST-INVALID`: The request could not be understood.
             *
             *     `TODO-TITLE-REQUIRED`: TODO title is required.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyInvalidFailure"] | components["schemas"]["RequestInvalidFailure"] | components["schemas"]["TodoTitleRequiredFailure"];
                };
            };
            /**
             * @description `JWT-INVALID`: The JWT token is invalid or expired.
             *
             *     `SESSION-CLOSED`: Session timeout. Please log in again.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JwtInvalidFailure"] | components["schemas"]["SessionClosedFailure"];
                };
            };
            /** @description `CSRF-TOKEN-INVALID`: Invalid CSRF token. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CsrfTokenInvalidFailure"];
                };
            };
            /** @description `CONFLICT`: A conflicting operation is already in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConflictFailure"];
                };
            };
            /** @description `BODY-TOO-LARGE`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeFailure"];
                };
            };
            /** @description `VALIDATION-FAILED`: One or more input fields failed validation. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    getTodo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            todo: components["schemas"]["Todo"];
                        };
                    };
                };
            };
            /**
             * @description `REQUEST-INVALID`: The request could not be understood.
             *
             *     `TODO-ID-REQUIRED`: TODO id is required.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestInvalidFailure"] | components["schemas"]["TodoIdRequiredFailure"];
                };
            };
            /**
             * @description `JWT-INVALID`: The JWT token is invalid or expired.
             *
             *     `SESSION-CLOSED`: Session timeout. Please log in again.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JwtInvalidFailure"] | components["schemas"]["SessionClosedFailure"];
                };
            };
            /** @description `TODO-NOT-FOUND`: TODO item was not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TodoNotFoundFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    replaceTodo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TodoReplacement"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            todo: components["schemas"]["Todo"];
                        };
                    };
                };
            };
            /**
             * @description `BODY-INVALID`: The request body is not valid JSON.
             *
             *     `REQUEST-INVALID`: The request could not be understood.
             *
             *     `TODO-ID-REQUIRED`: TODO id is required.
             *
             *     `TODO-TITLE-REQUIRED`: TODO title is required.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyInvalidFailure"] | components["schemas"]["RequestInvalidFailure"] | components["schemas"]["TodoIdRequiredFailure"] | components["schemas"]["TodoTitleRequiredFailure"];
                };
            };
            /**
             * @description `JWT-INVALID`: The JWT token is invalid or expired.
             *
             *     `SESSION-CLOSED`: Session timeout. Please log in again.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JwtInvalidFailure"] | components["schemas"]["SessionClosedFailure"];
                };
            };
            /** @description `CSRF-TOKEN-INVALID`: Invalid CSRF token. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CsrfTokenInvalidFailure"];
                };
            };
            /** @description `TODO-NOT-FOUND`: TODO item was not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TodoNotFoundFailure"];
                };
            };
            /** @description `BODY-TOO-LARGE`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeFailure"];
                };
            };
            /** @description `VALIDATION-FAILED`: One or more input fields failed validation. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    deleteTodo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            /** @example 1 */
                            id: number;
                        };
                    };
                };
            };
            /**
             * @description `REQUEST-INVALID`: The request could not be understood.
             *
             *     `TODO-ID-REQUIRED`: TODO id is required.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestInvalidFailure"] | components["schemas"]["TodoIdRequiredFailure"];
                };
            };
            /**
             * @description `JWT-INVALID`: The JWT token is invalid or expired.
             *
             *     `SESSION-CLOSED`: Session timeout. Please log in again.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JwtInvalidFailure"] | components["schemas"]["SessionClosedFailure"];
                };
            };
            /** @description `CSRF-TOKEN-INVALID`: Invalid CSRF token. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CsrfTokenInvalidFailure"];
                };
            };
            /** @description `TODO-NOT-FOUND`: TODO item was not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TodoNotFoundFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    changeTodo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TodoChange"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            todo: components["schemas"]["Todo"];
                        };
                    };
                };
            };
            /**
             * @description `BODY-INVALID`: The request body is not valid JSON.
             *
             *     `REQUEST-INVALID`: The request could not be understood.
             *
             *     `TODO-ID-REQUIRED`: TODO id is required.
             *
             *     `TODO-TITLE-REQUIRED`: TODO title is required.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyInvalidFailure"] | components["schemas"]["RequestInvalidFailure"] | components["schemas"]["TodoIdRequiredFailure"] | components["schemas"]["TodoTitleRequiredFailure"];
                };
            };
            /**
             * @description `JWT-INVALID`: The JWT token is invalid or expired.
             *
             *     `SESSION-CLOSED`: Session timeout. Please log in again.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JwtInvalidFailure"] | components["schemas"]["SessionClosedFailure"];
                };
            };
            /** @description `CSRF-TOKEN-INVALID`: Invalid CSRF token. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CsrfTokenInvalidFailure"];
                };
            };
            /** @description `TODO-NOT-FOUND`: TODO item was not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TodoNotFoundFailure"];
                };
            };
            /** @description `BODY-TOO-LARGE`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeFailure"];
                };
            };
            /** @description `VALIDATION-FAILED`: One or more input fields failed validation. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    createTodos: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of your own, new for each new operation. Sent again within 24 hours with the same body, it gives the first answer again (`Idempotent-Replayed: true`). */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "items": [
                 *         {
                 *           "title": "Buy milk"
                 *         },
                 *         {
                 *           "title": "Buy bread"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Each is a `NewTodo`. */
                    items: components["schemas"]["NewTodo"][];
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            items: components["schemas"]["BatchItem"][];
                            succeeded: number;
                            failed: number;
                        };
                    };
                };
            };
            /** @description Some items were created, others not. */
            207: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "partial";
                            items: components["schemas"]["BatchItem"][];
                            succeeded: number;
                            failed: number;
                        };
                    };
                };
            };
            /**
             * @description `BATCH-TOO-LARGE`: Batch request exceeds the maximum number of items.
             *
             *     `BODY-INVALID`: The request body is not valid JSON.
             *
             *     `REQUEST-INVALID`: The request could not be understood.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchTooLargeFailure"] | components["schemas"]["BodyInvalidFailure"] | components["schemas"]["RequestInvalidFailure"];
                };
            };
            /**
             * @description `JWT-INVALID`: The JWT token is invalid or expired.
             *
             *     `SESSION-CLOSED`: Session timeout. Please log in again.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JwtInvalidFailure"] | components["schemas"]["SessionClosedFailure"];
                };
            };
            /** @description `CSRF-TOKEN-INVALID`: Invalid CSRF token. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CsrfTokenInvalidFailure"];
                };
            };
            /** @description `CONFLICT`: A conflicting operation is already in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConflictFailure"];
                };
            };
            /** @description `BODY-TOO-LARGE`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeFailure"];
                };
            };
            /**
             * @description `BATCH-ITEM-FAILED`: One or more batch items failed.
             *
             *     `VALIDATION-FAILED`: One or more input fields failed validation.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchItemFailedFailure"] | components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    listMemos: {
        parameters: {
            query?: {
                /** @description Items at most. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: number;
            };
            header?: never;
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            memos: components["schemas"]["Memo"][];
                            /**
                             * @description Send it as `cursor` to get the next page; null at the end.
                             * @example null
                             */
                            next_cursor: number | null;
                        };
                    };
                };
            };
            /** @description `REQUEST-INVALID`: The request could not be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestInvalidFailure"];
                };
            };
            /** @description `SESSION-CLOSED`: Session timeout. Please log in again. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionClosedFailure"];
                };
            };
            /** @description `VALIDATION-FAILED`: One or more input fields failed validation. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    createMemo: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any string of your own, new for each new operation. Sent again within 24 hours with the same body, it gives the first answer again (`Idempotent-Replayed: true`). */
                "idempotency-key"?: string;
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
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names the version. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            memo: components["schemas"]["Memo"];
                        };
                    };
                };
            };
            /**
             * @description `BODY-INVALID`: The request body is not valid JSON.
             *
             *     `REQUEST-INVALID`: The request could not be understood.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyInvalidFailure"] | components["schemas"]["RequestInvalidFailure"];
                };
            };
            /** @description `SESSION-CLOSED`: Session timeout. Please log in again. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionClosedFailure"];
                };
            };
            /** @description `CSRF-TOKEN-INVALID`: Invalid CSRF token. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CsrfTokenInvalidFailure"];
                };
            };
            /** @description `CONFLICT`: A conflicting operation is already in progress. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConflictFailure"];
                };
            };
            /** @description `BODY-TOO-LARGE`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeFailure"];
                };
            };
            /** @description `VALIDATION-FAILED`: One or more input fields failed validation. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    getMemo: {
        parameters: {
            query?: never;
            header?: {
                /** @example "v1" */
                "if-none-match"?: string;
            };
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names the version. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            memo: components["schemas"]["Memo"];
                        };
                    };
                };
            };
            /** @description The caller has this version already. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `MEMO-ID-REQUIRED`: Memo id is required.
             *
             *     `REQUEST-INVALID`: The request could not be understood.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoIdRequiredFailure"] | components["schemas"]["RequestInvalidFailure"];
                };
            };
            /** @description `SESSION-CLOSED`: Session timeout. Please log in again. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionClosedFailure"];
                };
            };
            /** @description `MEMO-NOT-FOUND`: Memo was not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoNotFoundFailure"];
                };
            };
            /** @description `VALIDATION-FAILED`: One or more input fields failed validation. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    replaceMemo: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `ETag` of the version to replace, or `*`.
                 * @example "v1"
                 */
                "if-match"?: string;
            };
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemoContent"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Names the version. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            memo: components["schemas"]["Memo"];
                        };
                    };
                };
            };
            /**
             * @description `BODY-INVALID`: The request body is not valid JSON.
             *
             *     `MEMO-ID-REQUIRED`: Memo id is required.
             *
             *     `REQUEST-INVALID`: The request could not be understood.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyInvalidFailure"] | components["schemas"]["MemoIdRequiredFailure"] | components["schemas"]["RequestInvalidFailure"];
                };
            };
            /** @description `SESSION-CLOSED`: Session timeout. Please log in again. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionClosedFailure"];
                };
            };
            /** @description `CSRF-TOKEN-INVALID`: Invalid CSRF token. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CsrfTokenInvalidFailure"];
                };
            };
            /** @description `MEMO-NOT-FOUND`: Memo was not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoNotFoundFailure"];
                };
            };
            /** @description `PRECONDITION-FAILED`: The resource was modified by another request. Fetch the latest version and retry. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreconditionFailedFailure"];
                };
            };
            /** @description `BODY-TOO-LARGE`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeFailure"];
                };
            };
            /** @description `VALIDATION-FAILED`: One or more input fields failed validation. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `PRECONDITION-REQUIRED`: If-Match header is required for this operation. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreconditionRequiredFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    deleteMemo: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `ETag` of the version to replace, or `*`.
                 * @example "v1"
                 */
                "if-match"?: string;
            };
            path: {
                /** @example 1 */
                id: number;
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            /** @example 1 */
                            id: number;
                        };
                    };
                };
            };
            /**
             * @description `MEMO-ID-REQUIRED`: Memo id is required.
             *
             *     `REQUEST-INVALID`: The request could not be understood.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoIdRequiredFailure"] | components["schemas"]["RequestInvalidFailure"];
                };
            };
            /** @description `SESSION-CLOSED`: Session timeout. Please log in again. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionClosedFailure"];
                };
            };
            /** @description `CSRF-TOKEN-INVALID`: Invalid CSRF token. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CsrfTokenInvalidFailure"];
                };
            };
            /** @description `MEMO-NOT-FOUND`: Memo was not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoNotFoundFailure"];
                };
            };
            /** @description `PRECONDITION-FAILED`: The resource was modified by another request. Fetch the latest version and retry. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreconditionFailedFailure"];
                };
            };
            /** @description `VALIDATION-FAILED`: One or more input fields failed validation. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `PRECONDITION-REQUIRED`: If-Match header is required for this operation. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreconditionRequiredFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
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
            };
            path: {
                /** @example 1 */
                id: number;
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
                    /** @description Names the version. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            memo: components["schemas"]["Memo"];
                            /**
                             * @description States that the memo can go to from here.
                             * @example [
                             *       "archived",
                             *       "draft"
                             *     ]
                             */
                            allowed_next: ("draft" | "published" | "archived")[];
                        };
                    };
                };
            };
            /**
             * @description `BODY-INVALID`: The request body is not valid JSON.
             *
             *     `MEMO-ID-REQUIRED`: Memo id is required.
             *
             *     `REQUEST-INVALID`: The request could not be understood.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyInvalidFailure"] | components["schemas"]["MemoIdRequiredFailure"] | components["schemas"]["RequestInvalidFailure"];
                };
            };
            /** @description `SESSION-CLOSED`: Session timeout. Please log in again. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionClosedFailure"];
                };
            };
            /** @description `CSRF-TOKEN-INVALID`: Invalid CSRF token. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CsrfTokenInvalidFailure"];
                };
            };
            /** @description `MEMO-NOT-FOUND`: Memo was not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoNotFoundFailure"];
                };
            };
            /** @description `INVALID-TRANSITION`: The requested state transition is not allowed. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidTransitionFailure"];
                };
            };
            /** @description `PRECONDITION-FAILED`: The resource was modified by another request. Fetch the latest version and retry. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreconditionFailedFailure"];
                };
            };
            /** @description `BODY-TOO-LARGE`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeFailure"];
                };
            };
            /** @description `VALIDATION-FAILED`: One or more input fields failed validation. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    listAttachments: {
        parameters: {
            query?: {
                /** @description Items at most. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: number;
            };
            header?: never;
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            attachments: components["schemas"]["Attachment"][];
                            /**
                             * @description Send it as `cursor` to get the next page; null at the end.
                             * @example null
                             */
                            next_cursor: number | null;
                        };
                    };
                };
            };
            /** @description `REQUEST-INVALID`: The request could not be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestInvalidFailure"];
                };
            };
            /** @description `SESSION-CLOSED`: Session timeout. Please log in again. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionClosedFailure"];
                };
            };
            /** @description `VALIDATION-FAILED`: One or more input fields failed validation. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    createAttachment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["UploadForm"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            attachment: components["schemas"]["Attachment"];
                        };
                    };
                };
            };
            /**
             * @description `REQUEST-INVALID`: The request could not be understood.
             *
             *     `UPLOAD-FILE-REQUIRED`: Upload file is required.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestInvalidFailure"] | components["schemas"]["UploadFileRequiredFailure"];
                };
            };
            /** @description `SESSION-CLOSED`: Session timeout. Please log in again. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionClosedFailure"];
                };
            };
            /** @description `CSRF-TOKEN-INVALID`: Invalid CSRF token. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CsrfTokenInvalidFailure"];
                };
            };
            /** @description `UPLOAD-TOO-LARGE`: Upload exceeds size limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadTooLargeFailure"];
                };
            };
            /** @description `UPLOAD-MIME-REJECTED`: Upload mime type is not allowed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadMimeRejectedFailure"];
                };
            };
            /** @description `VALIDATION-FAILED`: One or more input fields failed validation. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    getAttachment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            attachment: components["schemas"]["Attachment"];
                        };
                    };
                };
            };
            /**
             * @description `ATTACHMENT-ID-REQUIRED`: Attachment id is required.
             *
             *     `REQUEST-INVALID`: The request could not be understood.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttachmentIdRequiredFailure"] | components["schemas"]["RequestInvalidFailure"];
                };
            };
            /** @description `SESSION-CLOSED`: Session timeout. Please log in again. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionClosedFailure"];
                };
            };
            /** @description `ATTACHMENT-NOT-FOUND`: Attachment was not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttachmentNotFoundFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    deleteAttachment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            /** @example 1 */
                            id: number;
                        };
                    };
                };
            };
            /**
             * @description `ATTACHMENT-ID-REQUIRED`: Attachment id is required.
             *
             *     `REQUEST-INVALID`: The request could not be understood.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttachmentIdRequiredFailure"] | components["schemas"]["RequestInvalidFailure"];
                };
            };
            /** @description `SESSION-CLOSED`: Session timeout. Please log in again. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionClosedFailure"];
                };
            };
            /** @description `CSRF-TOKEN-INVALID`: Invalid CSRF token. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CsrfTokenInvalidFailure"];
                };
            };
            /** @description `ATTACHMENT-NOT-FOUND`: Attachment was not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttachmentNotFoundFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    getAttachmentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1 */
                id: number;
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            /**
                             * Format: uri
                             * @description Signed `GET /attachment/download/id_{id}`.
                             */
                            url: string;
                            /**
                             * @description End of the link, in seconds since the epoch.
                             * @example 1795255200
                             */
                            expires: number;
                        };
                    };
                };
            };
            /**
             * @description `ATTACHMENT-ID-REQUIRED`: Attachment id is required.
             *
             *     `REQUEST-INVALID`: The request could not be understood.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttachmentIdRequiredFailure"] | components["schemas"]["RequestInvalidFailure"];
                };
            };
            /** @description `SESSION-CLOSED`: Session timeout. Please log in again. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionClosedFailure"];
                };
            };
            /** @description `ATTACHMENT-NOT-FOUND`: Attachment was not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttachmentNotFoundFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    downloadAttachment: {
        parameters: {
            query: {
                /** @description End of the link, in seconds since the epoch. */
                expires: number;
                /** @description HMAC-SHA256 of path and other parameters, hex. */
                signature: string;
            };
            header?: {
                /** @example bytes=0-1023 */
                range?: string;
                /** @description `ETag` of the part that the caller has. */
                "if-range"?: string;
                "if-none-match"?: string;
            };
            path: {
                /** @example 1 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The content, in the type it was found to have. */
            200: {
                headers: {
                    /** @description SHA-256 of the content. */
                    ETag?: string;
                    /** @description Always `attachment`, with the file name. */
                    "Content-Disposition"?: string;
                    /** @description Ranges may be asked for. */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": Blob;
                };
            };
            /** @description The range that was asked for. */
            206: {
                headers: {
                    /** @description SHA-256 of the content. */
                    ETag?: string;
                    /** @description Always `attachment`, with the file name. */
                    "Content-Disposition"?: string;
                    /** @description Ranges may be asked for. */
                    "Accept-Ranges"?: string;
                    /** @description Which bytes, of how many. */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": Blob;
                };
            };
            /** @description The caller has this content already. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `ATTACHMENT-ID-REQUIRED`: Attachment id is required.
             *
             *     `REQUEST-INVALID`: The request could not be understood.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttachmentIdRequiredFailure"] | components["schemas"]["RequestInvalidFailure"];
                };
            };
            /** @description `SIGNED-URL-INVALID`: The signed URL is invalid. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedUrlInvalidFailure"];
                };
            };
            /** @description `ATTACHMENT-NOT-FOUND`: Attachment was not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttachmentNotFoundFailure"];
                };
            };
            /** @description `SIGNED-URL-EXPIRED`: The signed URL has expired. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedUrlExpiredFailure"];
                };
            };
            /** @description `RANGE-NOT-SATISFIABLE`: The requested range lies outside the content. */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RangeNotSatisfiableFailure"];
                };
            };
            /** @description `VALIDATION-FAILED`: One or more input fields failed validation. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    sendMail: {
        parameters: {
            query?: never;
            header?: never;
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            /** @example demo */
                            user_id: string;
                        };
                    };
                };
            };
            /**
             * @description `BODY-INVALID`: The request body is not valid JSON.
             *
             *     `REQUEST-INVALID`: The request could not be understood.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyInvalidFailure"] | components["schemas"]["RequestInvalidFailure"];
                };
            };
            /**
             * @description `JWT-INVALID`: The JWT token is invalid or expired.
             *
             *     `SESSION-CLOSED`: Session timeout. Please log in again.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JwtInvalidFailure"] | components["schemas"]["SessionClosedFailure"];
                };
            };
            /**
             * @description `CSRF-TOKEN-INVALID`: Invalid CSRF token.
             *
             *     `FORBIDDEN`: You do not have permission to perform this action.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CsrfTokenInvalidFailure"] | components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `USER-NOT-FOUND`: User was not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserNotFoundFailure"];
                };
            };
            /** @description `BODY-TOO-LARGE`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeFailure"];
                };
            };
            /** @description `VALIDATION-FAILED`: One or more input fields failed validation. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `DOWNSTREAM-FAILED`: The downstream service failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DownstreamFailedFailure"];
                };
            };
            /**
             * @description `CIRCUIT-OPEN`: The downstream service is temporarily unavailable.
             *
             *     `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CircuitOpenFailure"] | components["schemas"]["ServiceOverloadedFailure"];
                };
            };
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            /** @description The event had come before; nothing was stored. */
                            duplicate: boolean;
                            /**
                             * @description Key of the stored event.
                             * @example 1
                             */
                            id?: number;
                        };
                    };
                };
            };
            /**
             * @description `BODY-INVALID`: The request body is not valid JSON.
             *
             *     `REQUEST-INVALID`: The request could not be understood.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyInvalidFailure"] | components["schemas"]["RequestInvalidFailure"];
                };
            };
            /** @description `WEBHOOK-SIGNATURE-INVALID`: Webhook signature is invalid or stale. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSignatureInvalidFailure"];
                };
            };
            /** @description `BODY-TOO-LARGE`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeFailure"];
                };
            };
            /** @description `VALIDATION-FAILED`: One or more input fields failed validation. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    toggleReaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Kind of the target: 1 to 64 letters, digits, `_`, `.` or `-`.
                 * @example memo
                 */
                targetType: string;
                /**
                 * @description Key of the target among those of its kind.
                 * @example 1
                 */
                targetId: number;
                /** @example like */
                reactionType: "like" | "heart" | "laugh" | "sad" | "wow";
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            action: "added" | "removed";
                            summary: components["schemas"]["ReactionSummary"];
                        };
                    };
                };
            };
            /**
             * @description `BODY-INVALID`: The request body is not valid JSON.
             *
             *     `REACTION-TYPE-INVALID`: Invalid reaction type.
             *
             *     `REQUEST-INVALID`: The request could not be understood.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyInvalidFailure"] | components["schemas"]["ReactionTypeInvalidFailure"] | components["schemas"]["RequestInvalidFailure"];
                };
            };
            /**
             * @description `JWT-INVALID`: The JWT token is invalid or expired.
             *
             *     `SESSION-CLOSED`: Session timeout. Please log in again.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JwtInvalidFailure"] | components["schemas"]["SessionClosedFailure"];
                };
            };
            /** @description `CSRF-TOKEN-INVALID`: Invalid CSRF token. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CsrfTokenInvalidFailure"];
                };
            };
            /** @description `BODY-TOO-LARGE`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeFailure"];
                };
            };
            /** @description `VALIDATION-FAILED`: One or more input fields failed validation. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    removeReaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Kind of the target: 1 to 64 letters, digits, `_`, `.` or `-`.
                 * @example memo
                 */
                targetType: string;
                /**
                 * @description Key of the target among those of its kind.
                 * @example 1
                 */
                targetId: number;
                /** @example like */
                reactionType: "like" | "heart" | "laugh" | "sad" | "wow";
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            summary: components["schemas"]["ReactionSummary"];
                        };
                    };
                };
            };
            /**
             * @description `REACTION-TYPE-INVALID`: Invalid reaction type.
             *
             *     `REQUEST-INVALID`: The request could not be understood.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReactionTypeInvalidFailure"] | components["schemas"]["RequestInvalidFailure"];
                };
            };
            /**
             * @description `JWT-INVALID`: The JWT token is invalid or expired.
             *
             *     `SESSION-CLOSED`: Session timeout. Please log in again.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JwtInvalidFailure"] | components["schemas"]["SessionClosedFailure"];
                };
            };
            /** @description `CSRF-TOKEN-INVALID`: Invalid CSRF token. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CsrfTokenInvalidFailure"];
                };
            };
            /** @description `REACTION-NOT-FOUND`: Reaction not found. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReactionNotFoundFailure"];
                };
            };
            /** @description `VALIDATION-FAILED`: One or more input fields failed validation. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    getReactionSummary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Kind of the target: 1 to 64 letters, digits, `_`, `.` or `-`.
                 * @example memo
                 */
                targetType: string;
                /**
                 * @description Key of the target among those of its kind.
                 * @example 1
                 */
                targetId: number;
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            /** @description Reactions of every type. */
                            total: number;
                            /** @description Only types that somebody reacted with. */
                            by_type: {
                                like?: number;
                                heart?: number;
                                laugh?: number;
                                sad?: number;
                                wow?: number;
                            };
                            /** @description The caller's own; empty for a caller who is not signed in. */
                            user_reactions: ("like" | "heart" | "laugh" | "sad" | "wow")[];
                        };
                    };
                };
            };
            /** @description `REQUEST-INVALID`: The request could not be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestInvalidFailure"];
                };
            };
            /** @description `JWT-INVALID`: The JWT token is invalid or expired. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JwtInvalidFailure"];
                };
            };
            /** @description `VALIDATION-FAILED`: One or more input fields failed validation. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    evaluateFeatureFlags: {
        parameters: {
            query?: never;
            header?: never;
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            /**
                             * @description Every flag, by name: whether the caller has it.
                             * @example {
                             *       "checkout.new-form": true
                             *     }
                             */
                            flags: {
                                [key: string]: boolean;
                            };
                        };
                    };
                };
            };
            /** @description `REQUEST-INVALID`: The request could not be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestInvalidFailure"];
                };
            };
            /** @description `JWT-INVALID`: The JWT token is invalid or expired. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JwtInvalidFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    listFeatureFlags: {
        parameters: {
            query?: {
                /** @description Items at most. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: number;
            };
            header?: never;
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            flags: components["schemas"]["FeatureFlag"][];
                            /**
                             * @description Send it as `cursor` to get the next page; null at the end.
                             * @example null
                             */
                            next_cursor: number | null;
                        };
                    };
                };
            };
            /** @description `REQUEST-INVALID`: The request could not be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestInvalidFailure"];
                };
            };
            /**
             * @description `JWT-INVALID`: The JWT token is invalid or expired.
             *
             *     `SESSION-CLOSED`: Session timeout. Please log in again.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JwtInvalidFailure"] | components["schemas"]["SessionClosedFailure"];
                };
            };
            /** @description `FORBIDDEN`: You do not have permission to perform this action. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `VALIDATION-FAILED`: One or more input fields failed validation. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    setFeatureFlag: {
        parameters: {
            query?: never;
            header?: never;
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            flag: components["schemas"]["FeatureFlag"];
                        };
                    };
                };
            };
            /**
             * @description `BODY-INVALID`: The request body is not valid JSON.
             *
             *     `REQUEST-INVALID`: The request could not be understood.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyInvalidFailure"] | components["schemas"]["RequestInvalidFailure"];
                };
            };
            /**
             * @description `JWT-INVALID`: The JWT token is invalid or expired.
             *
             *     `SESSION-CLOSED`: Session timeout. Please log in again.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JwtInvalidFailure"] | components["schemas"]["SessionClosedFailure"];
                };
            };
            /**
             * @description `CSRF-TOKEN-INVALID`: Invalid CSRF token.
             *
             *     `FORBIDDEN`: You do not have permission to perform this action.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CsrfTokenInvalidFailure"] | components["schemas"]["ForbiddenFailure"];
                };
            };
            /** @description `BODY-TOO-LARGE`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeFailure"];
                };
            };
            /** @description `VALIDATION-FAILED`: One or more input fields failed validation. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    setFlagOverride: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The user's `id`.
                 * @example 2
                 */
                id: number;
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            override: components["schemas"]["FlagOverride"];
                        };
                    };
                };
            };
            /**
             * @description `BODY-INVALID`: The request body is not valid JSON.
             *
             *     `REQUEST-INVALID`: The request could not be understood.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyInvalidFailure"] | components["schemas"]["RequestInvalidFailure"];
                };
            };
            /**
             * @description `JWT-INVALID`: The JWT token is invalid or expired.
             *
             *     `SESSION-CLOSED`: Session timeout. Please log in again.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JwtInvalidFailure"] | components["schemas"]["SessionClosedFailure"];
                };
            };
            /**
             * @description `CSRF-TOKEN-INVALID`: Invalid CSRF token.
             *
             *     `FORBIDDEN`: You do not have permission to perform this action.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CsrfTokenInvalidFailure"] | components["schemas"]["ForbiddenFailure"];
                };
            };
            /**
             * @description `FLAG-NOT-FOUND`: Feature flag was not found.
             *
             *     `USER-NOT-FOUND`: User was not found.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagNotFoundFailure"] | components["schemas"]["UserNotFoundFailure"];
                };
            };
            /** @description `BODY-TOO-LARGE`: The request body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeFailure"];
                };
            };
            /** @description `VALIDATION-FAILED`: One or more input fields failed validation. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
    removeFlagOverride: {
        parameters: {
            query: {
                /**
                 * @description 1 to 128 letters, digits, `_`, `.`, `:` or `-`; the first one a letter or a digit. Case counts.
                 * @example checkout.new-form
                 */
                flag_name: string;
            };
            header?: never;
            path: {
                /**
                 * @description The user's `id`.
                 * @example 2
                 */
                id: number;
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
                    "application/json": {
                        /** @enum {boolean} */
                        Result: true;
                        Data: {
                            /** @enum {string} */
                            status: "success";
                            /** @example checkout.new-form */
                            flag_name: string;
                            /** @example 2 */
                            user_id: number;
                            removed: boolean;
                        };
                    };
                };
            };
            /** @description `REQUEST-INVALID`: The request could not be understood. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestInvalidFailure"];
                };
            };
            /**
             * @description `JWT-INVALID`: The JWT token is invalid or expired.
             *
             *     `SESSION-CLOSED`: Session timeout. Please log in again.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JwtInvalidFailure"] | components["schemas"]["SessionClosedFailure"];
                };
            };
            /**
             * @description `CSRF-TOKEN-INVALID`: Invalid CSRF token.
             *
             *     `FORBIDDEN`: You do not have permission to perform this action.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CsrfTokenInvalidFailure"] | components["schemas"]["ForbiddenFailure"];
                };
            };
            /**
             * @description `FLAG-NOT-FOUND`: Feature flag was not found.
             *
             *     `USER-NOT-FOUND`: User was not found.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagNotFoundFailure"] | components["schemas"]["UserNotFoundFailure"];
                };
            };
            /** @description `VALIDATION-FAILED`: One or more input fields failed validation. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedFailure"];
                };
            };
            /** @description `RATE-LIMIT-EXCEEDED`: Too many requests. Please try again later. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitExceededFailure"];
                };
            };
            /** @description `INTERNAL-ERROR`: An unexpected internal error occurred. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalErrorFailure"];
                };
            };
            /** @description `SERVICE-OVERLOADED`: The service cannot take this request now. Please try again later. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceOverloadedFailure"];
                };
            };
        };
    };
}
