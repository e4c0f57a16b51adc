import {isDeepStrictEqual} from 'node:util'
import type {Document} from '../documents/document.ts'
import {plainLine} from '../git/objects/commitObject.ts'

/** Maximum documents listed in one message. */
const MAX_NAMED = 100

/** A change of a published document. */
export type DocumentChange = {
  readonly id: string
  readonly before?: Document | undefined
  readonly after?: Document | undefined
}

/** The trailer with the transaction id. */
export const TRANSACTION_TRAILER = 'Transaction'

/**
 * The trailer by which the journal recognises the commit of an entry: clients choose transaction ids, and may
 * use one twice.
 */
export const ATTEMPT_TRAILER = 'Attempt'

/** The trailers of a change that was reviewed: its reviewer and its authors, as Git hosts show them. */
export const REVIEWER_TRAILER = 'Reviewed-by'
export const AUTHOR_TRAILER = 'Co-authored-by'

/** The trailer with the reason for which an administrator published a change without the review that it needs. */
export const SKIPPED_TRAILER = 'Published-without-review'

/**
 * A commit message for people and programs: `Publish tool searchProducts`, then trailers with the documents'
 * ids and the transaction's (https://git-scm.com/docs/git-interpret-trailers).
 */
export function commitMessage(
  deeds: readonly DocumentChange[],
  unpublished: boolean,
  transactionId: string,
  attempt: string,
  reviewTrailers: readonly string[] = [],
): string {
  const trailers = deeds.slice(0, MAX_NAMED).map((deed) => `Document: ${deed.id}`)
  trailers.push(
    ...reviewTrailers,
    `${TRANSACTION_TRAILER}: ${transactionId}`,
    `${ATTEMPT_TRAILER}: ${attempt}`,
  )
  return [subject(deeds, unpublished), '', ...trailers, ''].join('\n')
}

function subject(deeds: readonly DocumentChange[], unpublished: boolean): string {
  const gone = deeds.every(({after}) => after === undefined)
  const verb = gone ? (unpublished ? 'Unpublish' : 'Delete') : 'Publish'
  const [deed] = deeds
  const document = deed?.after ?? deed?.before
  if (deed === undefined || deeds.length !== 1 || document === undefined)
    return `${verb} ${deeds.length} documents`
  return `${verb} ${document._type} ${labelOf(document)}${switchedIn(deed)}`
}

/** Names the switch that was changed, if nothing else was: ` (enabled: false)`. */
function switchedIn({before, after}: DocumentChange): string {
  if (before === undefined || after === undefined) return ''
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const changed = [...names].filter(
    (name) => !name.startsWith('_') && !isDeepStrictEqual(before[name], after[name]),
  )
  const [name = ''] = changed
  const isSwitch = changed.length === 1 && /^\w{1,60}$/.test(name) && typeof after[name] === 'boolean'
  return isSwitch ? ` (${name}: ${after[name]})` : ''
}

/** The title or name of a document, if it has one. */
export function labelOf(document: Document): string {
  for (const text of [document.name, document.title]) {
    const label = typeof text === 'string' ? plainLine(text) : ''
    // Cut by code points: half of a surrogate pair is invalid text.
    if (label !== '') return Array.from(label).slice(0, 60).join('')
  }
  return document._id
}
