// Numbers that are declared here stand in scripts where they are used: esbuild replaces those that no other statement precedes.

/** Milliseconds until a tool says that the server does not reply (outcome.ts). */
export const TIMEOUT = 20_000

/** Bytes or characters of an answer that are read: nothing ends a script that is busy with a stranger's answer. */
export const MAX_ANSWER = 5_000_000

/** Problems within each other: a stranger's JSON may be too deep for functions that call themselves. */
export const MAX_DEPTH = 99

/** Characters of a text that is returned whole. */
export const MAX_TEXT = 5_000

/** Bounds of a table, which may be a stranger's: a cell of a few bytes can span 65,534 rows and 1,000 columns. */
export const MAX_ROWS = 1_000
export const MAX_COLUMNS = 100
export const MAX_HEADS = 10

/** Characters of all entries of a list that are returned. */
export const MAX_CHARACTERS = 200_000

/** Entries that are read, no fewer than a tool returns. Others are only counted. */
export const MAX_READ = 200

/** Links of which it is known whether they are shown and lead to a page. All others count as such. */
export const MAX_LOOKED_AT = 5_000

/** Terms that share a description, and all terms and descriptions: their numbers are a stranger's. */
export const MAX_TERMS = 10
export const MAX_PARTS = 1_000

/** Looks at the page while its scripts may still add what is read: an agent calls as soon as it sees the tool. */
export const LOAD_LOOKS = 20

/** Looks at the page until a button has loaded what it loads. */
export const PRESS_LOOKS = 50
