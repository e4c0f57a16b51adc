import type {Document} from '../../../content/document.ts'
import {minFileSize} from '../../../content/size.ts'
import {refuse} from '../errors.ts'
import type {Effect} from './workspace.ts'

/** Maximum megabytes of documents in one response. */
const MAX_MEGABYTES = 16

/**
 * Refuses a response that is too large: it repeats a document for every mutation of that document.
 * @throws RefusedError
 */
export function checkReturned(
  effects: readonly Effect[],
  documents: ReadonlyMap<string, Document | undefined>,
): void {
  const most = MAX_MEGABYTES * 1024 * 1024
  const sizes = new Map(Array.from(documents, ([id, document]) => [id, minFileSize(document, most)]))
  let bytes = 0
  for (const {id} of effects) bytes += sizes.get(id) ?? 0
  if (bytes <= most) return
  throw refuse.malformed(
    `The documents of this transaction exceed ${MAX_MEGABYTES} MB: send it without "returnDocuments"`,
  )
}
