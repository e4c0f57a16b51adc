/** Milliseconds for a visitor's answer: many agents wait 60 seconds, and do not cancel the call then. */
export const ANSWER_WITHIN = 50_000

/** Milliseconds between two looks at what ends a question. */
export const TICK = 200

/** Milliseconds before a click counts: the visitor may be about to click on the page below. */
export const ALLOW_AFTER = 500

/** Arguments that the schema does not name, of one call. */
export const UNKNOWN_MOST = 20
