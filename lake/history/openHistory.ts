import {join} from 'node:path'
import type {FastifyBaseLogger} from 'fastify'
import type {ContentRepository} from '../../content/repository.ts'
import type {DocumentStore} from '../../content/store.ts'
import type {ContentDirectory} from '../../git/contentDirectory.ts'
import type {Access} from '../access/access.ts'
import {authorsOf} from './authors.ts'
import {DraftLog} from './draftLog.ts'
import {DocumentHistory} from './history.ts'
import {Revisions} from './revisions.ts'

export type OpenHistoryOptions = {
  readonly folder: ContentDirectory
  readonly repository: ContentRepository
  readonly store: DocumentStore
  readonly access: Access
  readonly logger: FastifyBaseLogger
}

/** Opens the history: commits, which are read on demand, and the log of drafts next to their journal. */
export async function openHistory(options: OpenHistoryOptions): Promise<DocumentHistory> {
  const {folder, repository, store, access, logger} = options
  const path = join(folder.gitDir, 'handrail', 'draft-history.jsonl')
  return new DocumentHistory({
    store,
    revisions: new Revisions(folder.root, repository),
    drafts: await DraftLog.open(path, logger),
    authors: () => authorsOf(access.accounts),
  })
}
