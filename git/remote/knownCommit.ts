import {hash} from 'node:crypto'
import {commitAt, git, WITHOUT_HOOKS} from '../process.ts'
import type {Remote} from './remote.ts'

/** Each names the last commit of one branch of one remote that HEAD included. No clone copies them. */
const PREFIX = 'refs/handrail-known/'

/**
 * Remembers, also between runs, the commit of a branch of the remote that HEAD included last. If the remote no longer
 * has it, the history was rewritten there.
 */
export class KnownCommit {
  readonly #root: string
  readonly #remote: Remote

  constructor(root: string, remote: Remote) {
    this.#root = root
    this.#remote = remote
  }

  /** @throws RemoteError */
  async read(branch: string): Promise<string | undefined> {
    return commitAt(this.#root, await this.#refOf(branch))
  }

  /** @throws RemoteError, GitError */
  async write(branch: string, commit: string): Promise<void> {
    const settings = [...WITHOUT_HOOKS, '-c', 'core.fsync=reference']
    await git(this.#root, [...settings, 'update-ref', await this.#refOf(branch), commit])
  }

  /** A digest, because one branch may have the name of another one's folder. */
  async #refOf(branch: string): Promise<string> {
    const address = await this.#remote.address()
    return PREFIX + hash('sha256', `${address}\n${branch}`).slice(0, 24)
  }
}
