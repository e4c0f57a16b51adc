import {resolve} from 'node:path'
import {makeExactValidator, makeValidator, str} from 'envalid'
import {valuesOf} from '../common/secret.ts'
import {secret} from '../common/secretFiles.ts'
import {serviceTokenFileOf} from '../common/serviceToken.ts'
import {
  contentDir,
  integer,
  isLoopback,
  origin,
  port,
  proxies,
  readSettings,
  replaceableSecret,
} from '../common/settings.ts'

/** The operator's settings for the lake, read once at the start. docs/configuration.md says what each variable does. */
export type LakeEnvironment = Readonly<ReturnType<typeof readLakeSettings>>

/** Single sign-on with one OpenID Connect provider. */
export type SingleSignOnSettings = NonNullable<ReturnType<typeof singleSignOnOf>> & {
  /** Milliseconds between two checks of a session that is in use. Default: three minutes. */
  readonly checkEvery?: number
}

/** What addresses are told of: changes of published documents, requests for reviews, events of the audit log. */
const HOOK_KINDS = ['change', 'review', 'audit'] as const

export type HookKind = (typeof HOOK_KINDS)[number]

/** One of the operator's addresses, and what it is told of. */
export type HookAddress = {readonly url: string; readonly kinds: readonly HookKind[]}

/**
 * Addresses of webhooks, separated by spaces, such as `https://hooks.example/chat#review,audit`: the fragment says what each is
 * told of, and is not sent. The error repeats nothing, since paths may be secrets.
 */
const hookAddresses = makeExactValidator<HookAddress[]>((text) =>
  text
    .split(/\s+/)
    .filter(Boolean)
    .map((item, index) => {
      const url = URL.canParse(item) ? new URL(item) : undefined
      if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
        throw new Error(
          `entry ${index + 1} is not an address like https://hooks.example/build without a user name.`,
        )
      const names = url.hash === '' ? ['change'] : url.hash.slice(1).split(',')
      const kinds = HOOK_KINDS.filter((kind) => names.includes(kind))
      if (kinds.length !== names.length)
        throw new Error(`entry ${index + 1} must end like #review or #change,audit, or without “#”.`)
      url.hash = ''
      return {url: url.href, kinds}
    }),
)

/** https://www.sanity.io/docs/content-lake/datasets: lower case letters, digits, `_` and `-`, at most 64. */
const name = makeValidator((input) => {
  if (!/^~?[a-z0-9][a-z0-9_-]{0,63}$/.test(input)) {
    throw new Error(`"${input}" is not a name: use at most 64 lower-case letters, digits, "-" and "_".`)
  }
  return input
})

/** The identifier of a provider. Tokens must not travel unencrypted, except on this machine. */
const issuer = makeValidator((input) => {
  const url = URL.canParse(input) ? new URL(input) : undefined
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url))
  if (!isSafe || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new Error(`"${input}" is not the https address of an OpenID Connect provider.`)
  return input
})

/**
 * Reads the lake's settings from environment variables. An empty variable counts as not set.
 * @throws Error with one line that names every invalid variable
 */
