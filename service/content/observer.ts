import type {FastifyBaseLogger} from 'fastify'
import {LRUCache} from 'lru-cache'
import {BusyError} from '../errors.ts'
import type {ServiceEvents} from '../events.ts'
import {reasonOf} from './lakeFailure.ts'

/** Revisions whose problems are remembered as told, so that the log says each once. */
const REMEMBERED = 10_000

/** Milliseconds between two words on a flood. */
const BUSY_EVERY = 60_000

/** Milliseconds between two words on connections that are refused. */
const CONNECTIONS_EVERY = 60_000

/** Milliseconds between two words on deliveries that are refused for one reason: anybody may send them. */
const REFUSED_EVERY = 60_000

/**
 * Tells the log what an operator or an editor must know: broken documents, a lake out of reach, a disk that keeps no
 * snapshots. Each trouble is told when it begins and when it ends, whatever the number of requests in between.
 */
export function tellLog(events: ServiceEvents, log: FastifyBaseLogger): void {
  const told = new LRUCache<string, true>({max: REMEMBERED})
  let lakeFails = false
  let diskFails = false
  let busyToldAt = Number.NEGATIVE_INFINITY
  let connectionsToldAt = Number.NEGATIVE_INFINITY
  const refusedToldAt = new Map<string, number>()

  events.on('compiled', (publicId, site) => {
    for (const {documentId, revision, field, problem} of site.invalid) {
      const key = `${documentId}@${revision}`
      if (told.has(key)) continue
      told.set(key, true)
      log.warn({publicId, documentId, revision, field, problem}, 'document left out: it breaks a rule')
    }
  })
  events.on('asked', (_query, _milliseconds, answered) => {
    if (!answered || !lakeFails) return
    lakeFails = false
    log.info('the lake answers again')
  })
  events.on('failed', (publicId, error) => {
    if (error instanceof BusyError) {
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
