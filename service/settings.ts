import {BlockList, isIP} from 'node:net'
import {resolve} from 'node:path'
import {cleanEnv, makeExactValidator, makeValidator, str} from 'envalid'
import {tokenProblem} from './originTrial.ts'

/** What an operator sets for the service, read once at the start. */
export type ServiceSettings = {
  host: string
  /** 0 lets the system choose a free port. */
  port: number
  projectId: string
  dataset: string
  /** The Content Lake's address without a trailing slash. Absent: Sanity's own, by project host name. */
  apiHost: string | undefined
  apiToken: string | undefined
  /** Where a lake on this machine keeps a token for the service. Absent where `apiToken` is set, or upstream is elsewhere. */
  serviceTokenFile: string | undefined
  /** What Sanity signs its webhook's deliveries with. */
  webhookSecret: string | undefined
  /** Requests for one site from one client address in a window. */
  rateLimitMax: number
  rateLimitWindowSeconds: number
  /** Where replicas count requests together. It may hold a password. */
  redisUrl: string | undefined
  /** Addresses, networks (`10.0.0.0/8`) and their names (`loopback`, `linklocal`, `uniquelocal`) of proxies in front. */
  trustedProxies: readonly string[]
  /** For how long a service that was told to end still takes requests, so that clients and balancers can turn away. */
  drainSeconds: number
  /** Connections open at once; one client may have a tenth of them. */
  maxConnections: number
  /** What sites may take in memory, in MB of 2²⁰ bytes. */
  siteMemory: number
  /** How long a last good config may stand in while the lake cannot be asked. */
  maxStaleSeconds: number
  /** Where the last good sites are kept, for a start without the lake. */
  snapshotDir: string
  /** A third-party token for the service's origin, which the snippet shows to browsers. */
  originTrialToken: string | undefined
}

/** The project id that stands for the lake on this machine. */
const LOCAL_PROJECT = 'local'

/**
 * Reads the service's settings from environment variables. An empty variable counts as not set.
 * @throws {Error} with one line that names every variable that cannot be understood.
 */
export function readServiceSettings(environment: NodeJS.ProcessEnv): ServiceSettings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const env = cleanEnv(
    given,
    {
      HOST: str({default: '127.0.0.1'}),
      PORT: integer(0, 65_535)({default: 3000}),
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
    },
    {reporter: ({errors}) => stopOn(errors)},
  )
  const isLocal = env.SANITY_PROJECT_ID === LOCAL_PROJECT
  const apiHost = env.SANITY_API_HOST ?? (isLocal ? 'http://localhost:3333' : undefined)
  // The token of this machine's lake is sent to no other machine.
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

/** Whether an address is on this machine. */
function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false
  const {hostname} = new URL(address)
  return (
    hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))
  )
}

function stopOn(problems: Partial<Record<string, Error>>): void {
  const lines = Object.entries(problems).map(([name, problem]) => `${name}: ${problem?.message}`)
  if (lines.length > 0) throw new Error(`Settings not understood. ${lines.join(' ')}`)
}

function integer(min: number, max: number) {
  return makeExactValidator<number>((text) => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new Error(`"${text}" is not a whole number from ${min} to ${max}.`)
    return value
  })
}

const projectId = makeValidator<string>((text) => {
  if (!/^[a-z0-9-]{1,64}$/.test(text))
    throw new Error(`"${text}" is not a project id: lower-case letters, digits and dashes.`)
  return text
})

const dataset = makeValidator<string>((text) => {
  if (!/^[a-z0-9_-]{1,64}$/.test(text))
    throw new Error(`"${text}" is not a dataset name: lower-case letters, digits, "_" and "-".`)
  return text
})

const originTrialToken = makeExactValidator<string>((text) => {
  const problem = tokenProblem(text)
  if (problem !== undefined)
    throw new Error(`"${text.length > 40 ? `${text.slice(0, 40)}…` : text}" ${problem}`)
  return text
})

const origin = makeExactValidator<string>((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.origin !== text.replace(/\/$/, ''))
    throw new Error(`"${text}" is not an address like https://lake.example or http://localhost:3333.`)
  return url.origin
})

const redisUrl = makeExactValidator<string>((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isRedis = url && /^rediss?:$/.test(url.protocol) && url.hostname !== ''
  // It may hold a password, so the message does not repeat it. A query would be options of the client's.
  if (!isRedis || !/^\/?\d*$/.test(url.pathname) || url.search || url.hash)
    throw new Error(
      'it is not an address like redis://redis.example:6379 or rediss://user:password@host:6380/0.',
    )
  return text
})

/** Names of networks that Fastify's `trustProxy` knows. */
const NETWORK_NAMES = ['loopback', 'linklocal', 'uniquelocal']

const proxies = makeExactValidator<string[]>((text) => {
  const list = text.split(',').map((item) => item.trim())
  for (const item of list) {
    if (!NETWORK_NAMES.includes(item) && isIP(item) === 0 && !isNetwork(item))
      throw new Error(
        `"${item}" is not an address, a network like 10.0.0.0/8, or one of ${NETWORK_NAMES.join(', ')}.`,
      )
  }
  return list
})

function isNetwork(text: string): boolean {
  const [, address = '', bits] = text.match(/^([^/]+)\/(\d{1,3})$/) ?? []
  try {
    new BlockList().addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
    return true
  } catch {
    return false
  }
}