export function readLakeSettings(environment: NodeJS.ProcessEnv) {
  const env = readVariables(environment)
  const reading = valuesOf(env.SANITY_API_TOKEN)
  if (valuesOf(env.LAKE_API_TOKEN).some((one) => reading.includes(one)))
    throw new Error('LAKE_API_TOKEN: must differ from SANITY_API_TOKEN, which the service uses to read')
  if (env.LAKE_WEBHOOKS.length > 0 && env.LAKE_WEBHOOK_SECRET === undefined)
    throw new Error('LAKE_WEBHOOK_SECRET: must be set with LAKE_WEBHOOKS, because it signs their requests')
  if (env.LAKE_REVIEW_BRANCHES === 'on' && env.GIT_REMOTE === undefined)
    throw new Error('LAKE_REVIEW_BRANCHES: can be on only with GIT_REMOTE, to which the branches are pushed')
  const singleSignOn: SingleSignOnSettings | undefined = singleSignOnOf(env)
  if (env.LAKE_PASSWORDS === 'off' && singleSignOn === undefined)
    throw new Error('LAKE_PASSWORDS: can be off only with LAKE_OIDC_ISSUER')
  return {
    host: env.LAKE_HOST,
    port: env.LAKE_PORT,
    contentDir: resolve(env.CONTENT_DIR),
    projectId: env.SANITY_PROJECT_ID,
    dataset: env.SANITY_DATASET,
    apiTokens: valuesOf(env.LAKE_API_TOKEN),
    serviceTokens: valuesOf(env.SANITY_API_TOKEN),
    /** Where the lake stores a token for a service on the same machine. */
    serviceTokenFile: env.SANITY_API_TOKEN === undefined ? serviceTokenFileOf(env.CONTENT_DIR) : undefined,
    gitRemote: env.GIT_REMOTE,
    reviewBranches: env.LAKE_REVIEW_BRANCHES === 'on',
    gitWebhookSecrets: valuesOf(env.GIT_WEBHOOK_SECRET),
    webhooks: env.LAKE_WEBHOOKS,
    webhookSecrets: valuesOf(env.LAKE_WEBHOOK_SECRET),
    trustedProxies: env.TRUSTED_PROXIES,
    origin: env.LAKE_ORIGIN,
    /** None: everybody may read `/metrics`. */
    metricsTokens: valuesOf(env.METRICS_TOKEN),
    /** Undefined: only the number of events counts. */
    auditDays: env.LAKE_AUDIT_DAYS,
    passwords: env.LAKE_PASSWORDS === 'on',
    singleSignOn,
  }
}

function readVariables(environment: NodeJS.ProcessEnv) {
  return readSettings(environment, {
    LAKE_HOST: str({default: '127.0.0.1'}),
    LAKE_PORT: port({default: 3333}),
    CONTENT_DIR: contentDir,
    SANITY_PROJECT_ID: name({default: 'local'}),
    SANITY_DATASET: name({default: 'production'}),
    LAKE_API_TOKEN: secret(replaceableSecret({default: undefined})),
    SANITY_API_TOKEN: secret(replaceableSecret({default: undefined})),
    GIT_REMOTE: secret(str({default: undefined})),
    LAKE_REVIEW_BRANCHES: str({choices: ['on', 'off'], default: 'off'}),
    GIT_WEBHOOK_SECRET: secret(replaceableSecret({default: undefined})),
    LAKE_WEBHOOKS: secret(hookAddresses({default: []})),
    LAKE_WEBHOOK_SECRET: secret(replaceableSecret({default: undefined})),
    TRUSTED_PROXIES: proxies({default: []}),
    LAKE_ORIGIN: origin({default: undefined}),
    METRICS_TOKEN: secret(replaceableSecret({default: undefined})),
    LAKE_AUDIT_DAYS: integer(1, 36_500)({default: undefined}),
    LAKE_PASSWORDS: str({choices: ['on', 'off'], default: 'on'}),
    LAKE_OIDC_ISSUER: issuer({default: undefined}),
    LAKE_OIDC_CLIENT_ID: str({default: undefined}),
    LAKE_OIDC_CLIENT_SECRET: secret(str({default: undefined})),
    LAKE_OIDC_RIGHTS: str({default: '.handrail/rights.json'}),
    LAKE_OIDC_TRUST_EMAIL: str({choices: ['on', 'off'], default: 'off'}),
  })
}

function singleSignOnOf(env: ReturnType<typeof readVariables>) {
  const {LAKE_OIDC_ISSUER: issuer, LAKE_OIDC_CLIENT_ID: clientId} = env
  if (issuer === undefined && clientId === undefined) return undefined
  if (issuer === undefined) throw new Error('LAKE_OIDC_ISSUER: must be set with LAKE_OIDC_CLIENT_ID')
  if (clientId === undefined) throw new Error('LAKE_OIDC_CLIENT_ID: must be set with LAKE_OIDC_ISSUER')
  return {
    issuer,
    clientId,
    clientSecret: env.LAKE_OIDC_CLIENT_SECRET,
    rightsFile: resolve(env.LAKE_OIDC_RIGHTS),
    /** Whether an address counts as verified if the provider does not say whether it is. */
    trustEmail: env.LAKE_OIDC_TRUST_EMAIL === 'on',
  }
}
