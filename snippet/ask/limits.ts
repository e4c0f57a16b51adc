/** Milliseconds for a visitor's answer: many agents wait 60 seconds, and do not cancel the call then. */
export const ANSWER_WITHIN = 50_000

/** Milliseconds between two looks at what ends a question. */
export const TICK = 200
