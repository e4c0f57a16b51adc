import {readBranch} from '../branch.ts'
import type {ContentDirectory} from '../contentDirectory.ts'
import {commitAt, git, gitLines, WITHOUT_HOOKS} from '../process.ts'
import type {Remote} from './remote.ts'

/**
 * The local names of proposed commits. They keep `git gc` from deleting these commits, and tell the next start
 * which branches the remote may have. Fetched branches are in `refs/handrail/`, which may have any name in it.
 */
const LOCAL = 'refs/handrail-proposals/'

/** Commits that are proposed for publication, each as a branch of the remote. */
export class Proposals {
  readonly #folder: ContentDirectory
  readonly #trailer: string

  /** @param trailer the name of the trailer that every proposed commit has, and no other one */
  constructor(folder: ContentDirectory, trailer: string) {
    this.#folder = folder
    this.#trailer = trailer
  }

  /**
   * The branches of proposals that were made and not yet deleted.
   * @throws GitError
   */
  async branches(): Promise<readonly string[]> {
    const listed = await gitLines(this.#folder.root, ['for-each-ref', '--format=%(refname)', LOCAL])
    return listed.map((name) => name.slice(LOCAL.length))
  }

  /**
   * Those that the remote does not have.
   * @throws RemoteError, GitError
   */
  async missing(remote: Remote): Promise<readonly string[]> {
    const kept = await this.branches()
    const there = kept.length === 0 ? [] : await remote.branches()
    return kept.filter((branch) => !there.includes(`refs/heads/${branch}`))
  }

  /** The id of the commit that is proposed in a branch, and the value of its trailer. */
  async find(branch: string): Promise<{readonly commit: string; readonly value: string} | undefined> {
    const commit = await commitAt(this.#folder.root, LOCAL + branch)
    const value = commit && (await this.#trailerOf(commit))
    return commit && value ? {commit, value} : undefined
  }

  /**
   * Proposes a commit in a branch. {@link push} brings it to the remote.
   * @throws GitError
   */
  async keep(branch: string, commit: string): Promise<void> {
    await git(this.#folder.root, [...WITHOUT_HOOKS, 'update-ref', LOCAL + branch, commit])
  }

  /**
   * Sets a branch of the remote to a commit; undefined deletes it. Commits that others added to it are not
   * overwritten, and neither is the branch that HEAD is on.
   * @returns false if it is one of these, and nothing was changed
   * @throws RemoteError, RemoteRefusedError, GitError
   */
  async push(remote: Remote, branch: string, commit: string | undefined): Promise<boolean> {
    const ref = `refs/heads/${branch}`
    if (ref === (await readBranch(this.#folder.gitDir))) return false
    const current = await remote.commitOf(ref)
    const isOwn = current === undefined || (await this.#trailerOf(current)) !== undefined
    if (isOwn && current !== commit) await remote.replace(ref, current, commit)
    if (!isOwn || commit === undefined)
      await git(this.#folder.root, [...WITHOUT_HOOKS, 'update-ref', '-d', LOCAL + branch])
    return isOwn
  }

  /** The value of the trailer of a commit; undefined if the commit is not in this repository. */
  async #trailerOf(commit: string): Promise<string | undefined> {
    // Only what Git reads as a trailer: the subject may look like one.
    const format = `--format=%(trailers:key=${this.#trailer},valueonly)`
    const found = await git(this.#folder.root, [
      'show',
      '--no-patch',
      '--no-show-signature',
      format,
      commit,
    ]).catch(() => '')
    return found.trim() || undefined
  }
}
