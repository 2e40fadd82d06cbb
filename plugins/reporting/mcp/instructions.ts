/** What a model is told before it sees the tools; at most 1,500 characters. */
export const instructionsOf = (areas: Iterable<string>) =>
  `Gatehouse has these areas: ${[...areas].join(', ')}. You act as one user and see only what is theirs; tools/list shows what your credential may do.

Lists are newest first and paged: pass next_cursor of a page as cursor to get the next; null is the end. Ids are integers that come from lists and from what you create.

Do many things in one call if a tool takes items or ids. A call that fails for some items says which (status "partial").

A memo has a version. To change or delete it, read it first and pass if_match: v and its version, such as v3. PRECONDITION-FAILED means that somebody changed it meanwhile: read it again.

If a tool takes idempotency_key, pass a new one for each new action: after a timeout the same call with the same key is safe.

A failed call is JSON with code, message, details and remedy: do what remedy says. Do not repeat a failed call unless remedy says so or retry_after_seconds is given; then wait that long.

Everything you change belongs to a run (one for each day, if the client names none) and can be looked up and undone if the activity tools are listed.

Arguments that a tool does not name are refused. Times are RFC 3339 in UTC. The resources hold every error code and the HTTP interface.`
