import type {IncomingHttpHeaders} from 'node:http'
import type {FastifyBaseLogger, FastifyRequest} from 'fastify'
import {LRUCache} from 'lru-cache'
import {clientKey} from '../../common/limits/clientKey.ts'
import {newSecret} from '../../common/secret.ts'
import {readServiceToken, writeServiceToken} from '../../common/serviceToken.ts'
import {type State, StateError} from '../../content/state/state.ts'
import {type Audit, NO_AUDIT} from '../audit/events.ts'
import {HttpError} from '../errors.ts'
import type {LakeEnvironment} from '../settings.ts'
import {Accounts} from './accounts.ts'
import {type AccessLogger, NO_LOGGER} from './oidc/mapping.ts'
import {SingleSignOn} from './oidc/singleSignOn.ts'
import {PasswordChecks} from './passwordChecks.ts'
import {type Principal, programNamed} from './principal.ts'
import {everywhere, mayUse, type Permission, type Rights, type SiteName} from './rights/rights.ts'
import {digest, type ScryptCost} from './secrets.ts'
import {sessionSecret} from './signIn/cookie.ts'
import {type SessionInfo, Sessions} from './signIn/sessions.ts'
import {credentialOf} from './tokens.ts'

/** A token's use is recorded once within {@link USE_WINDOW} milliseconds. */
const USE_WINDOW = 60 * 60_000
const REMEMBERED_TOKENS = 1_000

/** The client that sends the token from the environment. */
const environmentProgram = programNamed('api-token', 'API token', everywhere('publisher'))

/** The service. It only reads. */
const serviceProgram = programNamed('service', 'Service', everywhere('viewer'))

/** The author of changes whose author is unknown. */
const SYSTEM: Principal = {id: '<system>', name: 'Unknown', email: 'system@localhost', rights: []}

/** Principals that are not in the database. */
const FIXED = [environmentProgram, serviceProgram, SYSTEM]

export type AccessSettings = Partial<
  Pick<LakeEnvironment, 'apiTokens' | 'serviceTokens' | 'origin' | 'passwords' | 'singleSignOn'>
> & {
  /** The database with editors, tokens and sessions. */
  readonly state: State
  /** What a guess at a password costs. Default: that of {@link Accounts}. */
  readonly scryptCost?: ScryptCost | undefined
  /** The name of a site, for messages. Default: its id. */
  readonly siteName?: SiteName
  readonly logger?: AccessLogger
  readonly audit?: Audit
}

/** Authenticates and authorizes requests. */
export class Access {
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly audit: Audit
  /** Whether browsers reach the lake over TLS only, as `LAKE_ORIGIN` says. */
  readonly isSecure: boolean
  /** Whether editors may sign in with a password. */
  readonly passwords: boolean
  readonly singleSignOn: SingleSignOn | undefined
  readonly passwordChecks: PasswordChecks
  readonly siteName: SiteName
  /** Programs whose tokens are not in the database, by the digest of the token. */
  readonly #programs = new Map<string, Principal>()
  readonly #origin: URL | undefined
  readonly #hosts: ReadonlySet<string>
  readonly #principals = new WeakMap<FastifyRequest, Promise<Principal | undefined>>()

  /** Tokens whose use was recorded, by id. */
  readonly #used = new LRUCache<string, true>({max: REMEMBERED_TOKENS, ttl: USE_WINDOW})

  constructor(settings: AccessSettings) {
    const {state, apiTokens = [], serviceTokens = [], origin} = settings
    const {logger = NO_LOGGER, audit = NO_AUDIT, passwords = true, singleSignOn} = settings
    this.siteName = settings.siteName ?? ((id) => id)
    this.audit = audit
    this.passwords = passwords
    this.accounts = new Accounts(state, settings.scryptCost)
    this.sessions = new Sessions(state)
    this.passwordChecks = new PasswordChecks(this.accounts)
    const {accounts, sessions, siteName} = this
    this.singleSignOn =
      singleSignOn && new SingleSignOn(singleSignOn, {accounts, sessions, siteName, logger, audit})
    for (const token of serviceTokens) this.#programs.set(digest(token), serviceProgram)
    for (const token of apiTokens)
      this.#programs.set(digest(token), {...environmentProgram, credential: credentialOf(digest(token))})
    this.#origin = origin === undefined ? undefined : new URL(origin)
    this.isSecure = this.#origin?.protocol === 'https:'
    this.#hosts = new Set(this.#origin && [this.#origin.host])
  }

