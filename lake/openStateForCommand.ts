import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {openJournal} from '../content/drafts/openJournal.ts'
import {NO_IMPORT_LOGGER} from '../content/state/importFile.ts'
import {State} from '../content/state/state.ts'
import {acquireLock} from '../git/lock/repositoryLock.ts'
import {openContentDirectory} from '../git/openContentDirectory.ts'
import {importEarlierFiles} from './importEarlierFiles.ts'

export type CommandStateOptions = {
  readonly contentDir: string
  /** The file of people of version 0.1. */
  readonly editorsFile: string
  /** As for the start of a lake: a command may come before it. */
  readonly seedDir: string
  readonly gitRemote?: string | undefined
}

/**
 * Opens the database of a lake for a command, which may run next to the lake. Creates repository and database if they are
 * missing, and takes over the files of version 0.1, unless its lake still runs.
 * @throws Error with one line
 */
export async function openStateForCommand(options: CommandStateOptions): Promise<State> {
  const {contentDir, editorsFile, seedDir, gitRemote} = options
  const folder = await openContentDirectory(contentDir, {seedDirectory: seedDir, remote: gitRemote})
  const directory = join(folder.gitDir, 'handrail')
  const hasEarlierFiles = [join(directory, 'drafts.jsonl'), editorsFile].some((path) => existsSync(path))
  if (!hasEarlierFiles && existsSync(join(directory, 'state.db'))) return State.open(directory)
  const lock = await acquireLock(folder.gitDir, 'a command')
  try {
    const state = State.open(directory)
    await openJournal(folder, state, {mayWrite: true})
    const {gitDir} = folder
    await importEarlierFiles(state, {gitDir, editorsFile, isLocked: true, logger: NO_IMPORT_LOGGER})
    return state
  } finally {
    await lock.release()
  }
}
