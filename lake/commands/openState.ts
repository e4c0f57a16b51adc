import {readdir} from 'node:fs/promises'
import {join} from 'node:path'
import {State} from '../../content/state/state.ts'
import {acquireLock} from '../../git/lock/repositoryLock.ts'
import {openContentDirectory} from '../../git/openContentDirectory.ts'

/**
 * Opens the database of a lake for a command, which may run next to the lake. Creates it or changes its tables only while
 * no lake runs.
 * @throws Error with one line
 */
export async function openStateForCommand(contentDir: string): Promise<State> {
  // A new repository gets example content, or that of the remote: the start of the lake decides.
  if ((await readdir(contentDir).catch(() => [])).length === 0)
    throw new Error(`CONTENT_DIR ${contentDir} has no content repository yet: start the lake, then try again`)
  const {gitDir} = await openContentDirectory(contentDir)
  const directory = join(gitDir, 'handrail')
  // The tables of a lake that runs must not change under it: the lock shows whether one does.
  if (State.isCurrent(directory)) return State.open(directory)
  const lock = await acquireLock(gitDir)
  try {
    return State.open(directory)
  } finally {
    lock.release()
  }
}
