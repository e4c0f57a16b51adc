import {SiteError} from '../errors.ts'
import type {ServiceEvents} from '../events.ts'
import type {SiteCompiler} from '../site/compile.ts'
import type {CompiledSite} from '../site/compiledSite.ts'
import {revisionOf} from '../upstream/siteDocument.ts'
import type {Snapshot} from './format.ts'
import type {Snapshots} from './snapshots.ts'

/** A compiled site as it was when upstream confirmed it. */
type ConfirmedSite = {
  readonly publicId: string
  readonly site: CompiledSite
  /** Revision of the whole site, see `revisionOf`. */
  readonly revision: string
  /** Time of the confirmation, in milliseconds of the steady clock. */
  readonly validatedAt: number
}

export type SiteSnapshotsOptions = {
  readonly snapshots: Pick<Snapshots, 'has' | 'read' | 'keep' | 'remove'>
  readonly events: ServiceEvents
  readonly compiler: Pick<SiteCompiler, 'compile'>
  /** Memory limit for one site, in bytes. */
  readonly maxSiteBytes: number
  /** A clock for ages, in milliseconds. It never goes backwards. */
  readonly clock: () => number
  /** The system clock in milliseconds since 1970, for times that are written to disk. */
  readonly systemClock?: () => number
}

/**
 * Keeps compiled sites as snapshots, and compiles snapshots. The times on disk are those of the system clock, which
 * may be set back; elsewhere they are those of the steady clock.
 */
export class SiteSnapshots {
  readonly #options: SiteSnapshotsOptions

  constructor(options: SiteSnapshotsOptions) {
    this.#options = options
  }

  /** Whether a snapshot of this public ID exists. */
  has(publicId: string): boolean {
    return this.#options.snapshots.has(publicId)
  }

  /**
   * @param unknownAge the age of a site whose snapshot has a date in the future: the clock was set back since.
   * @returns undefined if there is no snapshot, or its site is too large: the limit may have been higher when it was written.
   */
  async restore(publicId: string, unknownAge: number): Promise<ConfirmedSite | undefined> {
    const snapshot = await this.#options.snapshots.read(publicId)
    const site = snapshot && (await this.#compiled(snapshot))
    if (!snapshot || !site) return undefined
    const {document} = snapshot
    const age = this.#systemTime() - snapshot.validatedAt
    const validatedAt = this.#options.clock() - (age < 0 ? unknownAge : age)
    return {publicId, site, revision: revisionOf(document), validatedAt}
  }

  /**
   * Offers a site to the snapshots. The document is decompressed only when it is written; usually it is already
   * on disk.
   * @param isConfirmed whether upstream confirmed what it had returned before.
   */
  keep({publicId, site, revision, validatedAt}: ConfirmedSite, isConfirmed: boolean): void {
    const {snapshots, clock} = this.#options
    const snapshot = {
      publicId,
      validatedAt: this.#systemTime() - (clock() - validatedAt),
      bytes: site.bytes,
      documentJson: () => site.texts.documentJson(),
    }
    snapshots.keep(snapshot, revision, isConfirmed)
  }

  /** Removes the snapshot of a deleted site. */
  remove(publicId: string): void {
    this.#options.snapshots.remove(publicId)
  }

  async #compiled({publicId, document}: Snapshot): Promise<CompiledSite | undefined> {
    const {snapshots, events, compiler, maxSiteBytes} = this.#options
    try {
      return await compiler.compile(document, undefined, maxSiteBytes)
    } catch (error) {
      if (!(error instanceof SiteError)) throw error
      events.emit('failed', publicId, error)
      snapshots.remove(publicId)
      return undefined
    }
  }

  #systemTime(): number {
    const {clock, systemClock = clock} = this.#options
    return systemClock()
  }
}
