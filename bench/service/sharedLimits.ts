import {eventually} from '../../test/support/eventually.ts'
import {metricsOf} from '../../test/support/metrics.ts'
import {hasRedis, startRedis} from '../../test/support/network/redis.ts'
import type {Run} from '../report.ts'
import {contestant} from './contestants.ts'
import {type Cores, pin} from './cores.ts'
import {type Group, HOT_LIMIT} from './groups.ts'
import {type Server, startBenchedService} from './servers.ts'
import {BODIES} from './stage.ts'

/** So many that each stays within the default limit. The service reports every twelfth request of each. */
const CLIENTS = 2_000
const LIMIT = '600'

/** Timeout for the connection to Redis, in seconds. */
const PATIENCE = 10

/**
 * Compares a service that counts with others through Redis with one that counts alone. Both trust a proxy, which
 * names the clients.
 * @returns the group, and a function that requires that Redis counted. `undefined` if Redis is not installed.
 */
export async function startSharedLimits(
  cores: Cores,
  run: Pick<Run, 'cleanup'>,
): Promise<{group: Group; verify(): Promise<void>} | undefined> {
  if (!hasRedis()) return undefined
  const redis = await startRedis()
  run.cleanup.defer(() => redis.dispose())
  await pin(redis.pid, 'others', cores)
  const start = (settings: NodeJS.ProcessEnv = {}) =>
    startBenchedService(cores, run, {TRUSTED_PROXIES: 'loopback', ...settings})
  const visited = (server: Server, path: string, name: string) =>
    contestant(server, {path, clients: CLIENTS}, {name})
  return {
    group: {
      title: 'Limits shared through Redis, 200 at 10 KB, 2,000 clients',
      limit: HOT_LIMIT,
      async contestants({fastify}) {
        const alone = await start()
        const sharing = await start({REDIS_URL: redis.url, RATE_LIMIT_MAX: LIMIT})
        await eventually(
          () => metricsOf(sharing.address),
          ({samples}) => samples.get('handrail_limits_shared') === 1,
          PATIENCE,
        )
        return Promise.all([
          visited(fastify, '/10kb.json', 'bare Fastify'),
          visited(alone, BODIES['10kb.json'], 'service, counting alone'),
          visited(sharing, BODIES['10kb.json'], 'service, with Redis'),
        ])
      },
    },
    async verify() {
      const [, counted = '0'] =
        /^cmdstat_incrby:calls=(\d+)/m.exec(await redis.command('INFO', 'commandstats')) ?? []
      if (Number(counted) < CLIENTS)
        throw new Error(`Redis has counted ${counted} times for ${CLIENTS} clients`)
    },
  }
}
