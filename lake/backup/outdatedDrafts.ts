import {randomUUID} from 'node:crypto'
import type {FastifyBaseLogger} from 'fastify'
import {revisionOf} from '../../content/canonical.ts'
import {type Document, labelOf} from '../../content/document.ts'
import {openJournal} from '../../content/drafts/journal.ts'
import {isDraftId, publishedId} from '../../content/ids.ts'
import type {Layout} from '../../content/layout/layout.ts'
import {ContentRepository} from '../../content/repository.ts'
import type {State} from '../../content/state/state.ts'
import type {ContentDirectory} from '../../git/contentDirectory.ts'
import {strengthened} from '../write/transaction/publishing.ts'

/** The author of changes of the lake itself in the history. */
const AUTHOR = '<system>'

export type OutdatedDraft = {
  readonly id: string
  readonly type: string
  readonly name: string
  /** When it was changed last, in ISO 8601. */
  readonly changedAt: string
  /** Whether what it began from was unpublished or deleted since. */
  readonly isGone: boolean
}

/**
 * Compares drafts with what was published after they began. Discards those that were published as they are. Others stay, and the
 * lake refuses to publish them: that would undo what was published since.
 * @throws Error with one line
 */
export async function compareDrafts(
  folder: ContentDirectory,
  layout: Layout,
  state: State,
  logger: FastifyBaseLogger,
): Promise<{
  readonly drafts: number
  readonly discarded: number
  readonly outdated: readonly OutdatedDraft[]
}> {
  const journal = await openJournal(folder.root, state)
  const repository = new ContentRepository(folder, layout, logger, {keepsHistory: true})
  const first = await repository.refreshFirst().finally(() => repository.close())
  const published = first?.documents ?? new Map<string, Document>()
  const discarded = new Map<string, undefined>()
  const outdated: OutdatedDraft[] = []
  for (const [id, {document, base}] of journal.drafts) {
    const current = published.get(publishedId(id))
    if (!isDraftId(id) || base === undefined || base === (current?._rev ?? null)) continue
    if (current?._rev === revisionOf({...strengthened(document), _id: publishedId(id)}))
      discarded.set(id, undefined)
    else
      outdated.push({
        id,
        type: document._type,
        name: labelOf(document),
        changedAt: document._updatedAt,
        isGone: current === undefined,
      })
  }
  const [entry, timestamp] = [randomUUID(), new Date().toISOString()]
  if (discarded.size > 0)
    journal.append({id: entry, attempt: entry, author: AUTHOR, timestamp, drafts: discarded, commits: false})
  return {drafts: journal.drafts.size, discarded: discarded.size, outdated}
}
