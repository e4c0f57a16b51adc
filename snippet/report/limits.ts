/** Milliseconds from the first call until what was counted is sent, if the page is open that long. */
export const SEND_AFTER = 60_000

/** Milliseconds in which a page that took a form without an answer sends it. */
export const REQUESTS_WITHIN = 5_000

/** Milliseconds in which the page comes that a form leads to. */
export const LEFT_WITHIN = 60_000

/** Milliseconds after a request in which the next one belongs to it. */
export const FOLLOWS_WITHIN = 1_000

/** Milliseconds in which such a request ends. */
export const ANSWERED_WITHIN = 10_000

/** Maximum rows of a report, their characters without counts, and calls: the service accepts no more. */
export const MAX_ROWS = 100
export const MAX_LENGTH = 7_500
export const MAX_CALLS = 200

/** In the storage of a tab: the form that an agent left the last page with. */
export const LEFT_KEY = 'handrail-form'
