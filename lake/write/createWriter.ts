import {join} from 'node:path'
import type {FastifyBaseLogger} from 'fastify'
import {isJsonObject} from '../../common/json.ts'
import type {ContentRepository} from '../documents/repository.ts'
import type {Applied, DocumentStore} from '../documents/store.ts'
import type {Publisher} from '../git/commit/publisher.ts'
import type {ContentDirectory} from '../git/contentDirectory.ts'
import {git} from '../git/process.ts'
import {type Environment, finder} from '../query/run.ts'
import {GitPublishedStore} from './gitPublished.ts'
import {Journal} from './journal.ts'
import {ATTEMPT_TRAILER, TRANSACTION_TRAILER} from './message.ts'
import {Writer} from './writer.ts'

export type CreateWriterParts = {
  readonly folder: ContentDirectory
  readonly repository: ContentRepository
  readonly publisher: Publisher
  readonly store: DocumentStore
  readonly environment: Environment
  readonly publish: (applied: Applied) => void
  /** Whether this process still holds the repository lock. Default: it does. */
  readonly mayWrite?: () => Promise<boolean>
  /** False if the repository was opened read-only, so nothing may be cleaned up. */
  readonly isLocked?: boolean
  readonly logger: FastifyBaseLogger
}

/**
 * Opens what a writer needs, and loads published documents and drafts into the store. The writer owns the
 * journal; it is returned so that callers can read its state.
 * @throws Error with one line
 */
export async function createWriter(parts: CreateWriterParts): Promise<{writer: Writer; journal: Journal}> {
  const {folder, repository, publisher, store, environment, publish, logger} = parts
  const {mayWrite = async () => true, isLocked = true} = parts
  // The journal is in the Git folder, which no clone copies and no `git clean` empties.
  const path = join(folder.gitDir, 'handrail', 'drafts.jsonl')
  const isCommitted = (id: string, attempt: string | undefined) =>
    attempt === undefined
      ? isInHistory(folder.root, TRANSACTION_TRAILER, id)
      : isInHistory(folder.root, ATTEMPT_TRAILER, attempt)
  const {journal, damage} = await Journal.open(path, isCommitted, isLocked)
  if (damage !== undefined) {
    const {lineNumbers, count, copy} = damage
    logger.error({path, lineNumbers, count, copy}, 'skipped damaged lines in the drafts journal')
  }
  const writer = new Writer({
    store,
    journal,
    published: new GitPublishedStore(repository, publisher, (id) => store.get(id)),
    newFind: ({id: identity}) => {
      const find = finder(() => store.view('raw'), {...environment, identity})
      return async (query, params) => {
        const result = await find(query, params)
        return (Array.isArray(result) ? result : [result]).flatMap(idOf)
      }
    },
    publish,
    mayWrite,
  })
  await writer.load()
  return {writer, journal}
}

/**
 * Whether any branch has a commit with this trailer. All branches, because people who work with Git may have
 * switched.
 */
async function isInHistory(root: string, trailer: string, value: string): Promise<boolean> {
  const line = `^${trailer}: ${value.replaceAll('.', '\\.')}$`
  const found = await git(root, ['log', '--all', '--max-count=1', '--format=%H', `--grep=${line}`])
  return found.trim() !== ''
}

function idOf(found: unknown): string[] {
  const id = isJsonObject(found) ? found._id : found
  return typeof id === 'string' ? [id] : []
}
