import type {FastifyBaseLogger} from 'fastify'
import {LRUCache} from 'lru-cache'
import {limitLines, linesPerSecond} from '../../common/log/lineLimit.ts'
import {nameOf} from '../documentRevision.ts'
import {BusyError, SiteError} from '../errors.ts'
import type {QueryName, ServiceEvents} from '../events.ts'
import {isRefusedToken, messagesIn} from '../upstream/upstreamFailure.ts'

/** Number of revisions to remember as logged, so that each problem is logged once. */
const REMEMBERED = 10_000

/** Maximum failing sites to log per second. If upstream rejects every query, there may be thousands. */
const FAILING_SITES_PER_SECOND = 2

/** Maximum invalid documents of a site to log one by one. For the others, only their number is logged. */
const MAX_INVALID_LINES = 100

/** Minimum interval between log lines about what visitors, or anyone, can cause, in milliseconds. */
const LOG_EVERY = 60_000

/** The same for failed queries in the background, by the kind of query. */
const BACKGROUND_EVERY = 600_000

const BACKGROUND_QUERIES: {readonly [name in QueryName]?: string} = {
  changes: 'cannot check live events; comparing sites in use with upstream',
  revision: 'cannot compare a batch of sites with upstream; fetching each of them',
}

/**
 * Logs what an operator or an editor must know: invalid documents, an unreachable lake, a disk that cannot
 * store snapshots. Logs each problem when it begins and when it ends, regardless of the number of requests in
 * between.
 */
export function logServiceEvents(events: ServiceEvents, log: FastifyBaseLogger): void {
  const logged = new LRUCache<string, true>({max: REMEMBERED})
  const failing = new LRUCache<string, string>({max: REMEMBERED})
  const isFailureDue = linesPerSecond(FAILING_SITES_PER_SECOND)
  let failsSince: number | undefined
  let diskFails = false
  const isDue = limitLines(LOG_EVERY)
  const isBackgroundDue = limitLines(BACKGROUND_EVERY)

  events.on('compiled', (publicId, invalid) => {
    const unknown = invalid.filter((document) => !logged.has(nameOf(document)))
    for (const document of unknown.slice(0, MAX_INVALID_LINES)) {
      logged.set(nameOf(document), true)
      const {documentId, revision, field, problem} = document
      log.warn({publicId, documentId, revision, field, problem}, 'skipping a document that breaks a rule')
    }
    const more = unknown.length - MAX_INVALID_LINES
    if (more > 0) log.warn({publicId, more}, 'skipping more documents of this site that break rules')
  })
  events.on('asked', (query, _milliseconds, answered, error) => {
    if (answered) {
      if (failsSince === undefined) return
      const seconds = Math.round((performance.now() - failsSince) / 1_000)
      failsSince = undefined
      return log.info({seconds}, 'content lake reachable again')
    }
    if (query === 'probe') logOutage(error)
    const message = BACKGROUND_QUERIES[query]
    if (!message) return
    // Any other failure concerns all queries, and is logged as such.
    if (query === 'revision' && !(error instanceof SiteError)) return
    if (isBackgroundDue(query)) log.warn({reason: messagesIn(error)}, message)
  })
  events.on('failed', (publicId, error) => {
    if (error instanceof SiteError) logFailing(publicId, error.message)
    else if (error instanceof BusyError) {
      if (isDue('busy')) log.warn({publicId}, error.message)
    } else logOutage(error, publicId)
  })
  function logOutage(error: unknown, publicId?: string): void {
    if (failsSince !== undefined) return
    failsSince = performance.now()
    log.error(
      {publicId, reason: messagesIn(error)},
      isRefusedToken(error)
        ? 'the content lake refuses the token of the service; serving last known good configs, if there are any'
        : 'content lake unreachable; serving last known good configs, if there are any',
    )
  }
  /** Logs a site when it begins to fail, and when the reason changes. */
  function logFailing(publicId: string, reason: string): void {
    if (failing.get(publicId) === reason || isFailureDue() === undefined) return
    failing.set(publicId, reason)
    log.error(
      {publicId, reason},
      `cannot refresh site "${publicId}"; serving its last known good config, if any; other sites are not affected`,
    )
  }
  events.on('recovered', (publicId) => {
    if (failing.delete(publicId)) log.info({publicId}, `site "${publicId}" refreshes again`)
  })
  events.on('connectionRefused', () => {
    if (isDue('connection')) log.warn('refusing connections: too many are open')
  })
  events.on('countsFailed', (error) => {
    if (isDue('counts'))
      log.warn({reason: messagesIn(error)}, 'cannot store calls and visits; they wait in memory')
  })
  events.on('workFailed', (err) => {
    if (isDue('work')) log.error({err}, 'work in the background failed')
  })
  events.on('databaseReplaced', (path, error) =>
    log.warn(
      {path, reason: messagesIn(error)},
      'replaced the damaged database of snapshots, calls and visits; what it cannot read is lost',
    ),
  )
  events.on('limits', (shared, reason) => {
    if (shared) log.info('Redis reachable; it counts requests for all replicas')
    else log.warn({reason}, 'Redis unreachable; this replica counts requests on its own until it returns')
  })
  events.on('snapshotsForeign', (snapshots, origin) =>
    log.warn(
      {snapshots, origin},
      'snapshots of another SANITY_API_HOST, project or dataset are not used: with the earlier one, they are',
    ),
  )
  events.on('snapshotFailed', (action, path, err) => {
    if (action === 'read') {
      if (isDue('snapshots'))
        log.warn({path, reason: messagesIn(err)}, 'cannot read snapshots; damaged ones are skipped')
    } else if (!diskFails) {
      diskFails = true
      log.warn(
        {path, err},
        'cannot write snapshots; a restart while the content lake is unreachable would lack the latest sites',
      )
    }
  })
  events.on('snapshot', (action) => {
    if (action !== 'written' || !diskFails) return
    diskFails = false
    log.info('snapshots can be written again')
  })
}
