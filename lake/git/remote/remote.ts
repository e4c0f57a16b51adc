import {errorMessage} from '../../../common/errorMessage.ts'
import type {ContentDirectory} from '../contentDirectory.ts'
import {GitError, type GitOptions, git, streamGit} from '../process.ts'
import {withoutCredentials} from './redact.ts'
import {withoutSecrets} from './remoteAddress.ts'

/** The remote is unreachable or rejects the request. The message is one line without credentials. */
export class RemoteError extends Error {}

export type RemoteOptions = {
  /** Timeout of one request to the remote, in milliseconds. */
  readonly timeout: number
  /** Aborts a request. */
  readonly signal: AbortSignal
}

/** Hooks are for a person at a terminal, and maintenance runs on its own schedule. */
const SETTINGS = ['-c', 'core.hooksPath=/dev/null', '-c', 'gc.auto=0', '-c', 'maintenance.auto=false']

/** Another repository, by its name in the configuration or by its URL. */
export class Remote {
  readonly #root: string
  readonly #remote: string
  readonly #options: RemoteOptions & GitOptions

  constructor(folder: ContentDirectory, remote: string, options: RemoteOptions) {
    this.#root = folder.root
    const {address, config} = withoutSecrets(remote)
    this.#remote = address
    this.#options = {...options, config}
  }

  /**
   * Moves a branch of the remote to a commit, never by force.
   * @returns false if the branch has commits that `commit` does not include
   * @throws RemoteError
   */
  async push(commit: string, branch: string): Promise<boolean> {
    const reason = await this.#push([], `${commit}:${branch}`)
    if (reason !== undefined && !/\[rejected\]/.test(reason)) throw remoteError(reason)
    return reason === undefined
  }

  /**
   * Sets a branch of the remote to a commit, or deletes it, if it is at the commit `from`; undefined: if there is no
   * such branch.
   * @throws RemoteError
   */
  async replace(branch: string, from: string | undefined, to: string | undefined): Promise<void> {
    const reason = await this.#push([`--force-with-lease=${branch}:${from ?? ''}`], `${to ?? ''}:${branch}`)
    if (reason !== undefined) throw remoteError(reason)
  }

  /**
   * The commit of a branch of the remote, without fetching it; undefined if there is no such branch.
   * @throws RemoteError
   */
  async commitOf(branch: string): Promise<string | undefined> {
    try {
      const answer = await git(this.#root, ['ls-remote', '--', this.#remote, branch], this.#options)
      this.#check()
      const line = answer.split('\n').find((one) => one.endsWith(`\t${branch}`))
      return line?.split('\t')[0]
    } catch (error) {
      throw error instanceof RemoteError ? error : remoteError(error)
    }
  }

  /** @returns why the remote rejected it, if it did */
  async #push(options: readonly string[], refspec: string): Promise<string | undefined> {
    let answer = ''
    try {
      const args = [...SETTINGS, 'push', '--porcelain', ...options, '--', this.#remote, refspec]
      const onData = (chunk: Buffer) => {
        answer += chunk.toString()
      }
      await streamGit(this.#root, args, onData, this.#options)
    } catch (error) {
      // https://git-scm.com/docs/git-push#_output
      const [, reason] = /^!\t[^\t]*\t(.*)$/m.exec(answer) ?? []
      if (reason === undefined) throw remoteError(error)
      return reason
    }
    this.#check()
    return undefined
  }

  /**
   * Fetches a branch of the remote.
   * @returns its commit, or undefined if there is no such branch
   * @throws RemoteError
   */
  async fetch(branch: string): Promise<string | undefined> {
    const kept = branch.replace(/^refs\/heads\//, 'refs/handrail/')
    const options = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules']
    try {
      await git(
        this.#root,
        [...SETTINGS, 'fetch', ...options, '--', this.#remote, `+${branch}:${kept}`],
        this.#options,
      )
      this.#check()
      return (await git(this.#root, ['rev-parse', '--verify', '--quiet', kept])).trim()
    } catch (error) {
      if (error instanceof GitError && /couldn't find remote ref/.test(error.message)) return undefined
      throw error instanceof RemoteError ? error : remoteError(error)
    }
  }

  /** An aborted Git process ends without an error. */
  #check(): void {
    if (this.#options.signal.aborted) throw new RemoteError('the lake is shutting down')
  }
}

function remoteError(reason: unknown): RemoteError {
  const text = errorMessage(reason)
  if (/: stopped by SIG/.test(text)) return new RemoteError('the remote did not respond in time')
  return new RemoteError(withoutCredentials(text.replace(/\s+/g, ' ')))
}
