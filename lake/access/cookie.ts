import {parseCookie, stringifySetCookie} from 'cookie'

const NAME = 'handrail_session'

/** RFC 6265bis §4.1.3.2: a browser accepts such a cookie over TLS alone, and from no other host. */
const HOST_PREFIX = '__Host-'

/** The `Set-Cookie` header that begins a session, or ends it with an empty secret and a `maxAge` of 0 seconds. */
export function sessionCookie(origin: string, secret: string, maxAge: number): string {
  const secure = isSecure(origin)
  return stringifySetCookie({
    name: (secure ? HOST_PREFIX : '') + nameFor(origin),
    value: secret,
    path: '/',
    httpOnly: true,
    // The browser sends the cookie with no request that another site began.
    sameSite: 'strict',
    secure,
    maxAge,
  })
}

/**
 * The secret of the session in a `Cookie` header.
 * @param origin where browsers reach the lake
 */
export function sessionSecret(header: string | undefined, origin: string): string | undefined {
  if (header === undefined) return undefined
  const cookies = parseCookie(header)
  const name = nameFor(origin)
  // Without TLS as well: the lake asks itself for Studio's streams over plain HTTP, with the browser's cookies.
  return cookies[HOST_PREFIX + name] ?? (isSecure(origin) ? undefined : cookies[name])
}

/** A browser shares cookies between the ports of a host: lakes on one machine need names of their own. */
function nameFor(origin: string): string {
  const port = URL.canParse(origin) ? new URL(origin).port : ''
  return port === '' ? NAME : `${NAME}_${port}`
}

function isSecure(origin: string): boolean {
  return origin.startsWith('https:')
}
