import {type ChildProcess, fork} from 'node:child_process'
import {fileURLToPath} from 'node:url'
import type {GitCommand, GitEvents, Report, Request, RunningGit} from './spawnGit.ts'

const PROGRAM = fileURLToPath(new URL('./program.ts', import.meta.url))

/** Options of the lake are for the lake: a size of its heap, a debugger. */
const OPTIONS = {execArgv: [], env: {...process.env, NODE_OPTIONS: ''}}

/**
 * Runs Git in a small process of its own. Starting a program copies the page tables of the process that starts it,
 * and blocks it meanwhile: the larger a lake, the longer. The process starts with the first command and ends with this
 * one, and is started again if it ends earlier.
 */
export class GitLauncher {
  readonly #running = new Map<number, GitEvents>()
  #process: ChildProcess | undefined
  #lastRun = 0

  /** The process that runs Git; undefined while there is none. */
  get pid(): number | undefined {
    return this.#process?.pid
  }

  /** Runs a command. Exactly one of `onEnd` and `onError` follows. */
  run(command: GitCommand, events: GitEvents): RunningGit {
    this.#process ??= this.#start()
    const child = this.#process
    this.#lastRun += 1
    const run = this.#lastRun
    this.#running.set(run, events)
    // Only while Git runs, its process keeps this one from ending.
    child.channel?.ref()
    send(child, {kind: 'run', run, command})
    return {stop: () => send(child, {kind: 'stop', run})}
  }

  #start(): ChildProcess {
    const child = fork(PROGRAM, {
      ...OPTIONS,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    child.unref()
    child.channel?.unref()
    child.on('message', (report: Report) => this.#onReport(report))
    const onEnd = () => {
      if (this.#process !== child) return
      this.#process = undefined
      const lost = [...this.#running.values()]
      this.#running.clear()
      for (const {onError} of lost) onError('the process that runs Git ended')
    }
    for (const event of ['error', 'disconnect', 'exit']) child.once(event, onEnd)
    return child
  }

  #onReport(report: Report): void {
    const events = this.#running.get(report.run)
    if (report.kind === 'data') {
      events?.onData(report.data)
      return
    }
    this.#running.delete(report.run)
    if (this.#running.size === 0) this.#process?.channel?.unref()
    if (report.kind === 'end') events?.onEnd(report.end)
    else events?.onError(report.reason)
  }
}

/** A process that has just ended reports that as an event. */
function send(child: ChildProcess, request: Request): void {
  child.send(request, () => {})
}
