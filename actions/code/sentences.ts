// What agents read about the answer to a request: in the compiled script, and in the panel before the tool is made.

/** Seconds until a tool says that the server does not reply. */
export const TIMEOUT_SECONDS = 20

/** What an agent reads if it is not known whether a change happened: to call again could do it twice. */
export const UNKNOWN = 'It may have happened: look at the page before you call this again.'

export const LATER = 'Try again later.'

export const DONE = 'Done. The website sent nothing back.'

export const NOTHING = 'Nothing was found.'

export const BROKEN = `The website could not be reached, or the connection broke. ${UNKNOWN}`

export const UNREAD = `The answer of the website could not be read. ${LATER}`

export const REFUSED = 'The website refused the request. Check the arguments.'

export const NO_JSON =
  'The website did not send data (JSON). The visitor may have to sign in first, or this tool has to be changed.'

export const PAGE_INSTEAD = `The website sent a page instead of data: the visitor may have to sign in. ${UNKNOWN}`

export const SIGN_IN_PAGE = `The website led to its sign-in page: the visitor may have to sign in. ${UNKNOWN}`

/** Of status 401 and 403. */
export const SIGN_IN = 'The visitor may have to sign in to the website first.'

export const CHECK = 'Check the arguments.'

/** @param changes whether the request may change something */
export function slow(changes: boolean): string {
  return `The website did not reply within ${TIMEOUT_SECONDS} seconds. ${changes ? UNKNOWN : LATER}`
}

/** @param origin of another website; undefined: the page's own */
export function unreached(changes: boolean, origin: string | undefined): string {
  if (changes) return BROKEN
  if (origin === undefined) return `The website could not be reached. ${LATER}`
  return `${origin} could not be reached, or does not let this page read its answer. If it fails again, tell the visitor.`
}

/** @param path where the list was expected; empty: the whole answer */
export function noList(path: string): string {
  const where = path === '' ? '' : ` at “${path}”`
  return `The website sent no list${where}, so this tool does not work until it is changed. Tell the visitor.`
}
