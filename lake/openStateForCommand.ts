import {existsSync} from 'node:fs'
import {readdir} from 'node:fs/promises'
import {join} from 'node:path'
import {openJournal} from '../content/drafts/openJournal.ts'
import {NO_IMPORT_LOGGER} from '../content/state/importFile.ts'
import {State} from '../content/state/state.ts'
import {acquireLock} from '../git/lock/repositoryLock.ts'
import {openContentDirectory} from '../git/openContentDirectory.ts'
import {importEarlierFiles} from './importEarlierFiles.ts'

/**
 * Opens the database of a lake for a command, which may run next to the lake. Takes over the state of an earlier version, unless
 * its lake still runs.
 * @param editorsFile the file of people of version 0.1
 * @throws Error with one line
 */
export async function openStateForCommand(contentDir: string, editorsFile: string): Promise<State> {
  // A new repository gets example content, or that of the remote: the start of the lake decides.
  if ((await readdir(contentDir).catch(() => [])).length === 0)
    throw new Error(`CONTENT_DIR ${contentDir} has no content repository yet: start the lake, then try again`)
  const folder = await openContentDirectory(contentDir)
  const {gitDir} = folder
  const directory = join(gitDir, 'handrail')
  const hasEarlierFiles = [join(directory, 'drafts.jsonl'), editorsFile].some((path) => existsSync(path))
  // The tables of a lake that runs must not change under it: the lock shows whether one does.
  if (!hasEarlierFiles && State.isCurrent(directory)) return State.open(directory)
  const lock = await acquireLock(gitDir, 'a command')
  try {
    const state = State.open(directory)
    await openJournal(folder, state, {mayWrite: true})
    await importEarlierFiles(state, {gitDir, editorsFile, isLocked: true, logger: NO_IMPORT_LOGGER})
    return state
  } finally {
    await lock.release()
  }
}
