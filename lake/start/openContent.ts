import {ContentRepository} from '../../content/repository.ts'
import {UniqueValues} from '../../content/uniqueValues.ts'
import {Publisher} from '../../git/commit/publisher.ts'
import type {ContentDirectory} from '../../git/contentDirectory.ts'

import {type OpenedLock, openLock} from '../../git/lock/openLock.ts'
import {openContentDirectory} from '../../git/openContentDirectory.ts'
import type {LakeSettings} from '../lakeSettings.ts'
import {NotKeptError} from '../write/errors.ts'

/** The content repository of a lake, and what reads and writes it. */
export type OpenContent = {
  readonly folder: ContentDirectory
  readonly lock: OpenedLock
  /** Whether the lock was free. Otherwise another lake writes, and this one reads until that ends. */
  readonly isLocked: boolean
  readonly repository: ContentRepository
  /** Of published documents. */
  readonly unique: UniqueValues
  readonly publisher: Publisher
}

/**
 * Opens or creates the content repository, and loads the documents at HEAD.
 * @throws Error with one line if the folder cannot be used
 */
export async function openContent(
  {contentDir, seedDir, gitRemote, uniqueRules = [], logger}: LakeSettings,
  opened: AsyncDisposableStack,
): Promise<OpenContent> {
  const folder = await openContentDirectory(contentDir, {seedDirectory: seedDir, remote: gitRemote, logger})
  const lock = await openLock(folder.gitDir, 'the lake', {
    logger,
    onWait: (holder) =>
      logger.info({holder}, 'waiting for the lock of the previous lake to be released or to expire'),
    onLost: () =>
      logger.error('another process has taken over the content repository; this one no longer writes'),
  })
  opened.defer(() => lock.release())
  const datedByCommits = new Set(uniqueRules.map(({type}) => type))
  const repository = new ContentRepository(folder, logger, datedByCommits)
  await repository.load()
  opened.defer(() => repository.close())
  const isLocked = lock.held
  const publisher = new Publisher({folder, logger, mayWrite: () => lock.confirm()})
  opened.defer(() => publisher.close())
  if (isLocked) await publisher.recover()
  return {folder, lock, isLocked, repository, unique: new UniqueValues(uniqueRules), publisher}
}

/**
 * Whether this process may still write.
 * @throws NotKeptError
 */
export async function confirmLock(lock: OpenedLock): Promise<true> {
  if (await lock.confirm()) return true
  throw new NotKeptError(
    `Nothing was saved: ${lock.problem?.message ?? 'the content repository is not locked'}`,
  )
}
