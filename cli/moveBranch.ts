import {setTimeout} from 'node:timers/promises'
import {errorMessage} from '../common/errorMessage.ts'
import type {ContentDirectory} from '../lake/git/contentDirectory.ts'
import {git} from '../lake/git/process.ts'
import {readHead} from '../lake/git/read/lsTree.ts'
import {CommandError} from './command.ts'

/** A lake holds the lock of the index for moments only. */
const LOCK_ATTEMPTS = 10
const LOCK_WAIT = 500

/** How long the files of the work tree may take to write, in milliseconds. */
const TIMEOUT = 600_000

/**
 * Moves the checked-out branch, index and work tree from `parent` to a commit that builds on it.
 * @param words for messages, such as "import" and "imported"
 * @throws CommandError if the branch has moved meanwhile, or a file of the work tree is in the way
 */
export async function moveBranch(
  {root, isBare}: Pick<ContentDirectory, 'root' | 'isBare'>,
  parent: string | undefined,
  commit: string,
  words: {action: string; done: string},
): Promise<void> {
  const {action, done} = words
  for (let attempt = 1; ; attempt += 1) {
    if ((await readHead(root)) !== parent)
      throw new CommandError(
        `${root} got a commit during the ${action}, so nothing was ${done}: run it again`,
      )
    try {
      const move = isBare
        ? ['update-ref', '-m', `handrail: ${action}`, 'HEAD', commit, parent ?? '']
        : ['merge', '--ff-only', '--no-verify-signatures', '--quiet', commit]
      await git(root, move, {timeout: TIMEOUT})
      return
    } catch (error) {
      const reason = errorMessage(error)
      if (!reason.includes('index.lock') || attempt === LOCK_ATTEMPTS)
        throw new CommandError(
          `nothing was ${done}, because Git could not update the work tree of ${root}: commit, stash or remove what is in the way, and run the ${action} again (${reason})`,
        )
      await setTimeout(LOCK_WAIT)
    }
  }
}
