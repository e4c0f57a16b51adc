import {createHmac, createSign, generateKeyPairSync, type KeyObject} from 'node:crypto'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import {text} from 'node:stream/consumers'
import type {TestContext} from 'node:test'
import {listen} from '../../../../support/network/ports.ts'

/** How a provider may deviate from the specification. */
export type Lie = {
  /** Changes the claims of the ID token; undefined removes one. */
  readonly idToken?: Readonly<Record<string, unknown>>
  readonly userInfo?: Readonly<Record<string, unknown>>
  /** Responds to token requests with this error. */
  readonly tokenError?: string
  /** Responds to token requests of a client with a wrong secret, as RFC 6749 §5.2 says. */
  readonly refusesClient?: true
  /** Responds to token requests with this status and text. */
  readonly token?: readonly [status: number, body: string]
  readonly signature?: keyof typeof ALGORITHMS
  /** Adds to the address of the callback. */
  readonly callback?: Readonly<Record<string, string>>
  readonly withoutIdToken?: true
  readonly isDown?: true
  readonly userInfoStatus?: number
}

export type LyingProvider = {
  readonly issuer: string
  /** The current lie. */
  lie: Lie
  /** Claims of the person who signs in. */
  person: Record<string, unknown>
  /** Whether the token endpoint gives refresh tokens. */
  givesRefreshTokens: boolean
  readonly requests: string[]
  /** Signs with another key from now on. */
  rotateKey(): void
}

export const CLIENT = {clientId: 'lake', clientSecret: 'a secret of the client, long enough'} as const

const ALGORITHMS = {none: 'none', 'client secret': 'HS256', 'another key': 'RS256'}

/** A provider on loopback that can be told to lie. It signs in one person without asking. */
export async function startLyingProvider(t: TestContext): Promise<LyingProvider> {
  let [key, keyNumber, count] = [newKey(), 1, 0]
  const anotherKey = newKey()
  const refreshTokens = new Set<string>()
  /** The nonce of each code. */
  const nonces = new Map<string, string>()
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  const port = await listen(server, t)
  const issuer = `http://127.0.0.1:${port}`
  const provider: LyingProvider = {
    issuer,
    lie: {},
    person: {},
    givesRefreshTokens: true,
    requests: [],
    rotateKey: () => {
      key = newKey()
      keyNumber += 1
    },
  }

  const idToken = (nonce: string | undefined): string => {
    const {lie, person} = provider
    const now = Math.floor(Date.now() / 1000)
    const standard = {iss: issuer, aud: CLIENT.clientId, iat: now, exp: now + 300, nonce}
    const claims = {...standard, sub: person.sub, ...lie.idToken}
    const alg = ALGORITHMS[lie.signature ?? 'another key']
    const parts = [{alg, kid: `key-${keyNumber}`}, claims].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    )
    const signed = parts.join('.')
    if (alg === 'none') return `${signed}.`
    const signer = lie.signature === 'another key' ? anotherKey : key
    const signature =
      alg === 'HS256'
        ? createHmac('sha256', CLIENT.clientSecret).update(signed).digest()
        : createSign('RSA-SHA256').update(signed).sign(signer.privateKey)
    return `${signed}.${signature.toString('base64url')}`
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const {lie, person} = provider
    const url = new URL(request.url ?? '/', issuer)
    provider.requests.push(url.pathname)
    const json = (body: unknown, status = 200) =>
      response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(body))
    if (lie.isDown) {
      request.socket.destroy()
      return
    }
    if (url.pathname === '/.well-known/openid-configuration') {
      json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/jwks`,
        end_session_endpoint: `${issuer}/end`,
        response_types_supported: ['code'],
        scopes_supported: ['openid', 'offline_access'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      })
    } else if (url.pathname === '/jwks') {
      json({
        keys: [{...key.publicKey.export({format: 'jwk'}), kid: `key-${keyNumber}`, use: 'sig', alg: 'RS256'}],
      })
    } else if (url.pathname === '/authorize') {
      const code = `code-${++count}`
      nonces.set(code, url.searchParams.get('nonce') ?? '')
      const state = url.searchParams.get('state') ?? ''
      const callback = new URL(url.searchParams.get('redirect_uri') ?? '')
      callback.search = new URLSearchParams({code, state, ...lie.callback}).toString()
      response.writeHead(302, {location: callback.href}).end()
    } else if (url.pathname === '/token') {
      const form = new URLSearchParams(await text(request))
      const sent = form.get('refresh_token')
      if (lie.token !== undefined) {
        response.writeHead(lie.token[0], {'content-type': 'text/html'}).end(lie.token[1])
      } else if (lie.refusesClient) {
        response.setHeader('www-authenticate', 'Basic realm="clients"')
        json({error: 'invalid_client'}, 401)
      } else if (lie.tokenError !== undefined) json({error: lie.tokenError}, 400)
      // Each refresh token works once.
      else if (sent !== null && !refreshTokens.delete(sent)) json({error: 'invalid_grant'}, 400)
      else {
        const refreshToken = `refresh-${++count}`
        refreshTokens.add(refreshToken)
        json({
          access_token: 'an-access-token',
          token_type: 'bearer',
          expires_in: 300,
          ...(provider.givesRefreshTokens && {refresh_token: refreshToken}),
          ...(!lie.withoutIdToken && {id_token: idToken(nonces.get(form.get('code') ?? ''))}),
        })
      }
    } else if (url.pathname === '/userinfo') {
      // RFC 6750 §3
      if (lie.userInfoStatus === 401) response.setHeader('www-authenticate', 'Bearer error="invalid_token"')
      json({...person, ...lie.userInfo}, lie.userInfoStatus)
    } else json({}, 404)
  }
  return provider
}

function newKey(): {publicKey: KeyObject; privateKey: KeyObject} {
  return generateKeyPairSync('rsa', {modulusLength: 2048})
}
