import {resolve} from 'node:path'
import {GitLauncher} from './launcher/launcher.ts'
import {type GitCommand, type GitEnd, type GitEvents, type RunningGit, spawnGit} from './launcher/spawnGit.ts'
import type {Author} from './objects/commitObject.ts'

/** Git failed, is missing, or timed out. The message is one line and names the command. */
export class GitError extends Error {
  /** The exit code, if Git exited by itself. */
  readonly exitCode: number | undefined
  /** The beginning of its standard error. */
  readonly stderr: string

  constructor(command: string, reason: string, exitCode?: number, stderr = '') {
    super(`git ${command}: ${reason}`)
    this.exitCode = exitCode
    this.stderr = stderr
  }
}

export type GitOptions = {
  /** Written to Git's standard input. */
  readonly input?: string
  /** Timeout in milliseconds; 30 seconds by default. */
  readonly timeout?: number
  /** Stops Git early and without an error. */
  readonly signal?: AbortSignal
  /** The index to use. A bare repository has none of its own. */
  readonly indexFile?: string
  /** Keeps the variables by which a hook says where its repository, index and new objects are. */
  readonly inHook?: boolean
  /** Git writes many megabytes, which would take longer through another process. */
  readonly hasLargeOutput?: boolean
  /** Settings that other users must not read: every user of the machine can read command lines. */
  readonly config?: Iterable<readonly [key: string, value: string]>
}

/** Use {@link streamGit} for larger output. */
const MAX_OUTPUT = 16 * 1024 * 1024

/**
 * Removes variables that change Git's output, or that point it at another repository: they are set if a hook starts
 * the lake.
 */
function environment({indexFile, inHook = false, config = []}: GitOptions): NodeJS.ProcessEnv {
  const env = {
    ...process.env,
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
  }
  if (!inHook) for (const name of REPOSITORY_VARIABLES) Reflect.deleteProperty(env, name)
  return {
    ...env,
    ...(indexFile !== undefined && {GIT_INDEX_FILE: indexFile}),
    ...configVariables([NAMED_REPOSITORY, ...config]),
  }
}

const REPOSITORY_VARIABLES = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_COMMON_DIR',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
]

/**
 * The repository is the one that was named, also if it is bare; the commands refuse those that are part of content.
 * https://git-scm.com/docs/git-config#Documentation/git-config.txt-safebareRepository
 */
const NAMED_REPOSITORY = ['safe.bareRepository', 'all'] as const

/** Appends to the variables that are already set. https://git-scm.com/docs/git-config#ENVIRONMENT */
function configVariables(config: Iterable<readonly [string, string]>): Record<string, string> {
  let count = Number(process.env.GIT_CONFIG_COUNT ?? 0)
  const variables: Record<string, string> = {}
  for (const [key, value] of config) {
    variables[`GIT_CONFIG_KEY_${count}`] = key
    variables[`GIT_CONFIG_VALUE_${count}`] = value
    count += 1
  }
  return {...variables, GIT_CONFIG_COUNT: String(count)}
}

let launcher: GitLauncher | undefined

/** From now on a small process of its own runs Git for this one, which may grow large. Call it early. */
export function runGitSeparately(): void {
  launcher ??= new GitLauncher()
}

/**
 * Runs Git in `directory` and streams its standard output in chunks.
 * @throws GitError
 */
export function streamGit(
  directory: string,
  args: readonly string[],
  onData: (chunk: Buffer) => void,
  options: GitOptions = {},
): Promise<void> {
  const name = args.find((arg, at) => !arg.startsWith('-') && args[at - 1] !== '-c') ?? ''
  const {input = '', signal, timeout = 30_000} = options
  const command = {directory: resolve(directory), args, env: environment(options), input}
  return new Promise((done, reject) => {
    let failure: unknown
    const fail = (error: unknown) => {
      failure ??= error
      stop()
    }
    const settle = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
    const events: GitEvents = {
      onData(chunk) {
        if (failure !== undefined || signal?.aborted) return
        try {
          onData(chunk)
        } catch (error) {
          fail(error)
        }
      },
      onEnd(end) {
        settle()
        if (failure !== undefined) reject(failure)
        else if (end.code === 0 || signal?.aborted) done()
        else reject(errorOf(name, end))
      },
      onError(reason) {
        settle()
        reject(new GitError(name, reason))
      },
    }
    const running = startGit(command, events, options)
    const stop = () => running.stop()
    signal?.addEventListener('abort', stop, {once: true})
    const timer = setTimeout(stop, timeout)
  })
}

function startGit(command: GitCommand, events: GitEvents, {hasLargeOutput = false}: GitOptions): RunningGit {
  if (launcher === undefined || hasLargeOutput) return spawnGit(command, events)
  return launcher.run(command, events)
}

function errorOf(name: string, {code, signal, stderr}: GitEnd): GitError {
  if (code === null) return new GitError(name, `stopped by ${signal ?? 'a signal'}`)
  const reason = stderr.trim().split('\n')[0] || `exit code ${code}`
  // Git's remedy is some lines below: https://git-scm.com/docs/git-config#Documentation/git-config.txt-safedirectory
  const remedy =
    /dubious ownership/.test(reason) && /^\s*(git config .*safe\.directory .+)$/m.exec(stderr)?.[1]
  const withRemedy = remedy ? `${reason}. To allow it for the user of this process, run: ${remedy}` : reason
  return new GitError(name, withRemedy, code, stderr)
}

/**
 * Runs Git in `directory` and returns its standard output, at most 16 MiB.
 * @throws GitError
 */
export async function git(directory: string, args: readonly string[], options?: GitOptions): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  await streamGit(
    directory,
    args,
    (chunk) => {
      size += chunk.length
      if (size > MAX_OUTPUT) throw new GitError(args[0] ?? '', 'its output is larger than 16 MiB')
      chunks.push(chunk)
    },
    options,
  )
  return Buffer.concat(chunks).toString()
}

/** Runs Git, and returns the lines of its standard output, without empty ones. @throws GitError */
export async function gitLines(directory: string, args: readonly string[]): Promise<string[]> {
  return (await git(directory, args)).split('\n').filter((line) => line !== '')
}

/** The commit of a ref; undefined if there is none. */
export async function commitAt(root: string, ref: string): Promise<string | undefined> {
  const found = await git(root, ['rev-parse', '--verify', '--quiet', ref]).catch(() => '')
  return found.trim() || undefined
}

/**
 * Hooks and signing are for a person at a terminal: they may prompt, take minutes, or need a key that a
 * service does not have. The lake itself checks what reaches the branch.
 */
export const WITHOUT_HOOKS = ['-c', 'core.hooksPath=/dev/null']

/** The settings that name who commits. Git refuses to write a commit or a reflog without a name. */
export function committedBy({name, email}: Author): string[] {
  return ['-c', `user.name=${name}`, '-c', `user.email=${email}`]
}

/** Bytes of a field that are kept. Git limits neither paths, nor names of authors, nor subjects of commits. */
const MAX_FIELD = 64 * 1024

/**
 * Splits a stream of NUL-terminated fields into strings, independent of chunk boundaries. Of a longer field than
 * {@link MAX_FIELD}, only the beginning is kept.
 */
export function splitFields(onField: (field: string) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let start = 0
    for (let end = data.indexOf(0, start); end !== -1; end = data.indexOf(0, start)) {
      onField(data.toString('utf8', start, Math.min(end, start + MAX_FIELD)))
      start = end + 1
    }
    rest = data.subarray(start, start + MAX_FIELD)
  }
}
