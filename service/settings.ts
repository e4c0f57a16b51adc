import {makeExactValidator, str} from 'envalid'
import {tokenProblem} from '../advice/originTrial.ts'
import {DATASET_VARIABLES, datasetSettings} from '../common/datasetSettings.ts'
import {valuesOf} from '../common/secret.ts'
import {secret} from '../common/secretFiles.ts'
import {integer, port, proxies, readSettings, replaceableSecret} from '../common/settings.ts'

/** The service's settings, read once at startup. */
export type ServiceSettings = Readonly<ReturnType<typeof readServiceSettings>>

/**
 * Reads the service's settings from environment variables. An empty variable counts as unset.
 * @throws {Error} with one line that names every invalid variable.
 */
export function readServiceSettings(environment: NodeJS.ProcessEnv) {
  const env = readSettings(environment, {
    HOST: str({default: '127.0.0.1'}),
    PORT: port({default: 3000}),
    ...DATASET_VARIABLES,
    SANITY_WEBHOOK_SECRET: secret(replaceableSecret({default: undefined})),
    RATE_LIMIT_MAX: integer(1, 1_000_000_000)({default: 600}),
    REDIS_URL: secret(redisUrl({default: undefined})),
    TRUSTED_PROXIES: proxies({default: []}),
    SITE_MEMORY_MB: integer(1, 1_000_000)({default: 256}),
    SNAPSHOT_DIR: str({default: '.handrail/snapshots'}),
    WEBMCP_ORIGIN_TRIAL_TOKEN: originTrialToken({default: undefined}),
    METRICS_TOKEN: secret(replaceableSecret({default: undefined})),
  })
  return {
    host: env.HOST,
    /** 0 lets the system choose a free port. */
    port: env.PORT,
    ...datasetSettings(env),
    /** The secrets one of which Sanity signs webhook deliveries with. */
    webhookSecrets: valuesOf(env.SANITY_WEBHOOK_SECRET),
    /** Maximum requests in a minute for one site from one client address. */
    rateLimitMax: env.RATE_LIMIT_MAX,
    /** The Redis server where replicas count requests together. The URL may contain a password. */
    redisUrl: env.REDIS_URL,
    /**
     * Proxies in front of the service: addresses, networks (`10.0.0.0/8`) or their names (`loopback`,
     * `linklocal`, `uniquelocal`).
     */
    trustedProxies: env.TRUSTED_PROXIES,
    /** Memory limit for sites, in MB of 2²⁰ bytes. */
    siteMemory: env.SITE_MEMORY_MB,
    /** The folder for snapshots, which let the service start without upstream. */
    snapshotDir: env.SNAPSHOT_DIR,
    /** A third-party origin trial token for the service's origin, which the snippet adds to pages. */
    originTrialToken: env.WEBMCP_ORIGIN_TRIAL_TOKEN,
    /** The tokens one of which `/metrics` requires; none: everybody may read it. */
    metricsTokens: valuesOf(env.METRICS_TOKEN),
  }
}

const originTrialToken = makeExactValidator<string>((text) => {
  const problem = tokenProblem(text)
  if (problem !== undefined)
    throw new Error(`"${text.length > 40 ? `${text.slice(0, 40)}…` : text}" ${problem}`)
  return text
})

const redisUrl = makeExactValidator<string>((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isRedis = url && /^rediss?:$/.test(url.protocol) && url.hostname !== ''
  // The URL may contain a password, so the message does not repeat it. A query would set options of the Redis
  // client.
  if (!isRedis || !/^\/?\d*$/.test(url.pathname) || url.search || url.hash)
    throw new Error(
      'it is not an address like redis://redis.example:6379 or rediss://user:password@host:6380/0.',
    )
  return text
})
