import {type ChildProcess, spawn} from 'node:child_process'
import {readFile} from 'node:fs/promises'
import {createInterface} from 'node:readline'
import type {JsonObject} from '../../../common/json.ts'
import {parseLogLine} from '../../support/log.ts'

const endWithParent = new URL('../programs/endWithParent.ts', import.meta.url).href

/** Milliseconds that a start may take on a busy machine. */
const START_PATIENCE = 60_000

export type ServerPlan = {
  /** Path of the program. */
  readonly program: string
  /** `--max-old-space-size`, as in the manifest of its deployment. */
  readonly heapMegabytes: number
  readonly environment: NodeJS.ProcessEnv
}

/** A server as its image runs it: plain Node with a bounded heap. */
export class ServerProcess {
  readonly #child: ChildProcess
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>
  #end: string | undefined
  /** Lines of its log. */
  readonly log: JsonObject[] = []
  /** What else it wrote. */
  readonly output: string[] = []
  readonly address: Promise<string>

  constructor({program, heapMegabytes, environment}: ServerPlan) {
    const {NODE_OPTIONS: _, ...inherited} = process.env
    this.#child = spawn(
      process.execPath,
      [`--max-old-space-size=${heapMegabytes}`, '--import', endWithParent, program],
      {
        env: {...inherited, NODE_ENV: 'production', ...environment},
        stdio: ['pipe', 'pipe', 'pipe'],
      },
    )
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        this.#end = signal ?? `exit code ${code}`
        resolve()
      })
    })
    this.address = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${program} did not start in time`)), START_PATIENCE) // a server that never starts
      this.ended.then(() => reject(new Error(`${program} ended: ${this.output.join('\n')}`)))
      this.#readLines((address) => {
        clearTimeout(timer)
        resolve(address)
      })
    })
    this.address.catch(() => {})
  }

  get pid(): number {
    const {pid} = this.#child
    if (pid === undefined) throw new Error('the server was not started')
    return pid
  }

  /** How the process ended: a signal or an exit code. Undefined while it runs. */
  get end(): string | undefined {
    return this.#end
  }

  /** The most memory that it has had, in bytes, by Linux. */
  async peakMemory(): Promise<number> {
    const status = await readFile(`/proc/${this.pid}/status`, 'utf8').catch(() => '')
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1_024
  }

  /** Kills it: its content is not needed any more, and a busy server would not handle SIGTERM. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.ended
  }

  #readLines(found: (address: string) => void): void {
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream === null) continue
      createInterface({input: stream}).on('line', (line) => {
        const value = parseLogLine(line)
        if (value === undefined) {
          this.output.push(line)
          return
        }
        this.log.push(value)
        const [, address] = /^(?:lake|service) at (http:[^,\s]+)/.exec(String(value.msg)) ?? []
        if (address !== undefined) found(address)
      })
    }
  }
}
