/** Who sends a request. The last two sign its body as the sender of a webhook does; `previewer` is a page with drafts. */
const ROLES = ['stranger', 'viewer', 'editor', 'session', 'previewer', 'sanity', 'gitHost'] as const
export type Role = (typeof ROLES)[number]

/**
 * A request as bytes: each character of `line`, `headers` and `body` is one byte, so that malformed requests, WebSocket
 * frames and compressed bodies have the same form. The credentials of the role are added when it is sent.
 */
export type FuzzRequest = {
  readonly role: Role
  /** Which client address sends it. */
  readonly client: number
  /** Such as `GET /healthz HTTP/1.1`. */
  readonly line: string
  /** `{host}` stands for the server's host and port. */
  readonly headers: readonly string[]
  readonly body: string
  /** Whether the client closes the connection at once after sending, without reading the response. */
  readonly leavesEarly: boolean
}

/** Adds what proves a role to a request. */
export type Credentials = (role: Role, body: Buffer) => Promise<readonly string[]>

/** The bytes of a text in UTF-8, one character each. */
export function utf8(text: string): string {
  return Buffer.from(text).toString('latin1')
}

/** What is sent over the connection. */
export async function bytesOf(
  {role, line, headers, body}: FuzzRequest,
  host: string,
  credentials: Credentials,
): Promise<Buffer> {
  const content = Buffer.from(body, 'latin1')
  const lines = [line, ...headers, ...(await credentials(role, content))]
  const head = lines.map((text) => text.replaceAll('{host}', host)).join('\r\n')
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), content])
}

/** The method of a request line that has one, in upper case. */
export function methodOf({line}: FuzzRequest): string {
  return (/^[A-Za-z]+/.exec(line)?.[0] ?? '').toUpperCase()
}

/** The path of a request line, without its query. */
export function pathOf({line}: FuzzRequest): string {
  return line.split(' ')[1]?.split('?')[0] ?? ''
}

/** Characters of a part that a failure message shows. */
const SHOWN = 1_500

/** A request as a failure message shows it. */
export function shown({role, client, line, headers, body, leavesEarly}: FuzzRequest): string {
  const parts = [
    `as ${role}, client ${client}${leavesEarly ? ', closing early' : ''}:`,
    shorten(line),
    ...headers.map(shorten),
    '',
    shorten(body),
  ]
  return parts.map((part) => `    ${part}`).join('\n')
}

function shorten(text: string): string {
  const start = JSON.stringify(text.slice(0, SHOWN)).slice(1, -1)
  return text.length <= SHOWN ? start : `${start}… (${text.length} bytes, ends with ${text.slice(-60)})`
}
