import {parseCookie, stringifySetCookie} from 'cookie'

const NAME = 'handrail_session'

/**
 * RFC 6265bis §4.1.3.2: browsers accept a cookie with this prefix only over TLS, and only from the host that
 * set it.
 */
const HOST_PREFIX = '__Host-'

/**
 * Makes the `Set-Cookie` header that starts a session. With an empty secret and a `maxAge` of 0, it ends one.
 */
export function sessionCookie(origin: string, secret: string, maxAge: number): string {
  const secure = isSecure(origin)
  return stringifySetCookie({
    name: (secure ? HOST_PREFIX : '') + nameFor(origin),
    value: secret,
    path: '/',
    httpOnly: true,
    // The browser does not send the cookie with requests that another site initiated.
    sameSite: 'strict',
    secure,
    maxAge,
  })
}

/**
 * Returns the session secret from a `Cookie` header.
 * @param origin the public origin of the lake
 */
export function sessionSecret(header: string | undefined, origin: string): string | undefined {
  if (header === undefined) return undefined
  const cookies = parseCookie(header)
  const name = nameFor(origin)
  // Checked without TLS too: for Studio's streams, the lake sends requests to itself over plain HTTP, with
  // the browser's cookies.
  return cookies[HOST_PREFIX + name] ?? (isSecure(origin) ? undefined : cookies[name])
}

/**
 * Browsers share cookies between the ports of a host, so each lake on a machine needs its own cookie name.
 */
function nameFor(origin: string): string {
  const port = URL.canParse(origin) ? new URL(origin).port : ''
  return port === '' ? NAME : `${NAME}_${port}`
}

function isSecure(origin: string): boolean {
  return origin.startsWith('https:')
}
