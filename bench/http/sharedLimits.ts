import {eventually} from '../../test/support/eventually.ts'
import {metricsOf} from '../../test/support/metrics.ts'
import {hasRedis, startRedis} from '../../test/support/network/redis.ts'
import type {Run} from '../run.ts'
import {contestant} from './contestants.ts'
import type {Group} from './groups.ts'
import {type Server, startBenchedService} from './servers.ts'
import {fetchSites} from './sites.ts'
import {configPath, type Stage} from './stage.ts'

export const SHARED_LIMITS_TITLE = 'Limits shared through Redis, 200 at 10 KB'

/** So many that the client stays within the default limit of each. The service reports every twelfth request. */
const SITES = 1_000
const SITES_IN_A_HURRY = 200
const LIMIT = '600'
const PATH = configPath({tools: 10, bytes: 10_240}, '/', '{n}')

/** Timeout for the connection to Redis, in seconds. */
const PATIENCE = 10

/**
 * Compares a service that counts with others through Redis with one that counts alone.
 * @returns the group, and a function that requires that Redis counted. `undefined` if Redis is not installed.
 */
export async function startSharedLimits(
  {service, fastify, load, cores}: Stage,
  run: Pick<Run, 'cleanup' | 'quick'>,
): Promise<{group: Group; verify(): Promise<void>} | undefined> {
  if (!hasRedis()) return undefined
  const sites = run.quick ? SITES_IN_A_HURRY : SITES
  const redis = await startRedis()
  run.cleanup.defer(() => redis.dispose())
  const sharing = await startBenchedService(cores, run, {REDIS_URL: redis.url, RATE_LIMIT_MAX: LIMIT})
  await eventually(
    () => metricsOf(sharing.address),
    ({samples}) => samples.get('handrail_limits_shared') === 1,
    PATIENCE,
  )
  const visited = async (server: Server, name: string) => {
    await fetchSites(server, load, PATH, sites)
    return contestant(server, {path: PATH, numbers: sites}, {name})
  }
  return {
    group: {
      title: SHARED_LIMITS_TITLE,
      target: 1.1,
      contestants: async () => [
        await contestant(fastify, {path: '/10kb.json'}),
        await visited(service, 'service, counting alone'),
        await visited(sharing, 'service, with Redis'),
      ],
    },
    async verify() {
      const keys = Number(await redis.command('DBSIZE'))
      if (keys < sites) throw new Error(`Redis has ${keys} counts of ${sites}`)
    },
  }
}
