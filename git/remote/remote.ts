import {errorMessage} from '../../common/errorMessage.ts'
import {fetchedRef, shortName} from '../branch.ts'
import type {ContentDirectory} from '../contentDirectory.ts'
import {plainLine} from '../plainLine.ts'
import {commitAt, GitError, type GitOptions, git, streamGit, WITHOUT_HOOKS} from '../process.ts'
import {withoutCredentials} from '../redact.ts'
import {REMOTE, remoteSettings, withoutSecrets} from './remoteAddress.ts'

/** The remote is unreachable or rejects the request. The message is one line without credentials. */
export class RemoteError extends Error {}

/** The host of the remote has a rule against what was pushed, and will refuse it again. */
export class RemoteRefusedError extends RemoteError {}

type RemoteOptions = {
  /** Timeout of one request to the remote, in milliseconds. A push, for which it may run hooks, has five times as long. */
  readonly timeout: number
  /** Aborts a request. */
  readonly signal: AbortSignal
}

/** Maintenance runs on its own schedule. Options of pushes are for the work of a person, and hosts refuse unknown ones. */
const SETTINGS = [
  ...WITHOUT_HOOKS,
  ...['-c', 'gc.auto=0', '-c', 'maintenance.auto=false', '-c', 'push.pushOption='],
]

/** Whatever the configuration says, a push and a fetch change only the ref that they name, and what is fetched can be read. */
const PUSH = ['push', '--porcelain', '--no-signed', '--no-follow-tags', '--no-recurse-submodules']
const FETCH = [
  ...['-c', 'fetch.fsckObjects=true', 'fetch', '--quiet', '--no-tags', '--no-prune', '--no-prune-tags'],
  ...['--no-write-fetch-head', '--no-recurse-submodules'],
]

/** Another repository, by its name in the configuration or by its URL. */
export class Remote {
  readonly #root: string
  readonly #remote: string
  readonly #options: RemoteOptions

  constructor(folder: Pick<ContentDirectory, 'root'>, remote: string, options: RemoteOptions) {
    this.#root = folder.root
    this.#remote = remote
    this.#options = options
  }

  /**
   * The address, without credentials, after the configuration of the repository.
   * @throws RemoteError
   */
  async address(): Promise<string> {
    const address = await this.#ask(['ls-remote', '--get-url', REMOTE])
    return withoutSecrets(address.trim()).address
  }

  /**
   * Moves a branch of the remote from the commit that it is expected at to one of its descendants. The remote compares,
   * so a branch that was moved back there is not moved forward again.
   * @param expected undefined: there is no such branch
   * @returns false if the branch is at another commit
   * @throws RemoteError
   */
  async push(commit: string, branch: string, expected: string | undefined): Promise<boolean> {
    const refused = await this.#push([lease(branch, expected)], `${commit}:${branch}`)
    if (refused !== undefined && !/\[rejected\]/.test(refused)) throw remoteError(refused)
    return refused === undefined
  }

  /**
   * Sets a branch of the remote to a commit, or deletes it, if it is at the commit `from`; undefined: if there is no
   * such branch.
   * @throws RemoteError, RemoteRefusedError
   */
  async replace(branch: string, from: string | undefined, to: string | undefined): Promise<void> {
    const refused = await this.#push([lease(branch, from)], `${to ?? ''}:${branch}`)
    if (refused === undefined) return
    const error = remoteError(refused)
    throw /\[remote rejected\]/.test(refused) ? new RemoteRefusedError(error.message) : error
  }

  /**
   * The full names of all branches of the remote.
   * @throws RemoteError
   */
  async branches(): Promise<readonly string[]> {
    return [...(await this.refs('refs/heads/*')).keys()]
  }

  /**
   * The commits of the branches and tags of the remote that match a pattern, by their full names.
   * @throws RemoteError
   */
  async refs(pattern: string): Promise<ReadonlyMap<string, string>> {
    const answer = await this.#ask(['ls-remote', REMOTE, pattern])
    const lines = answer.split('\n').map((line) => line.split('\t'))
    return new Map(lines.flatMap(([commit, name]) => (commit && name ? [[name, commit]] : [])))
  }

