import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import {isErrorCode} from '../../../service/errors.ts'
import {decoded} from '../../support/network/plainGet.ts'
import type {Probe} from '../programs/prober.ts'
import type {Exchange} from '../wire/exchange.ts'
import {methodOf, pathOf} from '../wire/request.ts'
import type {FuzzResponse} from '../wire/response.ts'
import type {ServerProcess} from './serverProcess.ts'
import {Violation} from './violation.ts'

/** Memory limit of a server, in bytes. */
const MAX_MEMORY = 2 ** 30
/**
 * Time limit of `/healthz` for another client, in milliseconds, on top of the delay of the machine itself.
 */
const MAX_WAIT = 500

/** What a server sends where it refuses a request: whether a body has the documented shape. */
type ErrorShape = (response: FuzzResponse, body: unknown) => boolean

/** Judges a response of the lake. @throws Violation */
export function judgeLake(exchange: Exchange): void {
  judge(exchange, isLakeError, (path) => path.includes('login'))
}

/** Judges a response of the service. @throws Violation */
export function judgeService(exchange: Exchange): void {
  judge(exchange, isServiceError, () => false)
}

function judge(
  {request, response}: Exchange,
  isError: ErrorShape,
  mayBePage: (path: string) => boolean,
): void {
  if (response === undefined) return
  const {status, headers, body, isComplete} = response
  const path = pathOf(request)
  if (status >= 500 && status !== 503)
    throw new Violation(`status ${status} ${routeOf(path)}`, `a response has status ${status}: ${body}`)
  const type = headers.get('content-type') ?? ''
  if (!isComplete || methodOf(request) === 'HEAD') return
  if (status >= 400) {
    if (type.startsWith('text/html') && mayBePage(path)) return
    if (status === 503 && /\/readyz|\/metrics/.test(path)) return
    const parsed = type.startsWith('application/json') ? parse(body) : undefined
    if (!isError(response, parsed))
      throw new Violation(
        `shape ${status} ${body.length === 0 ? 'empty' : routeOf(path)}`,
        `an error response does not have the documented shape: ${status} ${type} ${body}`,
      )
    if (/\n\s+at |node_modules|file:\/\//.test(messageOf(parsed)))
      throw new Violation(`internals ${routeOf(path)}`, `an error response shows internals: ${body}`)
  } else if (
    type.startsWith('application/json') &&
    status === 200 &&
    parse(decode(headers.get('content-encoding'), body)) === undefined
  ) {
    throw new Violation(`json ${routeOf(path)}`, `a response is not JSON: ${body.subarray(0, 500)}`)
  }
}

/** `{"statusCode", "error", "message"}`, or `{"error": {"type"?, "description"}}`, as Sanity's API has them. */
function isLakeError({status}: FuzzResponse, body: unknown): boolean {
  if (!isJsonObject(body)) return false
  const {statusCode, error, message} = body
  if (isJsonObject(error)) return typeof error.description === 'string'
  return statusCode === status && typeof error === 'string' && typeof message === 'string'
}

/** `{"error": {"code", "message"}}`, which any origin may read and no cache keeps (docs/errors.md). */
function isServiceError({headers}: FuzzResponse, body: unknown): boolean {
  if (headers.get('access-control-allow-origin') !== '*' || headers.get('cache-control') !== 'no-store')
    return false
  if (!isJsonObject(body) || !isJsonObject(body.error)) return false
  const {code, message} = body.error
  return typeof code === 'string' && isErrorCode(code) && typeof message === 'string'
}

function messageOf(body: unknown): string {
  if (!isJsonObject(body)) return ''
  const {error, message} = body
  return String(isJsonObject(error) ? (error.description ?? error.message) : message)
}

/** The decoded body; undefined if it does not have its declared content encoding. */
function decode(encoding: string | undefined, body: Buffer): string | undefined {
  try {
    return decoded(encoding, body)
  } catch {
    return undefined
  }
}

function parse(body: string | Buffer | undefined): unknown {
  try {
    return JSON.parse(String(body))
  } catch {
    return undefined
  }
}

/** The fixed words of a path, to tell routes apart. */
function routeOf(path: string): string {
  const words = path.split('/').filter((word) => /^[a-z_]{3,12}$/.test(word))
  return `/${words.slice(0, 3).join('/')}`
}

/** Judges lines that a server logged. @throws Violation */
export function judgeLog(lines: readonly JsonObject[], output: readonly string[]): void {
  for (const line of lines) {
    const {level, msg, err} = line
    const stack = isJsonObject(err) && typeof err.stack === 'string' ? err.stack : undefined
    if (Number(level) < 50 && stack === undefined && !/request failed/.test(String(msg))) continue
    throw new Violation(
      `log ${causeOf(err) ?? String(msg).slice(0, 60)}`,
      `the log says ${JSON.stringify(line).slice(0, 2_500)}`,
    )
  }
  const said = output.filter((line) => !/ExperimentalWarning|--trace-warnings/.test(line))
  if (said.length > 0)
    throw new Violation(`output ${said[0]?.slice(0, 60)}`, `the server wrote ${said.slice(0, 30).join('\n')}`)
}

/** What distinguishes errors with different causes: the code, or the message and where it was thrown. */
function causeOf(error: unknown): string | undefined {
  if (!isJsonObject(error)) return undefined
  const {code, type, message, stack} = error
  // Each wrong WebSocket frame has its own code.
  if (typeof code === 'string') return code.replace(/^(WS_ERR).*/, '$1')
  const place = /\n\s+at .*?([^/\\]+:\d+):\d+/.exec(String(stack))?.[1] ?? ''
  return `${type} ${String(message).slice(0, 50).replaceAll(/\d+/g, '#')} ${place}`
}

/** Checks whether a server still runs, and its memory use. @throws Violation */
export async function judgeProcess(server: ServerProcess): Promise<void> {
  const said = server.output.slice(0, 3).join(' ')
  if (server.end !== undefined)
    throw new Violation('died', `the server ended with ${server.end}: ${said}`, true)
  const memory = await server.peakMemory()
  if (memory > MAX_MEMORY)
    throw new Violation('memory', `the server took ${Math.round(memory / 2 ** 20)} MB of memory`, true)
}

/** Checks the response times of another client. @throws Violation */
export function judgeHealth(probes: readonly Probe[]): void {
  for (const {waited, starved, baseline, status} of probes) {
    const numbers = `${[waited, starved, baseline].map(Math.round).join(' ms, ')} ms`
    if (waited - starved - baseline > MAX_WAIT)
      throw new Violation(
        'wait',
        `/healthz of another client waited (starved, baseline): ${numbers}, status ${status}`,
        waited > 2_000,
      )
    if (status !== 200 && baseline < MAX_WAIT)
      throw new Violation(
        `healthz ${status}`,
        `/healthz of another client has status ${status} (0: no response) after ${numbers}`,
        true,
      )
  }
}
