import {type ChildProcess, fork} from 'node:child_process'
import {once} from 'node:events'
import {fileURLToPath} from 'node:url'
import {recordOf} from '../../support/answers.ts'
import type {Probe} from '../programs/prober.ts'
import type {ServerProcess} from './serverProcess.ts'

const programs = new URL('../programs/', import.meta.url)

/** Polls `/healthz` of a server as a client other than the fuzzing ones. */
export class HealthWatch {
  readonly #baseline: ChildProcess
  readonly #prober: ChildProcess

  private constructor(baseline: ChildProcess, prober: ChildProcess) {
    this.#baseline = baseline
    this.#prober = prober
  }

  static async start(server: ServerProcess): Promise<HealthWatch> {
    const baseline = run('baseline.ts')
    const [address]: unknown[] = await once(baseline, 'message')
    const health = `${await server.address}/healthz`
    return new HealthWatch(baseline, run('prober.ts', [health, String(address), String(server.pid)]))
  }

  /** The probes since the last report. Waits for pending ones. */
  async report(): Promise<Probe[]> {
    const answer = once(this.#prober, 'message')
    this.#prober.send('report')
    const [probes]: unknown[] = await answer
    return Array.isArray(probes) ? probes.map(probeOf) : []
  }

  stop(): void {
    for (const child of [this.#prober, this.#baseline]) if (child.connected) child.disconnect()
  }
}

function run(program: string, args: string[] = []): ChildProcess {
  return fork(fileURLToPath(new URL(program, programs)), args, {execArgv: []})
}

function probeOf(value: unknown): Probe {
  const {waited, starved, baseline, status} = recordOf(value)
  return {
    waited: Number(waited),
    starved: Number(starved),
    baseline: Number(baseline),
    status: Number(status),
  }
}
