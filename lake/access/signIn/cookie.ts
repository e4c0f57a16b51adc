import {parseCookie, stringifySetCookie} from 'cookie'
import {SESSION_LIFETIME} from './sessions.ts'

const SESSION = 'handrail_session'
const PENDING = 'handrail_sign_in'

/** Seconds for which a browser keeps the cookie of a session. */
const MAX_AGE = SESSION_LIFETIME / 1_000

/** Seconds that a person has to sign in at an identity provider. */
export const PENDING_MAX_AGE = 10 * 60

/**
 * RFC 6265bis §4.1.3.2: browsers accept a cookie with this prefix only over TLS, and only from the host that
 * set it.
 */
const HOST_PREFIX = '__Host-'

/**
 * Makes the `Set-Cookie` header that starts a session. With an empty secret, it ends one.
 */
export function sessionCookie(origin: string, secret: string): string {
  const maxAge = secret === '' ? 0 : MAX_AGE
  // The browser does not send the cookie with requests that another site initiated.
  return cookie(SESSION, origin, {value: secret, maxAge, sameSite: 'strict'})
}

/**
 * Returns the session secret from a `Cookie` header.
 * @param origin the public origin of the lake
 */
export function sessionSecret(header: string | undefined, origin: string): string | undefined {
  return read(SESSION, header, origin)
}

/**
 * Makes the `Set-Cookie` header of a sign-in that began at an identity provider. An empty value removes it.
 */
export function pendingCookie(origin: string, value: string): string {
  // The provider's page, on another site, sends the browser back.
  return cookie(PENDING, origin, {value, maxAge: value === '' ? 0 : PENDING_MAX_AGE, sameSite: 'lax'})
}

/** Returns the value of {@link pendingCookie} from a `Cookie` header. */
export function pendingSignIn(header: string | undefined, origin: string): string | undefined {
  return read(PENDING, header, origin)
}

function cookie(
  name: string,
  origin: string,
  attributes: {readonly value: string; readonly maxAge: number; readonly sameSite: 'strict' | 'lax'},
): string {
  const secure = isSecure(origin)
  return stringifySetCookie({
    name: (secure ? HOST_PREFIX : '') + nameFor(name, origin),
    path: '/',
    httpOnly: true,
    secure,
    ...attributes,
  })
}

function read(name: string, header: string | undefined, origin: string): string | undefined {
  if (header === undefined) return undefined
  const cookies = parseCookie(header)
  const full = nameFor(name, origin)
  // Checked without TLS too: for Studio's streams, the lake sends requests to itself over plain HTTP, with
  // the browser's cookies.
  return cookies[HOST_PREFIX + full] ?? (isSecure(origin) ? undefined : cookies[full])
}

/**
 * Browsers share cookies between the ports of a host, so each lake on a machine needs its own cookie names.
 */
function nameFor(name: string, origin: string): string {
  const port = URL.canParse(origin) ? new URL(origin).port : ''
  return port === '' ? name : `${name}_${port}`
}

function isSecure(origin: string): boolean {
  return origin.startsWith('https:')
}