  /**
   * Returns the principal of a request, or undefined for an unauthenticated one.
   * @throws HttpError 401 for invalid credentials, 403 for a cookie sent from another site's page
   */
  principalOf(request: FastifyRequest): Promise<Principal | undefined> {
    let principal = this.#principals.get(request)
    if (principal === undefined) {
      principal = this.#authenticate(request)
      this.#principals.set(request, principal)
    }
    return principal
  }

  /**
   * Returns the principal of a request, and requires that it has a permission.
   * @throws HttpError 401 or 403
   */
  async require(request: FastifyRequest, permission: Permission): Promise<Principal> {
    const principal = await this.principalOf(request)
    if (principal === undefined) throw unauthorized(this.#howToSignIn(request))
    if (!mayUse(principal.rights, permission)) throw insufficient(permission)
    return principal
  }

  /**
   * Returns the principal of a request, or undefined if its credentials are missing or invalid, or it has no
   * rights.
   */
  async identify(request: FastifyRequest): Promise<Principal | undefined> {
    try {
      return await this.require(request, 'read')
    } catch {
      return undefined
    }
  }

  /**
   * Whether the client of an earlier request may still read everything. While credentials cannot be read,
   * nothing is known against it.
   */
  async stillReads(request: FastifyRequest): Promise<boolean> {
    try {
      const principal = await this.#authenticate(request)
      return principal !== undefined && mayUse(principal.rights, 'read')
    } catch (error) {
      return error instanceof StateError
    }
  }

  /** Returns a principal by id: an editor, or a program with a token. */
  known(id: string): Principal | undefined {
    const fixed = FIXED.find((one) => one.id === id)
    if (fixed !== undefined) return fixed
    const token = this.accounts.tokens.all().find((one) => one.id === id)
    return token === undefined ? this.accounts.editor(id) : programNamed(token.id, token.name, token.rights)
  }

  /** Returns the rights that a principal has now; none if it was removed, or its token is not accepted any more. */
  rightsNow(principal: Principal): Rights {
    const {id, credential} = principal
    const fixed = FIXED.find((one) => one.id === id)
    if (fixed?.id !== environmentProgram.id) return fixed?.rights ?? this.accounts.rightsOf(id)
    const isCurrent = [...this.#programs.keys()].some((hash) => credentialOf(hash) === credential)
    return isCurrent ? fixed.rights : []
  }

  /** @throws HttpError 403 unless the browser sends the request from one of our own pages */
  requireOurPage({headers, method}: FastifyRequest): void {
    if (!comesFromOurPage(headers, method, this.#hosts) || !this.#hasOurScheme(headers.origin))
      throw new HttpError(403, 'Requests with a session are accepted from the lake’s own pages only')
  }

  /**
   * Returns the origin at which browsers reach the lake: `LAKE_ORIGIN`, or else what the request says. An
   * untrusted proxy cannot change the scheme: see Fastify's `trustProxy`.
   */
  originOf({protocol, headers}: Pick<FastifyRequest, 'protocol' | 'headers'>): string {
    return (
      this.#origin?.origin ?? `${protocol === 'https' ? 'https' : 'http'}://${headers.host ?? 'localhost'}`
    )
  }

  /** Returns the session secret from a request's cookie. */
  sessionSecret(request: FastifyRequest): string | undefined {
    return sessionSecret(request.headers.cookie, this.originOf(request))
  }

  /** The session of a request's cookie. */
  sessionOf(request: FastifyRequest): SessionInfo | undefined {
    const secret = this.sessionSecret(request)
    return secret === undefined ? undefined : this.sessions.find(secret)
  }

  /** Why a request has no principal, and what to do. */
  #howToSignIn(request: FastifyRequest): string {
    const page = `${this.originOf(request)}/login`
    return this.sessionSecret(request) === undefined
      ? `Sign in at ${page}, or send a token as "Authorization: Bearer …": "npm run lake -- token add" makes one`
      : `The session has ended: sign in at ${page}`
  }

  /** A page that was loaded without TLS may have been modified in transit. */
  #hasOurScheme(origin: string | undefined): boolean {
    if (origin === undefined || this.#origin === undefined || !URL.canParse(origin)) return true
    const {host, protocol} = new URL(origin)
    return host !== this.#origin.host || protocol === this.#origin.protocol
  }

  async #authenticate(request: FastifyRequest): Promise<Principal | undefined> {
    const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
    if (token !== undefined) {
      const program = this.#programs.get(digest(token)) ?? this.accounts.tokens.byToken(token)
      const client = clientKey(request.ip)
      if (program === undefined) {
        this.audit.record({type: 'signIn.failed', method: 'token', client})
        throw unauthorized(
          'The token is not valid: it may have been revoked. Make another one in Studio, or with "npm run lake -- token add"',
        )
      }
      if (!this.#used.has(program.id)) {
        this.#used.set(program.id, true)
        const {id, name} = program
        this.audit.record({type: 'token.used', by: {id, name, email: ''}, client})
      }
      return program
    }
    const secret = this.sessionSecret(request)
    const session = secret === undefined ? undefined : this.sessions.find(secret)
    if (secret === undefined || session === undefined) return undefined
    this.requireOurPage(request)
    if (session.method === 'oidc' && !(await this.singleSignOn?.checks.admits(session))) return undefined
    return this.accounts.bySession(session)
  }
}

function unauthorized(message: string): HttpError {
  return new HttpError(401, message, {
    statusCode: 401,
    error: 'Unauthorized',
    errorCode: 'SIO-401-ANF',
    message,
  })
}

function insufficient(permission: Permission): HttpError {
  const description = `Insufficient permissions; permission "${permission}" required`
  return new HttpError(403, description, {
    error: {type: 'insufficientPermissionsError', description, permission},
  })
}

/**
 * Whether a browser sends a request with a cookie from one of the lake's own pages.
 *
 * `Host` must be one of the lake's names: with DNS rebinding, another site's page reaches this machine under
 * its own name. `Sec-Fetch-Site` must be `same-origin`, or `none` for an address that a person opens.
 * `same-site` is not enough: another port or subdomain sends the cookie too. Its page cannot read the
 * response, but it can tell success from failure (`<object>`, `<link rel=prefetch>`), which may depend on a
 * draft. https://www.w3.org/TR/fetch-metadata/
 * Without TLS, browsers omit the header, except on this machine. `Origin` must then be the same host;
 * requests that change something always carry one (Fetch §3.2).
 * @param hosts names with ports, as in `Host`, in addition to the names of this machine
 */
export function comesFromOurPage(
  headers: IncomingHttpHeaders,
  method: string,
  hosts: ReadonlySet<string>,
): boolean {
  const {host = '', origin, 'sec-fetch-site': site} = headers
  if (!isOurHost(host, hosts)) return false
  if (!['same-origin', 'none', undefined].includes(site)) return false
  if (origin === undefined) return method === 'GET' || method === 'HEAD'
  return URL.canParse(origin) && new URL(origin).host === host
}

function isOurHost(host: string, hosts: ReadonlySet<string>): boolean {
  return hosts.has(host) || /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host)
}

/**
 * Opens the token that the lake accepts from a service on the same machine. Creates the file with a new token
 * if it is missing.
 * @param path undefined for a token that is not stored in a file
 * @throws Error with one line if the file exists but cannot be used, for example because other users may read
 * it
 */
export async function openServiceToken(path: string | undefined, log: FastifyBaseLogger): Promise<string> {
  const found = path === undefined ? undefined : await readServiceToken(path)
  if (found !== undefined) return found
  const token = newSecret()
  if (path === undefined) return token
  await writeServiceToken(path, token).catch((err: unknown) =>
    log.warn(
      {err, path},
      'the token of the service cannot be written: set SANITY_API_TOKEN to the same token for the lake and the service',
    ),
  )
  return token
}
