import type {Journal} from '../../content/drafts/journal.ts'
import {NotKeptError} from '../../content/drafts/notKept.ts'
import {openJournal} from '../../content/drafts/openJournal.ts'
import {Layout} from '../../content/layout/layout.ts'
import {ContentRepository} from '../../content/repository.ts'
import {openState} from '../../content/state/openState.ts'
import type {State} from '../../content/state/state.ts'
import {UniqueValues} from '../../content/uniqueValues.ts'
import {Publisher} from '../../git/commit/publisher.ts'
import type {ContentDirectory} from '../../git/contentDirectory.ts'
import type {LakeLock} from '../../git/lock/openLock.ts'
import {openContentDirectory} from '../../git/openContentDirectory.ts'
import type {LakeSettings} from '../lakeSettings.ts'

/** The content repository of a lake, and what reads and writes it. */
export type OpenContent = {
  readonly folder: ContentDirectory
  readonly state: State
  readonly lock: LakeLock
  /** Whether the lock was free. Otherwise another lake writes, and this one reads until that ends. */
  readonly isLocked: boolean
  readonly repository: ContentRepository
  /** Of published documents. */
  readonly unique: UniqueValues
  readonly publisher: Publisher
  readonly journal: Journal
}

/**
 * Opens or creates the content repository, and loads the documents at HEAD.
 * @throws Error with one line if the folder cannot be used
 */
export async function openContent(
  {contentDir, seedDir, seedPaths, gitRemote, textFiles = {}, uniqueRules = [], logger}: LakeSettings,
  opened: AsyncDisposableStack,
): Promise<OpenContent> {
  const folder = await openContentDirectory(contentDir, {
    seedDirectory: seedDir,
    seedPaths,
    remote: gitRemote,
  })
  const {lock, state} = await openState(folder.gitDir, 'the lake', logger)
  opened.defer(() => lock.release())
  opened.defer(() => state.close())
  const datedByCommits = new Set(uniqueRules.map(({type}) => type))
  const repository = new ContentRepository(folder, new Layout(textFiles), logger, datedByCommits)
  await repository.load()
  opened.defer(() => repository.close())
  const isLocked = lock.held
  const publisher = new Publisher({folder, logger, mayWrite: () => lock.held})
  opened.defer(() => publisher.close())
  if (isLocked) await publisher.recover()
  const journal = await openJournal(folder, state, {mayWrite: isLocked})
  const unique = new UniqueValues(uniqueRules)
  return {folder, state, lock, isLocked, repository, unique, publisher, journal}
}

/** @throws NotKeptError unless this process may write */
export function confirmWritable({lock}: Pick<OpenContent, 'lock'>): void {
  if (lock.held) return
  throw new NotKeptError(
    `Nothing was saved: ${lock.problem?.message ?? 'the content repository is not locked'}`,
  )
}
