// Generated from /openapi.json by `npm run generate`. Edit the service's schemas, not this file.

export interface paths {
    "/v1/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List templates
         * @description Newest first. Templates created while you page don’t make a page repeat or skip any.
         */
        get: operations["listTemplates"];
        put?: never;
        /**
         * Create or reuse a template
         * @description Creates a template. If one is already mapped to the same `externalPostingId`, returns it unchanged with 200. Without `externalPostingId`, every call creates a new one.
         */
        post: operations["createTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a template
         * @description Returns one template of your organization.
         */
        get: operations["getTemplate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a template
         * @description Changes only the fields you send. `externalPostingId: null` removes the mapping.
         */
        patch: operations["updateTemplate"];
        trace?: never;
    };
    "/v1/interview-invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or reuse an invitation
         * @description Invites a candidate to an interview from a template. Posting the same candidate and template again returns the existing invitation with 200, so you can also use this call to get its status. If the earlier interview has expired, failed or been canceled, you get a new invitation with 201.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/interview-results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Poll for results
         * @description Completed results, oldest completion first. Use it to find results whose event you missed. If the interview isn’t completed yet, `data` is empty. Results that arrive while you page show up on a later page; none are repeated or skipped.
         */
        get: operations["listResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "result.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A result is complete
         * @description Sent to your organization's HTTPS endpoint when a result is complete. A 2xx within five seconds means you accepted it, a 4xx means you rejected it; either way it isn't sent again. After a 3xx, a 5xx or no response we retry with the same IDs, up to four attempts in total. Deduplicate by `resultId`.
         *
         *     Verify before parsing. Take `t` and `v1` from `X-Service-Signature` and compute the HMAC SHA-256 of `<t>.<raw body>` with your signing secret, in lowercase hex. It must equal `v1`, compared in constant time, and `t` must be within five minutes of now. Otherwise respond with 401. The body can be up to about 1.4 MB.
         */
        post: operations["resultCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** TemplateInput */
        TemplateInput: {
            /**
             * @description Title of the template.
             * @example Backend engineer
             */
            title: string;
            /**
             * @description What the interview is about.
             * @example A conversation about services, queues and databases.
             */
            description: string;
            /**
             * @description ID of the posting in your system. Case-sensitive.
             * @example job-4711
             */
            externalPostingId?: string | null;
            /**
             * @description Whether the interview includes the shared whiteboard.
             * @default false
             */
            whiteboardEnabled?: boolean | null;
        };
        /** Template */
        Template: {
            /** @example tpl_01m7efx4xwfztrm1s20bva7r58 */
            id: string;
            /** @example Backend engineer */
            title: string;
            /** @example A conversation about services, queues and databases. */
            description: string;
            /**
             * @description ID of the posting in your system. Case-sensitive.
             * @example job-4711
             */
            externalPostingId: string | null;
            /** @description Whether the interview includes the shared whiteboard. */
            whiteboardEnabled: boolean;
            /**
             * Format: date-time
             * @description When the template was created.
             * @example 2026-01-02T03:04:05.678Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the template was last changed.
             * @example 2026-01-02T03:04:05.678Z
             */
            updatedAt: string;
        };
        /** Error */
        Error: {
            /** @description What went wrong. */
            error: string;
        };
        /** TemplatePage */
        TemplatePage: {
            data: components["schemas"]["Template"][];
            /** @description Pass this as `cursor` to get the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /** TemplateChanges */
        TemplateChanges: {
            /**
             * @description Title of the template.
             * @example Backend engineer
             */
            title?: string | null;
            /**
             * @description What the interview is about.
             * @example A conversation about services, queues and databases.
             */
            description?: string | null;
            /** @description ID of the posting in your system. Case-sensitive. Null unmaps it. */
            externalPostingId?: string | null;
            /** @description Whether the interview includes the shared whiteboard. */
            whiteboardEnabled?: boolean | null;
        };
        /** CandidateInput */
        CandidateInput: {
            /**
             * Format: email
             * @description The candidate’s email address. Identifies the invitation to reuse, ignoring case.
             * @example ada@example.com
             */
            email: string;
            /**
             * @description First name.
             * @example Ada
             */
            firstName: string;
            /**
             * @description Last name.
             * @example Lovelace
             */
            lastName?: string | null;
        };
        /** InvitationInput */
        InvitationInput: {
            /** @example tpl_01m7efx4xwfztrm1s20bva7r58 */
            templateId: string;
            candidate: components["schemas"]["CandidateInput"];
            /**
             * @description Days until the link expires.
             * @default 30
             */
            expiresInDays?: number | null;
        };
        /** Candidate */
        Candidate: {
            /** @example cand_01m7efx4xwfztrm1s20bva7r58 */
            id: string;
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /** @example Ada */
            firstName: string;
            /** @example Lovelace */
            lastName: string;
        };
        /** Invitation */
        Invitation: {
            /** @example inv_01m7efx4xwfztrm1s20bva7r58 */
            id: string;
            /** @example tpl_01m7efx4xwfztrm1s20bva7r58 */
            templateId: string;
            candidate: components["schemas"]["Candidate"];
            interview: {
                /** @example int_01m7efx4xwfztrm1s20bva7r58 */
                id: string;
                /** @enum {unknown} */
                status: "SCHEDULED" | "IN_PROGRESS" | "PAUSED" | "PROCESSING" | "COMPLETED" | "EXPIRED" | "FAILED" | "CANCELLED";
            };
            /**
             * Format: uri
             * @description Link for the candidate. Null once the interview is over.
             * @example https://interviews.example.com/interview/bm8tb25lLWNhbi1ndWVzcy10aGlzLW9uZQ
             */
            inviteUrl: string | null;
            /**
             * Format: date-time
             * @description When the link expires.
             * @example 2026-01-02T03:04:05.678Z
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When the invitation was created.
             * @example 2026-01-02T03:04:05.678Z
             */
            createdAt: string;
        };
        /** ResultSummary */
        ResultSummary: {
            /** @example res_01m7efx4xwfztrm1s20bva7r58 */
            resultId: string;
            /** @example inv_01m7efx4xwfztrm1s20bva7r58 */
            invitationId: string;
            /**
             * Format: uri
             * @description Link to the shared result view.
             * @example https://interviews.example.com/shared/interview-details/cGxlYXNlLWRvLW5vdC1ndWVzcy1tZQ
             */
            resultUrl: string;
            /**
             * @description Same as `weighted_score` in the event.
             * @example 89.6
             */
            overallScore: number;
        };
        /** ResultPage */
        ResultPage: {
            data: components["schemas"]["ResultSummary"][];
            /** @description Pass this as `cursor` to get the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /** Scoring */
        Scoring: {
            /** @description Technical score. */
            technical_score: number;
            technical_feedback: string;
            /** @description Soft skills score. */
            soft_skills_score: number;
            soft_skills_feedback: string;
            /** @description Language proficiency score. */
            language_proficiency: number;
            language_proficiency_feedback: string;
            /** @description Overall score. May have a fractional part. */
            weighted_score: number;
            /** @description Overall feedback. */
            feedback: string;
            highlights: string[];
            suggestions: string[];
            /** @description Length of the interview in whole seconds. */
            duration: number;
        };
        /** ResultCompleted */
        ResultCompleted: {
            /**
             * @description `external_result_completed_` followed by the result ID. The same for every attempt.
             * @example external_result_completed_res_01m7efx4xwfztrm1s20bva7r58
             */
            eventId: string;
            /** @constant */
            eventType: "result.completed";
            /**
             * Format: date-time
             * @description When the result became available.
             * @example 2026-01-02T03:04:05.678Z
             */
            occurredAt: string;
            /**
             * @description Same as `resultId`.
             * @example res_01m7efx4xwfztrm1s20bva7r58
             */
            idempotencyKey: string;
            /** @example res_01m7efx4xwfztrm1s20bva7r58 */
            resultId: string;
            template: {
                id: string;
                /** @description Title of the template. */
                name: string;
            };
            candidate: {
                id: string;
                /** Format: email */
                email: string;
                firstName: string;
                lastName: string;
            };
            interview: {
                id: string;
                /**
                 * Format: date-time
                 * @description When the interview was completed.
                 * @example 2026-01-02T03:04:05.678Z
                 */
                completedAt: string;
                /** @constant */
                status: "COMPLETED";
            };
            /**
             * Format: uri
             * @description Link to the shared result view.
             */
            resultUrl: string;
            thumbnail: {
                /** @constant */
                contentType: "image/jpeg";
                /** @description The image itself: a JPEG of at most 1,000,000 bytes and 16 megapixels. */
                dataBase64: string;
            };
            result: {
                /** @description Same as `resultId`. */
                resultId: string;
                aiAnalysis: {
                    scoring: components["schemas"]["Scoring"];
                };
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
    listTemplates: {
        parameters: {
            query?: {
                /**
                 * @description ID of the posting in your system. Case-sensitive.
                 * @example job-4711
                 */
                externalPostingId?: string;
                /** @description Maximum number of items to return. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of templates. */
            200: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    /** @description URL of the next page, with `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplatePage"];
                };
            };
            /** @description Invalid request. The text names every problem. */
            400: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Missing or invalid API key. */
            401: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope, or the organization is inactive. */
            403: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive within 30 seconds. */
            408: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More than 120 requests with this key in the current minute. */
            429: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    /** @description Seconds to wait before you retry. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The headers are larger than 16 KiB. */
            431: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Our fault. Give us the request ID when you report it. */
            500: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable. Try again later. */
            503: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before you retry. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateInput"];
            };
        };
        responses: {
            /** @description The template already mapped to this posting, unchanged. */
            200: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description The new template. */
            201: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    /** @description URL of the template. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description Invalid request. The text names every problem. */
            400: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Missing or invalid API key. */
            401: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope, or the organization is inactive. */
            403: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive within 30 seconds. */
            408: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 256 KiB. */
            413: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More than 120 requests with this key in the current minute. */
            429: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    /** @description Seconds to wait before you retry. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The headers are larger than 16 KiB. */
            431: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Our fault. Give us the request ID when you report it. */
            500: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable. Try again later. */
            503: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before you retry. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Template ID.
                 * @example tpl_01m7efx4xwfztrm1s20bva7r58
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The template. */
            200: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description Invalid request. The text names every problem. */
            400: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Missing or invalid API key. */
            401: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope, or the organization is inactive. */
            403: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in the organization of this key. */
            404: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive within 30 seconds. */
            408: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More than 120 requests with this key in the current minute. */
            429: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    /** @description Seconds to wait before you retry. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The headers are larger than 16 KiB. */
            431: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Our fault. Give us the request ID when you report it. */
            500: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable. Try again later. */
            503: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before you retry. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Template ID.
                 * @example tpl_01m7efx4xwfztrm1s20bva7r58
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateChanges"];
            };
        };
        responses: {
            /** @description The updated template. */
            200: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description Invalid request. The text names every problem. */
            400: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Missing or invalid API key. */
            401: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope, or the organization is inactive. */
            403: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in the organization of this key. */
            404: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive within 30 seconds. */
            408: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with a stored object. */
            409: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 256 KiB. */
            413: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More than 120 requests with this key in the current minute. */
            429: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    /** @description Seconds to wait before you retry. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The headers are larger than 16 KiB. */
            431: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Our fault. Give us the request ID when you report it. */
            500: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable. Try again later. */
            503: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before you retry. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationInput"];
            };
        };
        responses: {
            /** @description The existing invitation for this candidate and template. */
            200: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            /** @description The new invitation. */
            201: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            /** @description Invalid request. The text names every problem. */
            400: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Missing or invalid API key. */
            401: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope, or the organization is inactive. */
            403: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in the organization of this key. */
            404: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive within 30 seconds. */
            408: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 256 KiB. */
            413: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More than 120 requests with this key in the current minute. */
            429: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    /** @description Seconds to wait before you retry. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The headers are larger than 16 KiB. */
            431: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Our fault. Give us the request ID when you report it. */
            500: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable. Try again later. */
            503: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before you retry. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listResults: {
        parameters: {
            query?: {
                /** @description Only the result of this invitation. Unknown IDs give 404. */
                invitationId?: string;
                /** @description Only this result. Unknown IDs give 404. */
                resultId?: string;
                /** @description Only results for this template. Unknown IDs give 404. */
                templateId?: string;
                /**
                 * @description Only results completed at or after this time. A date alone means midnight UTC.
                 * @example 2026-01-02T03:04:05.678Z
                 */
                completedAfter?: string;
                /**
                 * @description Only results completed at or before this time. A date alone means midnight UTC.
                 * @example 2026-01-02T03:04:05.678Z
                 */
                completedBefore?: string;
                /** @description Maximum number of items to return. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of results. */
            200: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    /** @description URL of the next page, with `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResultPage"];
                };
            };
            /** @description Invalid request. The text names every problem. */
            400: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Missing or invalid API key. */
            401: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the scope, or the organization is inactive. */
            403: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in the organization of this key. */
            404: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive within 30 seconds. */
            408: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More than 120 requests with this key in the current minute. */
            429: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description The limit: `"default";q=120;w=60` is 120 requests in 60 seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description Requests left and seconds until the reset: `"default";r=119;t=42`. */
                    RateLimit?: string;
                    /** @description Seconds to wait before you retry. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The headers are larger than 16 KiB. */
            431: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Our fault. Give us the request ID when you report it. */
            500: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable. Try again later. */
            503: {
                headers: {
                    /** @description Identifies this request in our logs. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before you retry. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resultCompleted: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Always `result.completed`.
                 * @example result.completed
                 */
                "X-Service-Event": string;
                /**
                 * @description The same for every attempt.
                 * @example external_result_completed_res_01m7efx4xwfztrm1s20bva7r58
                 */
                "X-Service-Event-Id": string;
                /**
                 * @description The result ID. Use it to deduplicate.
                 * @example res_01m7efx4xwfztrm1s20bva7r58
                 */
                "X-Service-Idempotency-Key": string;
                /**
                 * @description `t=<unix seconds>,v1=<hex digest>`
                 * @example t=1767323045,v1=5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f
                 */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "eventId": "external_result_completed_res_01m7efx4xwfztrm1s20bva7r58",
                 *       "eventType": "result.completed",
                 *       "occurredAt": "2026-01-02T03:04:05.678Z",
                 *       "idempotencyKey": "res_01m7efx4xwfztrm1s20bva7r58",
                 *       "resultId": "res_01m7efx4xwfztrm1s20bva7r58",
                 *       "template": {
                 *         "id": "tpl_01m7efx4xwfztrm1s20bva7r58",
                 *         "name": "Backend engineer"
                 *       },
                 *       "candidate": {
                 *         "id": "cand_01m7efx4xwfztrm1s20bva7r58",
                 *         "email": "ada@example.com",
                 *         "firstName": "Ada",
                 *         "lastName": "Lovelace"
                 *       },
                 *       "interview": {
                 *         "id": "int_01m7efx4xwfztrm1s20bva7r58",
                 *         "completedAt": "2026-01-02T03:03:12.000Z",
                 *         "status": "COMPLETED"
                 *       },
                 *       "resultUrl": "https://interviews.example.com/shared/interview-details/cGxlYXNlLWRvLW5vdC1ndWVzcy1tZQ",
                 *       "thumbnail": {
                 *         "contentType": "image/jpeg",
                 *         "dataBase64": "/9j/4AAQSkZJRgABAQAAAQ=="
                 *       },
                 *       "result": {
                 *         "resultId": "res_01m7efx4xwfztrm1s20bva7r58",
                 *         "aiAnalysis": {
                 *           "scoring": {
                 *             "technical_score": 91,
                 *             "technical_feedback": "Reasons well about queues and about what happens when they fill.",
                 *             "soft_skills_score": 84,
                 *             "soft_skills_feedback": "Listens, and asks before assuming.",
                 *             "language_proficiency": 95,
                 *             "language_proficiency_feedback": "Fluent and precise.",
                 *             "weighted_score": 89.6,
                 *             "feedback": "A strong candidate for the role.",
                 *             "highlights": [
                 *               "Found the race in the sample code"
                 *             ],
                 *             "suggestions": [
                 *               "Talk about operations in the next round"
                 *             ],
                 *             "duration": 1845
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ResultCompleted"];
            };
        };
        responses: {
            /** @description Accepted. Any 2xx works. The event is not sent again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Invalid signature. Any 4xx is final: the event is not sent again. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Try again later. Any 3xx or 5xx is retried. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
