import * as oidc from 'openid-client'
import {errorMessage} from '../../../common/errorMessage.ts'
import {isJsonObject} from '../../../common/json.ts'
import {isLoopback} from '../../../common/settings.ts'
import type {SingleSignOnSettings} from '../../settings.ts'
import type {AccessLogger, Claims} from './mapping.ts'
import type {PendingSignIn} from './pendingSignIns.ts'

/** Seconds that one request to the provider may take. */
const TIMEOUT = 5

/** Seconds by which the clocks of the lake and of the provider may differ. */
const CLOCK_TOLERANCE = 60

/** The provider's error codes (RFC 6749 §5.2) that say that a person, not the lake, is refused. */
const REFUSALS = [
  'invalid_grant',
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
]

/** What an operator does about `invalid_client`. */
const CLIENT_HINT = '. LAKE_OIDC_CLIENT_ID or LAKE_OIDC_CLIENT_SECRET is wrong or has expired'

/** What the address of a callback may contain (RFC 6749 §4.1.2, RFC 9207 §2). */
const CALLBACK_PARAMETERS = ['code', 'state', 'iss', 'error']

/** Characters of an error in the address of a callback that the log shows. */
const MAX_ERROR_LENGTH = 100

type ProviderSettings = Pick<SingleSignOnSettings, 'issuer' | 'clientId' | 'clientSecret'>

/** The tokens of one sign-in. */
export type Tokens = {
  readonly accessToken: string
  readonly refreshToken: string | undefined
  /** The claims of the latest ID token: a renewal may come without one. */
  readonly idClaims: Claims
}

/** A person whom the provider vouches for. */
export type Identified = {
  readonly subject: string
  readonly claims: Claims
  readonly tokens: Tokens
  /** Seconds for which the access token is valid, if the provider said so. */
  readonly expiresIn: number | undefined
  /** Whether the provider can be asked later whether the sign-in is still valid. */
  readonly canBeChecked: boolean
}

/** The provider refuses: the person may not sign in, or their account was switched off. */
export class ProviderRefusal extends Error {}

const SCOPES = 'openid profile email'

/** https://openid.net/specs/openid-connect-core-1_0.html#OfflineAccess */
const OFFLINE = 'offline_access'

/** The provider cannot be reached, or its response is not valid. */
class ProviderError extends Error {}

/** An OpenID Connect provider, as a client sees it. */
export class Provider {
  readonly #settings: ProviderSettings
  readonly #logger: AccessLogger
  #metadata: Promise<oidc.Configuration> | undefined
  #problem: string | undefined
  /** Whether the provider gives refresh tokens only to those who ask for them. Some refuse the scope, or then forget sign-outs. */
  #needsOffline = false

  constructor(settings: ProviderSettings, logger: AccessLogger) {
    this.#settings = settings
    this.#logger = logger
  }

  /** Why signing in does not work at the moment, without tokens; undefined: nothing is known to be wrong. */
  get problem(): string | undefined {
    return this.#problem
  }

  /**
   * Begins a sign-in. Returns the address at the provider, and what {@link finish} needs.
   * @throws ProviderError
   */
  begin(redirectUri: string): Promise<Omit<PendingSignIn, 'to'> & {readonly address: string}> {
    return this.#ask(async (config) => {
      const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()]
      const address = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: this.#needsOffline ? `${SCOPES} ${OFFLINE}` : SCOPES,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return {address: address.href, state, nonce, verifier}
    })
  }

  /**
   * Completes a sign-in.
   * @param address the public address to which the provider sent the browser
   * @throws ProviderRefusal or ProviderError
   */
  finish(address: URL, {state, nonce, verifier}: PendingSignIn): Promise<Identified> {
    return this.#ask(async (config) => {
      const problem = problemOfCallback(address, config.serverMetadata())
      if (problem !== undefined) throw new ProviderRefusal(problem)
      const response = await oidc.authorizationCodeGrant(config, withoutOthers(address), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
      })
      const idClaims = response.claims()
      if (idClaims === undefined) throw new ProviderError('the response has no ID token')
      const tokens = tokensOf(response, {idClaims})
      this.#needsOffline ||=
        tokens.refreshToken === undefined &&
        config.serverMetadata().scopes_supported?.includes(OFFLINE) === true
      return this.#identify(config, idClaims.sub, tokens, response.expires_in)
    })
  }

  /**
   * Asks the provider whether a sign-in is still valid, with its refresh token, or else with its access token.
   * @param keep called with new tokens as soon as there are any: the old refresh token may not work again
   * @throws ProviderRefusal or ProviderError
   */
  renew(subject: string, tokens: Tokens, keep: (tokens: Tokens) => void): Promise<Identified> {
    return this.#ask(async (config) => {
      if (tokens.refreshToken === undefined) return this.#identify(config, subject, tokens)
      const response = await oidc.refreshTokenGrant(config, tokens.refreshToken)
      const renewed = tokensOf(response, {...tokens, idClaims: response.claims() ?? tokens.idClaims})
      if (renewed.idClaims.sub !== subject)
        throw new ProviderRefusal('the tokens belong to another account now')
      keep(renewed)
      return this.#identify(config, subject, renewed)
    })
  }

  /** Where to sign out of the provider; undefined if it offers that nowhere, or cannot be reached. */
  async signOutAddress(returnTo: string): Promise<string | undefined> {
    try {
      return await this.#ask(async (config) =>
        config.serverMetadata().end_session_endpoint === undefined
          ? undefined
          : oidc.buildEndSessionUrl(config, {post_logout_redirect_uri: returnTo}).href,
      )
    } catch {
      return undefined
    }
  }

  /** Adds what the userinfo endpoint says. The library refuses what it says about another account. */
  async #identify(
    config: oidc.Configuration,
    subject: string,
    tokens: Tokens,
    expiresIn?: number,
  ): Promise<Identified> {
    const hasUserInfo = config.serverMetadata().userinfo_endpoint !== undefined
    const userInfo = hasUserInfo
      ? await oidc.fetchUserInfo(config, tokens.accessToken, subject).catch(refuseRevoked)
      : {}
    const canBeChecked = tokens.refreshToken !== undefined || hasUserInfo
    this.#recovered()
    return {subject, claims: {...tokens.idClaims, ...userInfo}, tokens, expiresIn, canBeChecked}
  }

  async #ask<T>(work: (config: oidc.Configuration) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#configuration())
    } catch (error) {
      if (error instanceof ProviderRefusal) throw error
      if (error instanceof oidc.ResponseBodyError && REFUSALS.includes(error.error))
        throw new ProviderRefusal(describe(error))
      const problem = describe(error)
      if (problem !== this.#problem) this.#logger.error(`${this.#settings.issuer} is not usable: ${problem}`)
      this.#problem = problem
      throw new ProviderError(problem)
    }
  }

  #recovered(): void {
    if (this.#problem !== undefined) this.#logger.info(`${this.#settings.issuer} is usable again`)
    this.#problem = undefined
  }

  /** The provider's metadata, which is read once. The library follows its keys. */
  #configuration(): Promise<oidc.Configuration> {
    this.#metadata ??= this.#discover().then(
      (metadata) => {
        this.#recovered()
        return metadata
      },
      (error: unknown) => {
        this.#metadata = undefined
        throw error
      },
    )
    return this.#metadata
  }

  #discover(): Promise<oidc.Configuration> {
    const {issuer, clientId, clientSecret} = this.#settings
    const address = new URL(issuer)
    return oidc.discovery(
      address,
      clientId,
      {[oidc.clockTolerance]: CLOCK_TOLERANCE},
      clientSecret === undefined ? oidc.None() : withSecret(clientSecret),
      {
        timeout: TIMEOUT,
        // Also verifies signatures of ID tokens that came over TLS, with the provider's current keys.
        execute: [
          oidc.enableNonRepudiationChecks,
          ...(isLoopback(address) ? [oidc.allowInsecureRequests] : []),
        ],
      },
    )
  }
}

