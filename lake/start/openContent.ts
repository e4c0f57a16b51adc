import {join} from 'node:path'
import {type Journal, openJournal} from '../../content/drafts/journal.ts'
import {writeFailure} from '../../content/drafts/notKept.ts'
import {Layout} from '../../content/layout/layout.ts'
import {ContentRepository} from '../../content/repository.ts'
import {State} from '../../content/state/state.ts'
import {UniqueValues} from '../../content/uniqueValues.ts'
import {Publisher} from '../../git/commit/publisher.ts'
import type {ContentDirectory} from '../../git/contentDirectory.ts'
import {acquireLock} from '../../git/lock/repositoryLock.ts'
import {openContentDirectory} from '../../git/openContentDirectory.ts'
import type {LakeSettings} from '../lakeSettings.ts'

/** The content repository of a lake, and what reads and writes it. */
export type OpenContent = {
  readonly folder: ContentDirectory
  readonly state: State
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
  const lock = await acquireLock(folder.gitDir)
  opened.defer(() => lock.release())
  const state = openState(join(folder.gitDir, 'handrail'))
  opened.defer(() => state.close())
  // Who may change a site may also date its tools.
  const datedByCommits = new Set(
    uniqueRules.flatMap(({types, within}) => (within === undefined ? types : [])),
  )
  const repository = new ContentRepository(folder, new Layout(textFiles), logger, {
    datedByCommits,
    keepsHistory: true,
  })
  opened.defer(() => repository.close())
  const publisher = new Publisher({folder, logger})
  opened.defer(() => publisher.close())
  await publisher.recover()
  const journal = await openJournal(folder.root, state)
  const unique = new UniqueValues(uniqueRules)
  return {folder, state, repository, unique, publisher, journal}
}

/** @throws Error with one line */
function openState(folder: string): State {
  try {
    return State.open(folder)
  } catch (error) {
    throw new Error(`The database of the lake cannot be opened: ${writeFailure(error)}`, {cause: error})
  }
}
