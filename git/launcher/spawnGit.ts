import {spawn} from 'node:child_process'
import {errorCode} from '../../common/errorCode.ts'

/** A Git command to run. */
export type GitCommand = {
  /** Where Git runs: an absolute path. */
  readonly directory: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** Written to its standard input. */
  readonly input: string
}

/** How Git ended. */
export type GitEnd = {
  /** The exit code; null if a signal ended it. */
  readonly code: number | null
  readonly signal: string | null
  /** The beginning of its standard error. */
  readonly stderr: string
}

export type GitEvents = {
  onData(chunk: Buffer): void
  onEnd(end: GitEnd): void
  /** Git could not be started, or its end is not known. */
  onError(reason: string): void
}

/** A Git command that runs. */
export type RunningGit = {
  /** Ends it early. `onEnd` follows. */
  stop(): void
}

/** A Git command that runs as a child of this process. */
type GitChild = RunningGit & {
  /** Lets Git wait with its output. */
  pause(): void
  resume(): void
}

/** What the lake asks of the process that runs Git. `run` numbers the commands. */
export type Request =
  | {readonly kind: 'run'; readonly run: number; readonly command: GitCommand}
  | {readonly kind: 'stop'; readonly run: number}

/** What that process reports of a command. Exactly one `end` or `error` is the last of each. */
export type Report =
  | {readonly kind: 'data'; readonly run: number; readonly data: Buffer}
  | {readonly kind: 'end'; readonly run: number; readonly end: GitEnd}
  | {readonly kind: 'error'; readonly run: number; readonly reason: string}

/** How long Git may take to end after it was stopped, in milliseconds. */
const STOP_TIMEOUT = 5_000

/** Characters of standard error that are kept. */
const MAX_STDERR = 4096

/** Starts Git as a child of this process. Exactly one of `onEnd` and `onError` follows. */
export function spawnGit(command: GitCommand, events: GitEvents, stopTimeout = STOP_TIMEOUT): GitChild {
  const {directory, args, env, input} = command
  const child = spawn('git', args, {cwd: directory, env})
  let stderr = ''
  let killing: NodeJS.Timeout | undefined
  child.stdout.on('data', (chunk: Buffer) => events.onData(chunk))
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < MAX_STDERR) stderr += chunk.toString()
  })
  child.once('close', (code, signal) => {
    clearTimeout(killing)
    if (child.pid !== undefined) events.onEnd({code, signal, stderr})
  })
  child.once('error', (error) => {
    if (child.pid !== undefined) return
    // Node reports ENOENT for a missing working directory as well as for a missing program.
    const isMissing = errorCode(error) === 'ENOENT'
    events.onError(isMissing ? `not found, or ${directory} is gone` : error.message)
  })
  // Git may exit before it has read all input; its exit code then gives the reason.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return {
    pause: () => child.stdout.pause(),
    resume: () => child.stdout.resume(),
    stop() {
      child.kill()
      killing ??= setTimeout(() => {
        child.kill('SIGKILL')
        // Programs that Git started may go on, with its output open.
        child.stdout.destroy()
        child.stderr.destroy()
      }, stopTimeout)
    },
  }
}
