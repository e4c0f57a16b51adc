import {spawn} from 'node:child_process'
import {pipeline, Readable} from 'node:stream'
import {errorCode} from '../../common/errorCode.ts'

/** Git failed, is missing, or timed out. The message is one line and names the command. */
export class GitError extends Error {
  /** The exit code, if Git exited by itself. */
  readonly exitCode: number | undefined

  constructor(command: string, reason: string, exitCode?: number) {
    super(`git ${command}: ${reason}`)
    this.exitCode = exitCode
  }
}

export type GitOptions = {
  /** Written to Git's standard input. If an iteration fails, Git is stopped. */
  input?: string | AsyncIterable<string>
  /** Timeout in milliseconds; 30 seconds by default. */
  timeout?: number
  /** Stops Git early and without an error. */
  signal?: AbortSignal
  /** Used instead of the index of the work tree. */
  indexFile?: string
  /** Keeps the variables by which a hook says where its repository, index and new objects are. */
  inHook?: boolean
  /** Settings that other users must not read: every user of the machine can read command lines. */
  config?: ReadonlyMap<string, string>
}

/** Use {@link streamGit} for larger output. */
const MAX_OUTPUT = 16 * 1024 * 1024

/**
 * Removes variables that change Git's output, or that point it at another repository: they are set if a hook starts
 * the lake.
 */
function environment({indexFile, inHook = false, config = new Map()}: GitOptions): NodeJS.ProcessEnv {
  const env = {
    ...process.env,
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
  }
  if (!inHook) for (const name of REPOSITORY_VARIABLES) Reflect.deleteProperty(env, name)
  return {...env, ...(indexFile !== undefined && {GIT_INDEX_FILE: indexFile}), ...configVariables(config)}
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

/** Appends to the variables that are already set. https://git-scm.com/docs/git-config#ENVIRONMENT */
function configVariables(config: ReadonlyMap<string, string>): Record<string, string> {
  if (config.size === 0) return {}
  let count = Number(process.env.GIT_CONFIG_COUNT ?? 0)
  const variables: Record<string, string> = {}
  for (const [key, value] of config) {
    variables[`GIT_CONFIG_KEY_${count}`] = key
    variables[`GIT_CONFIG_VALUE_${count}`] = value
    count += 1
  }
  return {...variables, GIT_CONFIG_COUNT: String(count)}
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
  const command = args.find((arg, at) => !arg.startsWith('-') && args[at - 1] !== '-c') ?? ''
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, {cwd: directory, env: environment(options)})
    let stderr = ''
    let failure: unknown
    const stop = () => {
      child.kill()
    }
    options.signal?.addEventListener('abort', stop, {once: true})
    // The `timeout` option of `spawn` would keep its timer, and so the process, if Git cannot be started.
    const timer = setTimeout(stop, options.timeout ?? 30_000)
    const settle = () => {
      clearTimeout(timer)
      options.signal?.removeEventListener('abort', stop)
    }
    child.stdout.on('data', (chunk: Buffer) => {
      if (failure !== undefined || options.signal?.aborted) return
      try {
        onData(chunk)
      } catch (error) {
        failure = error
        stop()
      }
    })
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < 4096) stderr += chunk.toString()
    })
    child.on('error', (error) => {
      settle()
      // Node reports ENOENT for a missing working directory as well as for a missing program.
      const missing = 'code' in error && error.code === 'ENOENT'
      reject(new GitError(command, missing ? `not found, or ${directory} is gone` : error.message))
    })
    child.on('close', (code, signal) => {
      settle()
      if (failure !== undefined) reject(failure)
      else if (code === 0 || options.signal?.aborted) resolve()
      else if (code === null) reject(new GitError(command, `stopped by ${signal ?? 'a signal'}`))
      else reject(new GitError(command, stderr.trim().split('\n')[0] || `exit code ${code}`, code))
    })
    const {input = ''} = options
    if (typeof input === 'string') {
      // Git may exit before it has read all input; its exit code then gives the reason.
      child.stdin.on('error', () => {})
      child.stdin.end(input)
    } else {
      pipeline(Readable.from(input), child.stdin, (error) => {
        if (!error || ['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(errorCode(error) ?? '')) return
        failure ??= error
        stop()
      })
    }
  })
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

/** Splits a stream of NUL-terminated fields into strings, independent of chunk boundaries. */
export function splitFields(onField: (field: string) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let start = 0
    for (let end = data.indexOf(0, start); end !== -1; end = data.indexOf(0, start)) {
      onField(data.toString('utf8', start, end))
      start = end + 1
    }
    rest = data.subarray(start)
  }
}
