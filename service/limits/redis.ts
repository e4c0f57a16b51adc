import {Redis} from 'ioredis'
import {backoffDelay} from '../../common/backoff.ts'

/** Timeout for a reply of Redis, in milliseconds. No request waits for it. */
const REDIS_TIMEOUT = 250

/** Timeout for a connection, in milliseconds. */
const CONNECT_TIMEOUT = 2_000

/** Connects to Redis in the background. Commands fail at once while it is not connected. */
export function connectRedis(url: string, timeout = REDIS_TIMEOUT): Redis {
  return new Redis(url, {
    commandTimeout: timeout,
    connectTimeout: CONNECT_TIMEOUT,
    // A report that was sent again could count twice.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => backoffDelay(times, {first: 100, longest: 1_000}),
    // The checks of the counter also detect other problems, such as a full or read-only Redis.
    enableReadyCheck: false,
    protocol: 2,
    disableClientInfo: true,
  })
}
