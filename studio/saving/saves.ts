import {jsonIn} from '../../common/json.ts'
import {isRecord} from '../../schemas/record.ts'
import {reasonsIn} from './errorWords.ts'

/** A request that saves what was typed in one document. */
export type Save = {
  /** The published ID of the document. */
  readonly documentId: string
  readonly transactionId: string
  readonly url: string
  readonly body: string
}

/** Why the changes of a document are not saved. */
export type Refusal = {
  /**
   * `refused`: the lake refuses them as they are. `failed`: they could not be sent or stored. `signedOut`: the session has
   * ended.
   */
  readonly kind: 'refused' | 'failed' | 'signedOut'
  /** What the lake said, if it was reached and says why. */
  readonly reason?: string
}

/** Those by which the lake says that it will never accept the change as it is. */
const REFUSING = [400, 402, 403, 404, 409, 410, 412, 413, 422]

/**
 * The save that a request is. Studio sends what was typed with this tag; other changes, such as publishing, report their
 * errors themselves.
 */
export function saveIn(url: URL, body: unknown): Save | undefined {
  const isSave =
    url.pathname.includes('/data/actions/') &&
    /(?:^|\.)document\.commit$/.test(url.searchParams.get('tag') ?? '')
  if (!isSave || !isRecord(body)) return undefined
  const {transactionId, actions: all, ...rest} = body
  const actions: unknown[] = Array.isArray(all) ? all : []
  const documentId = member(actions[0], 'publishedId')
  if (typeof documentId !== 'string' || typeof transactionId !== 'string') return undefined
  return {
    documentId,
    transactionId,
    url: url.href,
    body: JSON.stringify({...rest, transactionId, actions: actions.map(joining)}),
  }
}

/** A save that was kept as JSON; undefined if a text is none. */
export function parseSave(text: string | null): Save | undefined {
  const {url, body} = parsed(text)
  return typeof url === 'string' ? saveIn(new URL(url), parsed(body)) : undefined
}

/**
 * Changes a new document that somebody else has created at that moment, instead of insisting on creating it: the lake
 * would refuse it each time.
 */
function joining(action: unknown): unknown {
  return isRecord(action) && action.ifExists === 'fail' ? {...action, ifExists: 'ignore'} : action
}

/** What a response to a save says; undefined if it is saved. */
export function refusalIn({ok, status}: Response, body: string): Refusal | undefined {
  if (ok) return undefined
  if (status === 401) return {kind: 'signedOut'}
  return REFUSING.includes(status)
    ? {kind: 'refused', ...reasonIn(body, status)}
    : {kind: 'failed', ...causeIn(body)}
}

/** What the lake says about its refusal. */
function reasonIn(body: string, status: number): {reason?: string} {
  const {error} = parsed(body)
  // Somebody who may not write at all is refused before the lake looks at the document.
  const general =
    status === 403
      ? 'you may no longer change this document. Ask an administrator of the site.'
      : member(error, 'description')
  const reason = reasonsIn(error) ?? general
  return typeof reason === 'string' ? {reason} : {}
}

/** Why the lake can store nothing, such as a full disk. A proxy without a lake responds otherwise. */
function causeIn(body: string): {reason?: string} {
  const {statusCode, message} = parsed(body)
  if (statusCode !== 503 || typeof message !== 'string') return {}
  return {reason: `${message.replace(/^Nothing was saved: /, '')}.`}
}

function parsed(text: unknown): {[name: string]: unknown} {
  const value = typeof text === 'string' ? jsonIn(text) : undefined
  return isRecord(value) ? value : {}
}

function member(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined
}