  /**
   * The commit of a branch or a tag of the remote, by its full name, without fetching it; undefined if there is none.
   * @throws RemoteError
   */
  async commitOf(name: string): Promise<string | undefined> {
    return (await this.refs(name)).get(name)
  }

  /**
   * The short name of the branch that a clone would check out; undefined if the remote is empty.
   * @throws RemoteError
   */
  async defaultBranch(): Promise<string | undefined> {
    const answer = await this.#ask(['ls-remote', '--symref', REMOTE, 'HEAD'])
    const branch = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(answer)?.[1]
    if (branch !== undefined) return branch
    // HEAD of a new repository names the branch that its machine prefers.
    const [first, ...others] = await this.branches()
    return others.length === 0 ? first && shortName(first) : undefined
  }

  /** @returns why the remote rejected it, if it did, in Git's words and those of the host */
  async #push(options: readonly string[], refspec: string): Promise<string | undefined> {
    let answer = ''
    const timeout = this.#options.timeout * 5
    try {
      const args = [...SETTINGS, ...PUSH, ...options, REMOTE, refspec]
      const onData = (chunk: Buffer) => {
        answer += chunk.toString()
      }
      await streamGit(this.#root, args, onData, {...(await this.#gitOptions()), timeout})
    } catch (error) {
      // https://git-scm.com/docs/git-push#_output
      const [, reason] = /^!\t[^\t]*\t(.*)$/m.exec(answer) ?? []
      if (reason === undefined) throw remoteError(error)
      return [reason, hostWords(error)].filter((words) => words !== '').join(': ')
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
    const kept = fetchedRef(branch)
    try {
      await this.#ask([...SETTINGS, ...FETCH, REMOTE, `+${branch}:${kept}`])
    } catch (error) {
      if (/couldn't find remote ref/.test(errorMessage(error))) return undefined
      throw error
    }
    return commitAt(this.#root, kept)
  }

  /** Runs Git with the remote. @throws RemoteError */
  async #ask(args: readonly string[]): Promise<string> {
    try {
      const answer = await git(this.#root, args, await this.#gitOptions())
      this.#check()
      return answer
    } catch (error) {
      throw error instanceof RemoteError ? error : remoteError(error)
    }
  }

  /** Read for each command: a person may change the settings of the remote meanwhile. */
  async #gitOptions(): Promise<GitOptions> {
    return {...this.#options, config: await remoteSettings(this.#root, this.#remote)}
  }

  /** An aborted Git process ends without an error. */
  #check(): void {
    if (this.#options.signal.aborted) throw new RemoteError('the lake is shutting down')
  }
}

/** https://git-scm.com/docs/git-push#Documentation/git-push.txt---no-force-with-lease */
function lease(branch: string, expected: string | undefined): string {
  return `--force-with-lease=${branch}:${expected ?? ''}`
}

/** Characters of a message. */
const MAX_MESSAGE = 1_500

/** What hosts report while they work, and not about the result. */
const PROGRESS =
  /^(?:Enumerating|Counting|Compressing|Resolving|Processing|Writing|Total)\b.*(?:\d%|objects|\d+\/\d+)/

/** What the host of a remote wrote about a request: why a branch is protected, what to do about a key. */
function hostWords(error: unknown): string {
  const stderr = error instanceof GitError ? error.stderr : ''
  const words = stderr.split(/[\r\n]+/).flatMap((line) => {
    const said = /^remote:(.*)$/.exec(line)?.[1]?.trim()
    return said === undefined || said === '' || PROGRESS.test(said) ? [] : [said]
  })
  return words.join(' ')
}

function remoteError(reason: unknown): RemoteError {
  const text = errorMessage(reason)
  if (/: stopped by SIG/.test(text)) return new RemoteError('the remote did not respond in time')
  const words = hostWords(reason)
  // Git's own line may come after the first one of the host, or be the only one.
  const own = reason instanceof GitError ? /^(?:fatal|error): .*$/m.exec(reason.stderr)?.[0] : undefined
  const message = words === '' ? text : `${own ?? 'the remote refused the request'}: ${words}`
  return new RemoteError(withoutCredentials(plainLine(message)).slice(0, MAX_MESSAGE))
}
