import {type ChildProcess, spawn} from 'node:child_process'
import {createInterface} from 'node:readline'
import {fileURLToPath} from 'node:url'
import type {JsonObject} from '../../common/json.ts'
import {parseLogLine} from '../support/log.ts'

const program = fileURLToPath(new URL('./lake.ts', import.meta.url))

/** Start timeout, in milliseconds. */
const patience = 60_000

/** The token that the lake accepts. */
export const token = 'a-token-for-the-soak'

/** The token of a service that reads from the lake. */
const SERVICE_TOKEN = 'a-token-for-the-service-of-the-soak'

/** A lake in its own process. */
export class LakeProcess {
  readonly #child: ChildProcess
  readonly #exited: Promise<void>
  /** Logged warnings and errors. */
  readonly log: JsonObject[] = []
  /** Other output, such as the reason for a failed start. */
  readonly said: string[] = []
  /** Its address; rejects if the process ends first. */
  readonly address: Promise<string>

  constructor(environment: {readonly [name: string]: string}, command: readonly string[] = []) {
    const [file = process.execPath, ...args] = [...command, process.execPath, program]
    const tokens = {LAKE_API_TOKEN: token, SANITY_API_TOKEN: SERVICE_TOKEN}
    const env = {...process.env, LAKE_PORT: '0', ...tokens, ...environment}
    // It ends with its standard input, and so with this process, however that ends.
    // A separate process group, so that it can be killed together with its Git processes.
    this.#child = spawn(file, args, {env, stdio: ['pipe', 'pipe', 'pipe'], detached: true})
    this.#exited = new Promise((resolve) => this.#child.once('close', () => resolve()))
    this.address = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the lake did not start in time')), patience)
      this.#lines(resolve)
      this.#exited.then(() => {
        clearTimeout(timer)
        reject(new Error(`the lake ended: ${this.said.join(' ')}`))
      })
    })
    // Prevents an unhandled rejection if it is killed before it responds.
    this.address.catch(() => {})
  }

  get pid(): number {
    const {pid} = this.#child
    if (pid === undefined) throw new Error('the lake was not started')
    return pid
  }

  /** SIGKILL to the process alone, or to its Git processes too, as when a container is killed. */
  async kill(whole: boolean): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      process.kill(whole ? -this.pid : this.pid, 'SIGKILL')
    }
    await this.#exited
  }

  /** Sends SIGTERM and waits for the process to end. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    await this.#exited
  }

  #lines(found: (address: string) => void): void {
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream === null) continue
      createInterface({input: stream}).on('line', (line) => {
        const value = parseLogLine(line)
        if (value === undefined) this.said.push(line)
        else if (typeof value.address === 'string') found(value.address)
        else this.log.push(value)
      })
    }
  }
}
