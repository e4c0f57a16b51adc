import type {onRequestAsyncHookHandler} from 'fastify'
import {onceClosed} from '../../common/http/onceClosed.ts'
import {clientKey} from '../../common/limits/clientKey.ts'
import {concurrencyLimit} from '../../common/limits/concurrencyLimit.ts'
import type {ServiceSettings} from '../settings.ts'
import {LocalCounter} from './localCounter.ts'
import {rateLimited} from './rateLimited.ts'

/**
 * Requests of one client in a window, compared with RATE_LIMIT_MAX: a tab asks once a second, and an office may have
 * many tabs behind one address.
 */
const SHARE = 10

/** The same for requests with a wrong secret, token or ticket, and their minimum. */
const FAILED_SHARE = 1 / 20
const FAILED_AT_LEAST = 10

/** Maximum concurrent requests. A failed one counts when it is answered. */
const AT_ONCE = {perClient: 128, total: 512}

/** Delay before a rejected request may be retried, in milliseconds. */
const RETRY_AFTER = 1_000

/** Creates the hook that limits requests for previews, which count separately from those of visitors. */
export function limitPreviews({
  rateLimitMax,
  rateLimitWindowSeconds,
}: Pick<ServiceSettings, 'rateLimitMax' | 'rateLimitWindowSeconds'>): onRequestAsyncHookHandler {
  const milliseconds = rateLimitWindowSeconds * 1_000
  const max = rateLimitMax * SHARE
  const maxFailed = Math.max(FAILED_AT_LEAST, Math.ceil(rateLimitMax * FAILED_SHARE))
  const requests = new LocalCounter()
  const failures = new LocalCounter()
  const admit = concurrencyLimit({
    ...AT_ONCE,
    clientOf: (request) => clientKey(request.ip),
    refuse: (reply) => rateLimited(reply, RETRY_AFTER),
  })
  return async (request, reply) => {
    const client = clientKey(request.ip)
    const {current, ttl} = requests.increment(client, milliseconds)
    const failed = failures.window(client, milliseconds)
    if (current > max) throw rateLimited(reply, ttl)
    if (failed.current >= maxFailed) throw rateLimited(reply, failed.endsAt - performance.now())
    admit(request, reply)
    onceClosed(reply.raw, () => {
      if (reply.raw.statusCode === 401) failures.increment(client, milliseconds)
    })
  }
}
