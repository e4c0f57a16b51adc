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
   */
  async start(upgrade: NodeJS.ProcessEnv = {}): Promise<void> {
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
    await eventually(
      async () => {
        hold(child.exitCode === null, `a replica does not start: ${this.#said}`)
        const answer = await fetch(`http://127.0.0.1:${this.port}/readyz`).catch(() => undefined)
        await answer?.arrayBuffer()
        return answer?.status
      },
      (status) => status === 200,
      PATIENCE,
    )
  }

  /** Sends SIGTERM and waits for the process to end. */
  async stop(): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE * 1_000)
    const [code] = await exit
    clearTimeout(timer)
    hold(code === 0, `a replica ended with ${code}: ${this.#said}`)
  }
}
