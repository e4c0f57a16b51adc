import type {FastifyBaseLogger} from 'fastify'
import {NotKeptError} from '../../content/drafts/notKept.ts'
import type {DocumentStore} from '../../content/store.ts'
import {RefusedError} from '../write/errors.ts'
import type {Request, Result} from '../write/request.ts'
import {RELEASE_TYPE, type Release, releaseIn, titleOf} from '../write/transaction/releases/release.ts'

/** Milliseconds between two looks at the clock. Sanity's Studio shows minutes. */
const INTERVAL = 1_000

/** What was due longer ago, while the lake did not run, is for a person to decide. */
const MAX_DELAY = 24 * 60 * 60 * 1_000

type ReleaseScheduleOptions = {
  readonly store: DocumentStore
  readonly transact: (request: Request) => Promise<Result>
  /** Whether this process may write: a standby publishes nothing. */
  readonly mayWrite: () => boolean
  readonly logger: FastifyBaseLogger
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/**
 * Publishes scheduled releases at their time, as the person who scheduled them. The release is published by the transaction that
 * commits it, so a restart, a killed process or a clock that is set back cannot publish it twice.
 */
export class ReleaseSchedule {
  readonly #options: ReleaseScheduleOptions
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #failure: string | undefined

  constructor(options: ReleaseScheduleOptions) {
    this.#options = options
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#running ??= this.publishDue().finally(() => {
        this.#running = undefined
      })
    }, INTERVAL)
    this.#timer.unref()
  }

  /** Waits for the release that is being published. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }

  /** Publishes all releases whose time has come. */
  async publishDue(): Promise<void> {
    const {mayWrite, store, now} = this.#options
    if (!mayWrite()) return
    for (const release of scheduledIn(store)) {
      const delay = now() - Date.parse(release.publishAt ?? '')
      if (delay >= 0) await this.#publish(release, delay)
    }
  }

  async #publish(release: Release, delay: number): Promise<void> {
    const {logger, transact} = this.#options
    const {name, publishAt, scheduledBy} = release
    if (scheduledBy === undefined) return
    const principal = {...scheduledBy, rights: []}
    const fail = async (reason: string) => {
      logger.error({release: name, reason}, 'scheduled release was not published')
      await transact({actions: [{kind: 'release.fail', release: name, reason}], principal})
    }
    try {
      if (delay > MAX_DELAY)
        return await fail(
          `It was to be published at ${publishAt}, when the lake was not running. Publish it now, or schedule it again`,
        )
      await transact({actions: [{kind: 'release.publish', release: name, from: ['scheduled']}], principal})
      this.#failure = undefined
      logger.info({release: name, title: titleOf(release)}, 'published a scheduled release')
    } catch (error) {
      if (error instanceof RefusedError) return await fail(error.message)
      if (!(error instanceof NotKeptError)) throw error
      // The disk is full, or the remote moves: readiness has the reason, and the next second tries again.
      if (this.#failure !== error.message)
        logger.error({err: error, release: name}, 'cannot publish a scheduled release yet')
      this.#failure = error.message
    }
  }
}

/** The releases that are scheduled, the earliest first. */
function scheduledIn(store: DocumentStore): Release[] {
  return releasesWith(store, ({state}) => state === 'scheduled').sort((a, b) =>
    (a.publishAt ?? '') < (b.publishAt ?? '') ? -1 : 1,
  )
}

/** The releases that were not published at their time, until a person acts on them. */
export function failedIn(store: DocumentStore): Release[] {
  return releasesWith(store, ({error}) => error !== undefined)
}

function releasesWith(store: DocumentStore, has: (release: Release) => boolean): Release[] {
  return store
    .view('raw')
    .find('_type', [RELEASE_TYPE])
    .flatMap((document) => releaseIn(document) ?? [])
    .filter(has)
}
