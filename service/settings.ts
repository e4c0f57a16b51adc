import {isIP} from 'node:net'
import {resolve} from 'node:path'
import {makeExactValidator, makeValidator, str} from 'envalid'
import {integer, origin, port, proxies, readSettings} from '../common/settings.ts'
import {tokenProblem} from './originTrial.ts'

/** The service's settings, read once at startup. */
export type ServiceSettings = {
  host: string
  /** 0 lets the system choose a free port. */
  port: number
  projectId: string
  dataset: string
  /**
   * The Content Lake's address without a trailing slash. `undefined` for hosted Sanity, whose host name
   * contains the project ID.
   */
  apiHost: string | undefined
  apiToken: string | undefined
  /**
   * The file where a local lake stores a token for the service. `undefined` if `apiToken` is set or upstream
   * is on another machine.
   */
  serviceTokenFile: string | undefined
  /** The secret that Sanity signs webhook deliveries with. */
  webhookSecret: string | undefined
  /** Maximum requests in a window for one site from one client address. */
  rateLimitMax: number
  rateLimitWindowSeconds: number
  /** The Redis server where replicas count requests together. The URL may contain a password. */
  redisUrl: string | undefined
  /**
   * Proxies in front of the service: addresses, networks (`10.0.0.0/8`) or their names (`loopback`,
   * `linklocal`, `uniquelocal`).
   */
  trustedProxies: readonly string[]
  /**
   * How long the service accepts requests after SIGTERM, so that clients and load balancers can switch over.
   */
  drainSeconds: number
  /** Maximum open connections. One client may have a tenth of them. */
  maxConnections: number
  /** Memory limit for sites, in MB of 2²⁰ bytes. */
  siteMemory: number
  /** How long stale configs may be served while upstream is unavailable. */
  maxStaleSeconds: number
  /** The folder for snapshots, which let the service start without upstream. */
  snapshotDir: string
  /** A third-party origin trial token for the service's origin, which the snippet adds to pages. */
  originTrialToken: string | undefined
}

/** The project ID of a local lake. */
const LOCAL_PROJECT = 'local'

/**
 * Reads the service's settings from environment variables. An empty variable counts as unset.
 * @throws {Error} with one line that names every invalid variable.
 */
export function readServiceSettings(environment: NodeJS.ProcessEnv): ServiceSettings {
  const env = readSettings(environment, {
    HOST: str({default: '127.0.0.1'}),
    PORT: port({default: 3000}),
    SANITY_PROJECT_ID: projectId({default: LOCAL_PROJECT}),
    SANITY_DATASET: dataset({default: 'production'}),
    SANITY_API_HOST: origin({default: undefined}),
    SANITY_API_TOKEN: str({default: undefined}),
    SERVICE_TOKEN_FILE: str({default: '.handrail/service-token'}),
    SANITY_WEBHOOK_SECRET: str({default: undefined}),
    RATE_LIMIT_MAX: integer(1, 1_000_000_000)({default: 600}),
    RATE_LIMIT_WINDOW_SECONDS: integer(1, 86_400)({default: 60}),
    REDIS_URL: redisUrl({default: undefined}),
    TRUSTED_PROXIES: proxies({default: []}),
    DRAIN_SECONDS: integer(0, 3_600)({default: 3}),
    MAX_CONNECTIONS: integer(1, 1_000_000)({default: 10_000}),
    SITE_MEMORY_MB: integer(1, 1_000_000)({default: 256}),
    MAX_STALE_SECONDS: integer(0, 31_536_000)({default: 86_400}),
    SNAPSHOT_DIR: str({default: '.handrail/snapshots'}),
    WEBMCP_ORIGIN_TRIAL_TOKEN: originTrialToken({default: undefined}),
  })
  const isLocal = env.SANITY_PROJECT_ID === LOCAL_PROJECT
  const apiHost = env.SANITY_API_HOST ?? (isLocal ? 'http://localhost:3333' : undefined)
  // Never send the token of the local lake to another machine.
  const hasTokenFile = env.SANITY_API_TOKEN === undefined && isLocal && isLoopback(apiHost)
  return {
    host: env.HOST,
    port: env.PORT,
    projectId: env.SANITY_PROJECT_ID,
    dataset: env.SANITY_DATASET,
    apiHost,
    apiToken: env.SANITY_API_TOKEN,
    serviceTokenFile: hasTokenFile ? resolve(env.SERVICE_TOKEN_FILE) : undefined,
    webhookSecret: env.SANITY_WEBHOOK_SECRET,
    rateLimitMax: env.RATE_LIMIT_MAX,
    rateLimitWindowSeconds: env.RATE_LIMIT_WINDOW_SECONDS,
    redisUrl: env.REDIS_URL,
    trustedProxies: env.TRUSTED_PROXIES,
    drainSeconds: env.DRAIN_SECONDS,
    maxConnections: env.MAX_CONNECTIONS,
    siteMemory: env.SITE_MEMORY_MB,
    maxStaleSeconds: env.MAX_STALE_SECONDS,
    snapshotDir: env.SNAPSHOT_DIR,
    originTrialToken: env.WEBMCP_ORIGIN_TRIAL_TOKEN,
  }
}

function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false
  const {hostname} = new URL(address)
  return (
    hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))
  )
}

const projectId = makeValidator<string>((text) => {
  if (!/^[a-z0-9-]{1,64}$/.test(text))
    throw new Error(`"${text}" is not a project ID of lower-case letters, digits and dashes.`)
  return text
})

const dataset = makeValidator<string>((text) => {
  if (!/^[a-z0-9_-]{1,64}$/.test(text))
    throw new Error(`"${text}" is not a dataset name: use lower-case letters, digits, "_" and "-".`)
  return text
})

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
