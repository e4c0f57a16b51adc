import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {eventually} from '../../test/support/eventually.ts'
import {metricsOf} from '../../test/support/metrics.ts'
import {hasRedis, startRedis} from '../../test/support/network/redis.ts'
import type {Run} from '../run.ts'
import {answerOf} from './answer.ts'
import {contestant} from './contestants.ts'
import type {Group} from './groups.ts'
import {type Server, startBaseline, startBenchedService, temporaryFolder} from './servers.ts'
import {fetchSites} from './sites.ts'
import {configPath, type Stage} from './stage.ts'
import {templateOf} from './template.ts'

export const SHARED_LIMITS_TITLE = 'Limits shared through Redis, 200 at 10 KB'

/** So many that the client stays within the default limit of each. The service reports every twelfth request. */
const SITES = 1_000
const SITES_IN_A_HURRY = 200
const LIMIT = '600'
const PATH = configPath({tools: 10, bytes: 10_240}, '/', '{n}')

/** Timeout for the connection to Redis, in seconds. */
const PATIENCE = 10

/**
 * Compares a service that counts with others through Redis with one that counts alone. The baseline sends the bodies of
 * the same sites, because ten megabytes of bodies cost any server more than one body that stays in the processor's cache.
 * @returns the group, and a function that requires that Redis counted. `undefined` if Redis is not installed.
 */
export async function startSharedLimits(
  {service, load, cores}: Stage,
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
  const visited = (server: Server, name: string) => contestant(server, {path: PATH, numbers: sites}, {name})
  for (const server of [service, sharing]) await fetchSites(server, load, PATH, sites)
  const folder = await temporaryFolder(run)
  const pathOf = templateOf(PATH)
  for (let site = 0; site < sites; site++) {
    const {body} = await answerOf(`${service.address}${pathOf(site)}`)
    await writeFile(join(folder, `site-${site}.json`), body)
  }
  const fastify = await startBaseline('fastify', folder, cores, run)
  return {
    group: {
      title: SHARED_LIMITS_TITLE,
      target: 1.1,
      contestants: () =>
        Promise.all([
          contestant(
            fastify,
            {path: '/site-{n}.json', numbers: sites},
            {name: 'bare Fastify, the same bodies'},
          ),
          visited(service, 'service, counting alone'),
          visited(sharing, 'service, with Redis'),
        ]),
    },
    async verify() {
      const keys = Number(await redis.command('DBSIZE'))
      if (keys < sites) throw new Error(`Redis has ${keys} counts of ${sites}`)
    },
  }
}
