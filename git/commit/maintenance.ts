import type {FastifyBaseLogger} from 'fastify'
import {inBackground} from '../../common/background.ts'
import {git} from '../process.ts'

/**
 * Publications between two runs. Git counts objects instead, and would start at 6,700: in a folder of 10,000 documents, each
 * publication writes a tree of 420 kB, which takes a few hundred bytes in a pack.
 */
const EVERY = 100

/** Runs Git's maintenance in the background after publications. */
export class Maintenance {
  readonly #root: string
  readonly #logger: FastifyBaseLogger
  readonly #stop = new AbortController()
  #publications = 0
  #running: Promise<void> | undefined

  constructor(root: string, logger: FastifyBaseLogger) {
    this.#root = root
    this.#logger = logger
  }

  /** Counts a publication. */
  published(): void {
    this.#publications += 1
    if (this.#publications < EVERY) return
    this.#running ??= inBackground(() => this.#run(), {
      onFailure: (err) => this.#logger.warn({err}, 'git maintenance failed'),
    }).finally(() => {
      this.#running = undefined
    })
  }

  /** Waits for the current run. */
  async settled(): Promise<void> {
    await this.#running
  }

  /** Aborts the current run. Git leaves the repository consistent. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    this.#publications = 0
    // If Git's maintenance is switched off, the operator runs it another way.
    const limit = await git(this.#root, ['config', '--get', '--type=int', 'gc.auto']).catch(() => '')
    if (limit.trim() === '0') return
    const options = {timeout: 600_000, signal: this.#stop.signal}
    await git(this.#root, ['repack', '-d', '-q'], options)
    await git(this.#root, ['maintenance', 'run', '--auto', '--quiet'], options)
  }
}
