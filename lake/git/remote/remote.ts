import type {ContentDirectory} from '../contentDirectory.ts'
import {GitError, type GitOptions, git, streamGit} from '../process.ts'
import {withoutCredentials} from './redact.ts'
import {withoutSecrets} from './remoteAddress.ts'

/** The remote cannot be reached or refuses. The message is one line and holds no credentials. */
export class RemoteError extends Error {}

export type RemoteOptions = {
  /** Milliseconds that one exchange with the remote may take. */
  readonly timeout: number
  /** Ends an exchange early. */
  readonly signal: AbortSignal
}

/** Hooks are for a person at a terminal; the housekeeping has its own time. */
const SETTINGS = ['-c', 'core.hooksPath=/dev/null', '-c', 'gc.auto=0', '-c', 'maintenance.auto=false']

/** Another repository, by its name in the configuration or by its address. */
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
   * Moves a branch of the remote to a commit, never by force. Answers false when it holds commits that this one is
   * not on top of.
   * @throws RemoteError
   */
  async push(commit: string, branch: string): Promise<boolean> {
    let answer = ''
    try {
      const args = [...SETTINGS, 'push', '--porcelain', '--', this.#remote, `${commit}:${branch}`]
      const onData = (chunk: Buffer) => {
        answer += chunk.toString()
      }
      await streamGit(this.#root, args, onData, this.#options)
    } catch (error) {
      // https://git-scm.com/docs/git-push#_output
      const [, reason] = /^!\t[^\t]*\t(.*)$/m.exec(answer) ?? []
      if (reason !== undefined && /\[rejected\]/.test(reason)) return false
      throw remoteError(reason ?? error)
    }
    this.#check()
    return true
  }

  /**
   * Gets what a branch of the remote holds, and answers its commit; undefined where there is no such branch.
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

  /** Git that was stopped early ends without an error. */
  #check(): void {
    if (this.#options.signal.aborted) throw new RemoteError('the lake is shutting down')
  }
}

function remoteError(reason: unknown): RemoteError {
  const text = reason instanceof Error ? reason.message : String(reason)
  if (/: stopped by SIG/.test(text)) return new RemoteError('the remote did not answer in time')
  return new RemoteError(withoutCredentials(text.replace(/\s+/g, ' ')))
}
