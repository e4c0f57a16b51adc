import {errorMessage} from '../../common/errorMessage.ts'
import type {ContentDirectory} from '../../git/contentDirectory.ts'
import {git} from '../../git/process.ts'
import {readHead} from '../../git/read/commits.ts'
import {CommandError} from '../command.ts'

/** How long the files of the work tree may take to write, in milliseconds. */
const TIMEOUT = 600_000

/**
 * Moves the branch of HEAD, and index and work tree if there are any, from `parent` to a commit that builds on it.
 * @throws CommandError if the branch has moved meanwhile, or a file of the work tree is in the way
 */
export async function moveBranch(
  {root, isBare}: Pick<ContentDirectory, 'root' | 'isBare'>,
  parent: string | undefined,
  commit: string,
): Promise<void> {
  if ((await readHead(root)) !== parent)
    throw new CommandError(`${root} got a commit during the import, so nothing was imported: run it again`)
  const move = isBare
    ? ['update-ref', '-m', 'handrail: import', 'HEAD', commit, parent ?? '']
    : ['merge', '--ff-only', '--no-verify-signatures', '--quiet', commit]
  await git(root, move, {timeout: TIMEOUT}).catch((error: unknown) => {
    const remedy = isBare
      ? 'because Git could not move its branch: run the import again'
      : `because Git could not update the work tree of ${root}: commit, stash or remove what is in the way, and run the import again`
    throw new CommandError(`nothing was imported, ${remedy} (${errorMessage(error)})`)
  })
}
