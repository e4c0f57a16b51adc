import {MAX_ANSWER} from './bounds.ts'
import type {Path} from './json.ts'
import type {RequestPlan} from './plan.ts'
import {saidAt, stop} from './said.ts'
import type {asText, ValueCall} from './values.ts'

// What an agent reads of an answer, by whether the request may change something, its status, what came, and where it was led.

// These follow others.
const LATER = ' Try again later.'
const SIGN_IN = ' The visitor may have to sign in first.'
/** It is not known whether a change happened: to call again could do it twice. */
const UNKNOWN = ' It may have happened: look at the page before you call this again.'
const CHECK = ' Check the arguments.'
const LED_TO_SIGN_IN = `The website led to a page to sign in.${SIGN_IN}`

export const REFUSED = `The website refused the request.${CHECK}`
/** If something else came than the tool reads: no JSON or no page, another one, or one that is too long. */
export const UNREAD = `The website sent nothing that this tool reads.${SIGN_IN}`
export const NOT_HERE = 'This page does not have what the tool reads. Try another page.'
/** An empty list looks like one that is missing. */
export const NO_ENTRIES = 'There are no entries on this page now.'

/** What an agent reads of requests of one kind. */
export type Column = {
  /** If the answer has nothing. @param said by the website */
  readonly none: (call: NothingCall, said?: string) => unknown
  /** What to do if the website fails, or nothing is known of the request. */
  readonly remedy: string
  /** What an agent reads after the problem, if something else came than the tool reads; empty: nothing can have changed. */
  readonly unsure: string
  /** Whether JSON says no to a change. */
  readonly refuses?: (answer: unknown, call: {readonly error?: Path}) => unknown
  readonly ledTo?: typeof ledTo
}

/** A call, as far as what an agent reads of nothing needs it. */
export type NothingCall = RequestPlan & ValueCall & {readonly named?: typeof asText}

/** Of requests that change nothing. */
export const reads: Column = {
  none: nothingFor,
  remedy: LATER,
  unsure: '',
}

/** Of requests that may change something. */
export const changes: Column = {
  none: () => 'Done. The website sent nothing that this tool reads.',
  remedy: UNKNOWN,
  unsure: UNKNOWN,
  refuses,
  ledTo,
}

/** Of those that may change something, and of which an editor named the place of errors. */
export const changesAt: Column = {
  ...changes,
  refuses: (answer, call) => refuses(answer) || saidAt(answer, call),
}

/** Where a page led that came instead of data; empty: nowhere. */
export function ledTo(response: Response): string {
  return response.redirected && isOf(response)
    ? `The website led to the page “${new URL(response.url).pathname}”.`
    : ''
}

/** The address of a sign-in page, such as `/wp-login.php` or `/oauth2/auth`, and not of an article about one. */
export const SIGN_IN_ADDRESS =
  /[/?](\w+[_-])?((log|sign)[-_]?[io]n|o?auth2?|sso|sessions?\/new|anmelden)(?![\w-])/i

/** @throws Error with what the agent reads, if a request was led to the page where visitors sign in */
export function checkSignIn({redirected, url}: Response, {unsure}: Column): void {
  if (redirected && SIGN_IN_ADDRESS.test(new URL(url).pathname)) stop(LED_TO_SIGN_IN + unsure)
}

/**
 * A page that a request was led to, and that asks for a password, is where visitors sign in. Others are if they have one such field,
 * as pages to change it have more, and not what the tool reads: a form to sign in may be on all pages.
 * @param text of what came
 * @param isRead whether it has what the tool reads
 * @throws Error with what the agent reads, if it is the page where visitors sign in
 */
export function checkPage(response: Response, {unsure}: Column, text: string, isRead = false): void {
  let around = 0
  let fields = 0
  // What ends the part of the text that is not shown.
  let until = ''
  for (const [tag, end, name] of text
    .toLowerCase()
    .matchAll(
      /<!--|-->|<(\/?)(header|nav|aside|footer|dialog|script|style|template)\b|<input[^<>]*type=["']?password/g,
    ))
    if (until) until = tag === until ? '' : until
    else if (tag === '<!--') until = '-->'
    else if (tag.startsWith('<input')) fields += around < 1 ? 1 : 0
    else if (/^[st]/.test(name ?? '')) until = end ? '' : `</${name}`
    else if (name) around += end ? -1 : 1
  if ((response.redirected ? fields > 0 : fields === 1 && !isRead) && isOf(response))
    stop(LED_TO_SIGN_IN + unsure)
}

/** Whether a page came, or another kind, such as `json`. */
export function isOf({headers}: Response, kind = 'html'): boolean {
  return RegExp(kind, 'i').test(headers.get('content-type') ?? '')
}

/** The text that came. JSON that is longer is none. */
export async function textIn(response: Response): Promise<string> {
  return (await response.text()).slice(0, MAX_ANSWER)
}

/** If no answer came, or it broke off. @param isSlow whether time was over */
export function unanswered(isSlow: boolean, {remedy}: Column): string {
  return `The website ${isSlow ? 'did not reply within 20 seconds' : 'could not be reached, or its answer not read'}.${remedy}`
}

const ADVICE: Readonly<Record<number, string>> = {401: SIGN_IN, 403: SIGN_IN, 429: LATER}

/** If the status is an error. */
export function failedWith(status: number, {remedy}: Column): string {
  return `The request failed with status ${status}.${ADVICE[status] ?? (status === 408 || status > 499 ? remedy : CHECK)}`
}

/** What an agent reads if a request finds nothing: a result, and no failure (schemas/calls/counts.ts). @param said by the website */
export function nothingFor(call: NothingCall, said = '') {
  const {nothing = '', named} = call
  return {
    found: 0,
    message: said + ((named ? named({template: nothing}, call) : nothing) || 'Nothing was found.'),
  }
}

/** Whether JSON of an answer with status 200 says no by one of the usual names. */
export function refuses(answer: unknown): boolean {
  return 'success Success isSuccess ok valid status code result'.split(' ').some((name) =>
    // False, also in data, a status of errors, or a word such as “validation_failed”, and not “no_error”.
    /=false$|(ss|ok|id)=0$|(us|de)=[45]\d\d$|=(\w\w\w+_)?(error|fail\w*)$/i.test(
      `${name}=${Object(answer)[name] ?? (Object(answer).data?.[name] && '')}`,
    ),
  )
}

/** The sentences about failures that have no text of a website or an argument in them: Studio gets only their hashes. */
export function sentencesOfFailures(): string[] {
  const statuses = Array.from({length: 200}, (_, at) => 400 + at)
  return [reads, changes].flatMap((column) => [
    ...statuses.map((status) => failedWith(status, column)),
    ...[unanswered(true, column), unanswered(false, column), REFUSED, NOT_HERE],
    ...[LED_TO_SIGN_IN, UNREAD].map((problem) => problem + column.unsure),
  ])
}
