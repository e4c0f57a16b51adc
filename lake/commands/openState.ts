import {readdir} from 'node:fs/promises'
import {State} from '../../content/state/state.ts'
import {openContentDirectory} from '../../git/openContentDirectory.ts'
import {openStateFolder} from '../../git/stateFolder.ts'

/**
 * Opens the database of a lake for a command, which may run next to the lake.
 * @throws Error with one line
 */
export async function openStateForCommand(contentDir: string): Promise<State> {
  // A new repository gets example content, or that of the remote: the start of the lake decides.
  if ((await readdir(contentDir).catch(() => [])).length === 0)
    throw new Error(`CONTENT_DIR ${contentDir} has no content repository yet: start the lake, then try again`)
  const {gitDir} = await openContentDirectory(contentDir)
  return State.open(await openStateFolder(gitDir))
}
