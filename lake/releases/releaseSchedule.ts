import type {FastifyBaseLogger} from 'fastify'
import {inBackground} from '../../common/background.ts'
import {errorMessage} from '../../common/errorMessage.ts'
import type {DocumentStore} from '../../content/store.ts'
import {RefusedError} from '../write/errors.ts'
import type {Request} from '../write/request.ts'
import {RELEASE_TYPE, type Release, releaseIn, titleOf} from '../write/transaction/releases/release.ts'

/** Milliseconds between two looks at the clock. Sanity's Studio shows minutes. */
const INTERVAL = 1_000

/** What was due longer ago, while the lake did not run, is for a person to decide. */
const MAX_DELAY = 24 * 60 * 60 * 1_000

/** Milliseconds by which a clock may be set at once: more is a machine without the right time, or one that was suspended. */
const MAX_STEP = 3 * 60 * 1_000

/** Milliseconds after a larger step until the clock counts again. Programs that set clocks correct a wrong one within that. */
const STEADY_AFTER = 10 * 60 * 1_000

/** The time of the machine, which people and programs can set, and one that nothing sets. In milliseconds. */
export type Clock = {
  /** Since 1970. */
  readonly now: () => number
  readonly monotonic: () => number
}

export const MACHINE_CLOCK: Clock = {now: Date.now, monotonic: () => performance.now()}

type ReleaseScheduleOptions = {
  readonly store: DocumentStore
  readonly transact: (request: Request) => Promise<unknown>
  readonly logger: FastifyBaseLogger
  readonly clock: Clock
}

/**
 * Publishes scheduled releases at their time, as the person who scheduled them. The release is published by the transaction that
 * commits it, so a restart, a killed process or a clock that is set back cannot publish it twice.
 */
export class ReleaseSchedule {
  readonly #options: ReleaseScheduleOptions
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  /** Why releases that are due are not published yet, by name. */
  #failures = new Map<string, string>()
  /** How far the two clocks were apart when they were last read. */
  #offset: number
  /** Since when the clock goes on as it should; the start is no reason to wait. */
  readonly #startedAt: number
  #steppedAt = Number.NEGATIVE_INFINITY

  constructor(options: ReleaseScheduleOptions) {
    const {now, monotonic} = options.clock
    this.#options = options
    this.#startedAt = monotonic()
    this.#offset = now() - this.#startedAt
  }

  /** @param every milliseconds between two looks at the clock */
  start(every = INTERVAL): void {
    this.#timer = setInterval(() => {
      this.#running ??= inBackground(() => this.publishDue(), {
        onFailure: (err) => this.#options.logger.error({err}, 'scheduled releases cannot be looked at'),
      }).finally(() => {
        this.#running = undefined
      })
    }, every)
    this.#timer.unref()
  }

  /** Waits for the release that is being published. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }

  /** Publishes all releases whose time has come. One that fails does not stop the others. */
  async publishDue(): Promise<void> {
    const {store, clock} = this.#options
    const steadyFor = this.#steadyFor()
    if (steadyFor < STEADY_AFTER) return
    const due = scheduledIn(store).filter(({publishAt = ''}) => clock.now() >= Date.parse(publishAt))
    this.#failures = new Map(due.flatMap(({name}) => [[name, this.#failures.get(name) ?? ''] as const]))
    for (const release of due) {
      const isLate = clock.now() - Date.parse(release.publishAt ?? '') > MAX_DELAY
      // A machine can start without the right time.
      if (isLate && clock.monotonic() - this.#startedAt < STEADY_AFTER) continue
      await this.#publish(release, isLate)
    }
  }

  /** For how long nothing has set the clock. */
  #steadyFor(): number {
    const {logger, clock} = this.#options
    const monotonic = clock.monotonic()
    const offset = clock.now() - monotonic
    const step = offset - this.#offset
    this.#offset = offset
    if (Math.abs(step) > MAX_STEP) {
      this.#steppedAt = monotonic
      const seconds = Math.round(step / 1_000)
      logger.warn({seconds}, 'the clock was set: releases wait until it is steady for ten minutes')
    }
    return monotonic - this.#steppedAt
  }

  async #publish(release: Release, isLate: boolean): Promise<void> {
    const {logger} = this.#options
    const {name, publishAt, scheduledBy} = release
    if (scheduledBy === undefined || publishAt === undefined) return
    const principal = {...scheduledBy, rights: []}
    const title = titleOf(release)
    try {
      const reason = isLate
        ? `It was to be published at ${publishAt}, when the lake was not running. Publish it now, or schedule it again`
        : await this.#refusalOf({
            actions: [{kind: 'release.publish', release: name, from: ['scheduled'], publishAt}],
            principal,
          })
      if (reason === undefined) logger.info({release: name, title}, 'published a scheduled release')
      else {
        const failed = {kind: 'release.fail', release: name, reason, publishAt} as const
        // A person may have unscheduled it, or published it, meanwhile.
        if ((await this.#refusalOf({actions: [failed], principal})) === undefined)
          logger.error({release: name, title, reason}, 'scheduled release was not published')
      }
      this.#failures.delete(name)
    } catch (error) {
      // The disk is full, or the remote moves: readiness has the reason, and the next second tries again.
      const message = errorMessage(error)
      if (this.#failures.get(name) !== message)
        logger.error({err: error, release: name, title}, 'cannot publish a scheduled release yet')
      this.#failures.set(name, message)
    }
  }

  /** Why a transaction is refused; undefined if it was done. @throws what may succeed later */
  async #refusalOf(request: Request): Promise<string | undefined> {
    try {
      await this.#options.transact(request)
      return undefined
    } catch (error) {
      if (error instanceof RefusedError) return error.message
      throw error
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
