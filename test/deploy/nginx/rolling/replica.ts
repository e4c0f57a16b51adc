import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {fileURLToPath} from 'node:url'
import {hold} from '../../../soak/violation.ts'
import {eventually} from '../../../support/eventually.ts'

const program = fileURLToPath(new URL('../../../../service/main.ts', import.meta.url))

/** Timeout in seconds for a start, and for a stop beyond its draining. */
const PATIENCE = 60

/** A service on its own port, replaceable by a new process on the same port. */
export class ReplicaProcess {
  readonly port: number
  #environment: NodeJS.ProcessEnv
  #child: ChildProcess | undefined
  #said = ''

  constructor(port: number, environment: NodeJS.ProcessEnv) {
    this.port = port
    this.#environment = environment
  }

  /**
   * Starts it and waits until it is ready, like an orchestrator.
   * @param upgrade settings that differ from now on.
   * @param isReady false to wait until it says that it is not, without a lake.
   */
  async start(upgrade: NodeJS.ProcessEnv = {}, isReady = true): Promise<void> {
    this.#environment = {...this.#environment, ...upgrade}
    const child = spawn(process.execPath, [program], {
      env: {...process.env, HOST: '127.0.0.1', PORT: String(this.port), ...this.#environment},
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text: Buffer) => {
        this.#said = (this.#said + text.toString()).slice(-10_000)
      })
    }
    await this.until('/readyz', isReady ? 200 : 503)
  }

  /** Waits until a path has this status. */
  async until(path: string, expected: number): Promise<void> {
    await eventually(
      async () => {
        hold(this.#child?.exitCode === null, `a replica does not start: ${this.#said}`)
        const answer = await fetch(`http://127.0.0.1:${this.port}${path}`).catch(() => undefined)
        await answer?.arrayBuffer()
        return answer?.status
      },
      expected,
      PATIENCE,
    )
  }

  /** Ends it as a crash does. */
  async kill(): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
  }

  /** Sends SIGTERM and waits for the process to end. */
  async stop(): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE * 1_000) // a bound for the wait
    const [code] = await exit
    clearTimeout(timer)
    hold(code === 0, `a replica ended with ${code}: ${this.#said}`)
  }
}
