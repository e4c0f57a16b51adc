import type {FastifyBaseLogger} from 'fastify'
import {LRUCache} from 'lru-cache'
import {nameOf} from '../documentRevision.ts'
import {BusyError, SiteError} from '../errors.ts'
import type {ServiceEvents} from '../events.ts'
import {reasonOf} from './upstreamFailure.ts'

/** Number of revisions to remember as logged, so that each problem is logged once. */
const REMEMBERED = 10_000

/** Maximum failing sites to log per minute. If upstream rejects every query, there may be thousands. */
const FAILING_SITES_PER_MINUTE = 20

/** Maximum invalid documents of a site to log one by one. For the others, only their number is logged. */
const MAX_INVALID_LINES = 100

/** Minimum interval between log lines about a flood, in milliseconds. */
const BUSY_EVERY = 60_000

/** Minimum interval between log lines about refused connections, in milliseconds. */
const CONNECTIONS_EVERY = 60_000

/**
 * Minimum interval between log lines about deliveries refused for the same reason, in milliseconds. Anyone
 * may send them.
 */
const REFUSED_EVERY = 60_000

/**
 * Logs what an operator or an editor must know: invalid documents, an unreachable lake, a disk that cannot
 * store snapshots. Logs each problem when it begins and when it ends, regardless of the number of requests in
 * between.
 */
export function logServiceEvents(events: ServiceEvents, log: FastifyBaseLogger): void {
  const told = new LRUCache<string, true>({max: REMEMBERED})
  const failingSites = failingSitesLog(log)
  let lakeFails = false
  let diskFails = false
  let busyToldAt = Number.NEGATIVE_INFINITY
  let connectionsToldAt = Number.NEGATIVE_INFINITY
  const refusedToldAt = new Map<string, number>()

  events.on('compiled', (publicId, invalid) => {
    const unknown = invalid.filter((document) => !told.has(nameOf(document)))
    for (const document of unknown.slice(0, MAX_INVALID_LINES)) {
      told.set(nameOf(document), true)
      const {documentId, revision, field, problem} = document
      log.warn({publicId, documentId, revision, field, problem}, 'document left out: it breaks a rule')
    }
    const more = unknown.length - MAX_INVALID_LINES
    if (more > 0) log.warn({publicId, more}, 'more documents of this site are left out: they break rules')
  })
  events.on('asked', (_query, _milliseconds, answered) => {
    if (!answered || !lakeFails) return
    lakeFails = false
    log.info('the lake answers again')
  })
  events.on('failed', (publicId, error) => {
    if (error instanceof SiteError) failingSites.fail(publicId, error)
    else if (error instanceof BusyError) {
      if (performance.now() - busyToldAt < BUSY_EVERY) return
      busyToldAt = performance.now()
      log.warn({publicId}, error.message)
    } else if (!lakeFails) {
      lakeFails = true
      log.error(
        {publicId, reason: reasonOf(error)},
        'the lake cannot be asked; the last good answers stand in',
      )
    }
  })
  events.on('recovered', (publicId) => failingSites.recover(publicId))
  events.on('unseen', (publicId, documentIds) =>
    log.warn({publicId, documentIds}, 'a revision was announced that the lake did not show'),
  )
  events.on('delivery', (outcome) => {
    const now = performance.now()
    if (outcome === 'OK' || now - (refusedToldAt.get(outcome) ?? Number.NEGATIVE_INFINITY) < REFUSED_EVERY)
      return
    refusedToldAt.set(outcome, now)
    log.warn({code: outcome}, 'a delivery to /webhooks/sanity was refused')
  })
  events.on('connectionRefused', (limit, address) => {
    if (performance.now() - connectionsToldAt < CONNECTIONS_EVERY) return
    connectionsToldAt = performance.now()
    log.warn(
      {address},
      limit === 'all'
        ? 'connections are refused: MAX_CONNECTIONS are open'
        : 'connections are refused: this address has a tenth of MAX_CONNECTIONS; if it is your proxy, name it in TRUSTED_PROXIES',
    )
  })
  events.on('limits', (shared, reason) => {
    if (shared) log.info('requests are counted together with other replicas, in Redis')
    else log.warn({reason}, 'Redis cannot be asked: this replica counts requests by itself until it can')
  })
  events.on('snapshotFailed', (action, path, err) => {
    if (action === 'read') log.warn({path, err}, 'a snapshot cannot be used and is skipped')
    else if (!diskFails) {
      diskFails = true
      log.warn(
        {path, err},
        'snapshots cannot be written; a start without the lake would lack the latest sites',
      )
    }
  })
  events.on('snapshot', (action) => {
    if (action !== 'written' || !diskFails) return
    diskFails = false
    log.info('snapshots are written again')
  })
}

/** Logs a site when it begins to fail, when the reason changes and when it recovers. */
function failingSitesLog(log: FastifyBaseLogger) {
  const told = new LRUCache<string, string>({max: REMEMBERED})
  let minuteBegan = Number.NEGATIVE_INFINITY
  let lines = 0
  return {
    fail(publicId: string, {message}: SiteError): void {
      if (told.get(publicId) === message) return
      if (performance.now() - minuteBegan > 60_000) {
        minuteBegan = performance.now()
        lines = 0
      }
      lines++
      if (lines > FAILING_SITES_PER_MINUTE) return
      told.set(publicId, message)
      log.error(
        {publicId, reason: message},
        `site "${publicId}" cannot be refreshed: its last good config, if any, stays in place; other sites are not affected`,
      )
    },
    recover(publicId: string): void {
      if (told.delete(publicId)) log.info({publicId}, `site "${publicId}" is refreshed again`)
    },
  }
}