/** The tokens of a response, or those before for what it lacks. */
function tokensOf(
  response: {readonly access_token: string; readonly refresh_token?: string},
  before: {readonly refreshToken?: string | undefined; readonly idClaims: Claims},
): Tokens {
  return {
    accessToken: response.access_token,
    refreshToken: response.refresh_token ?? before.refreshToken,
    idClaims: before.idClaims,
  }
}

/** RFC 6749 §2.3.1: every provider supports Basic, unless its metadata says otherwise. */
function withSecret(secret: string): oidc.ClientAuth {
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const isBasic = methods.includes('client_secret_basic')
    const authenticate = isBasic ? oidc.ClientSecretBasic(secret) : oidc.ClientSecretPost(secret)
    authenticate(server, ...rest)
  }
}

/**
 * What is wrong with the address of a callback; undefined: nothing. Anyone who began a sign-in can open any address, so
 * this says nothing about the provider.
 */
function problemOfCallback(
  {searchParams}: URL,
  {issuer, authorization_response_iss_parameter_supported: namesIssuer}: oidc.ServerMetadata,
): string | undefined {
  // RFC 6749 §3.1: "Request and response parameters MUST NOT be included more than once."
  const repeated = CALLBACK_PARAMETERS.find((name) => searchParams.getAll(name).length > 1)
  if (repeated !== undefined) return `the address of the callback has "${repeated}" more than once`
  // RFC 9207 §2.4
  const named = searchParams.get('iss')
  if (named === null ? namesIssuer : named !== issuer)
    return 'the address of the callback does not name this provider'
  const error = searchParams.get('error')
  if (error !== null)
    return `the address of the callback has the error ${JSON.stringify(error.slice(0, MAX_ERROR_LENGTH))}`
  // RFC 6749 §A.11: code = 1*VSCHAR
  if (!/^[\x20-\x7e]+$/.test(searchParams.get('code') ?? ''))
    return 'the address of the callback has no valid code'
  return undefined
}

/** RFC 6749 §4.1.2: "The client MUST ignore unrecognized response parameters." */
function withoutOthers(address: URL): URL {
  const known = new URL(address)
  for (const name of address.searchParams.keys())
    if (!CALLBACK_PARAMETERS.includes(name)) known.searchParams.delete(name)
  return known
}

/** RFC 6750 §3.1: at the userinfo endpoint, 401 says that the access token is not valid, such as of an account that was switched off. */
function refuseRevoked(error: unknown): never {
  const response = error instanceof oidc.WWWAuthenticateChallengeError ? error.response : causeOf(error)
  if (response instanceof Response && response.status === 401)
    throw new ProviderRefusal('it does not accept the access token any more')
  throw error
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined
}

/** The message of an error and its causes, as one line without tokens. */
function describe(error: unknown): string {
  if (error instanceof oidc.ResponseBodyError)
    return `it responded with the error ${JSON.stringify(error.error)}${error.error === 'invalid_client' ? CLIENT_HINT : ''}`
  // RFC 6749 §5.2: with a challenge, the token endpoint refuses the client.
  if (error instanceof oidc.WWWAuthenticateChallengeError && error.status === 401)
    return `it responded with a challenge: "invalid_client"${CLIENT_HINT}`
  const inner = causeOf(error)
  const code = isJsonObject(inner) && typeof inner.code === 'string' ? ` (${inner.code})` : ''
  return `${errorMessage(error)}${inner instanceof Error ? `: ${inner.message}` : ''}${code}`
}
