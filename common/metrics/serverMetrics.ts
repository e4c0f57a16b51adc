import {statfs} from 'node:fs/promises'
import {Counter, collectDefaultMetrics, Gauge, Registry} from 'prom-client'
import packageJson from '../../package.json' with {type: 'json'}
import type {LogHealth} from '../log/log.ts'

/** CPU, memory, garbage collection and event-loop lag: shared by all servers in this process. */
const ofProcess = new Registry()

type ServerMetricsOptions = {
  /** How the names of its metrics start. */
  readonly prefix: string
  /** The folder whose disk is measured. */
  readonly folder: string
  readonly log: LogHealth
}

/** By the name of a gauge: what it says, and its value in a state. */
type Gauges<T> = Readonly<Record<string, readonly [help: string, measure: (now: T) => number | undefined]>>

/** The metrics of a server for Prometheus, with those of its version, disk, log and process. */
export class ServerMetrics {
  readonly registry = new Registry()
  readonly #readings: (() => Promise<void>)[] = []

  constructor({prefix, folder, log}: ServerMetricsOptions) {
    if (ofProcess.getMetricsAsArray().length === 0) {
      collectDefaultMetrics({register: ofProcess})
      // Gauges that are named like counters, which `promtool check metrics` refuses.
      for (const what of ['handles', 'requests', 'resources'])
        ofProcess.removeSingleMetric(`nodejs_active_${what}_total`)
    }
    const labels = {version: packageJson.version}
    this.gauge(`${prefix}_info`, 'The running version, as a label. Always 1.', ['version']).set(labels, 1)
    this.read(() => statfs(folder).catch(() => undefined), {
      [`${prefix}_disk_free_bytes`]: [
        'Free bytes of the disk with the state of this process.',
        (disk) => disk && disk.bavail * disk.bsize,
      ],
      [`${prefix}_disk_size_bytes`]: [
        'Size of the disk with the state of this process, in bytes.',
        (disk) => disk && disk.blocks * disk.bsize,
      ],
    })
    new Counter({
      name: `${prefix}_log_lines_lost_total`,
      help: 'Lines of the log that could not be written.',
      registers: [this.registry],
      collect() {
        this.reset()
        this.inc(log.lostLines)
      },
    })
  }

  gauge<L extends string>(name: string, help: string, labelNames: L[] = []): Gauge<L> {
    return new Gauge({name, help, labelNames, registers: [this.registry]})
  }

  /** Adds gauges that are set when metrics are requested. One without a value is missing, so that it triggers no alert. */
  read<T>(state: () => T | Promise<T>, gauges: Gauges<T>): void {
    const all = Object.entries(gauges).map(([name, [help, measure]]) => ({
      gauge: this.gauge(name, help),
      measure,
    }))
    this.#readings.push(async () => {
      const now = await state()
      for (const {gauge, measure} of all) {
        const value = measure(now)
        if (value === undefined) gauge.remove()
        else gauge.set(value)
      }
    })
  }

  /** All of them in Prometheus' text format. */
  async exposition(): Promise<string> {
    for (const read of this.#readings) await read()
    return (await this.registry.metrics()) + (await ofProcess.metrics())
  }
}
