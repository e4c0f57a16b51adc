import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {createServer, type IncomingMessage} from 'node:http'
import {text} from 'node:stream/consumers'
import {after, before, describe, test} from 'node:test'
import {parse} from 'yaml'
import {toolOfCopied} from '../../making/copied/copiedTool.ts'
import {askedOf, proposeName, toolOf} from '../../making/exchange.ts'
import {inputsOf, problemOfBody} from '../../making/inputs.ts'
import {multipartText, multipartValues} from '../../making/multipart.ts'
import {parseOpenApi} from '../../making/openApi.ts'
import {proposeResult} from '../../making/proposeResult.ts'
import type {Exchange} from '../../making/values.ts'
import {problemOfAction} from '../../schemas/actions/problem.ts'
import type {Fields} from '../../schemas/record.ts'
import {parseInputSchema} from '../../schemas/rules/inputSchema.ts'
import {accept, type Parsed} from '../../schemas/rules/parsed.ts'
import {execute, ORIGIN, scriptOf} from '../actions/support.ts'
import {listen} from '../support/network/ports.ts'

/** A request as pages send it; `raw` has the content type `type`. */
type Sent = {
  /** Such as `POST /api/books`. */
  readonly sent: string
  readonly json?: unknown
  readonly form?: string
  readonly parts?: readonly (readonly [name: string, value: string])[]
  readonly raw?: string
  readonly type?: string
}

/** A request of a framework or a platform, and the tool that comes of it. */
type Recorded = Sent & {
  readonly what: string
  readonly typed?: readonly string[]
  readonly status?: number
  readonly answer?: unknown
  /** The name, and the arguments that send what was recorded. */
  readonly tool: Readonly<Record<string, object>>
  /** What an agent gets; of a list, the first entry. */
  readonly gets: unknown
}

/** A copied command, or an operation of OpenAPI by method and path, with other members of the file next to it. */
type File = {readonly what: string; readonly command?: string; readonly api?: Fields}

/** A file, and the tool that comes of it; or why there is none. */
type Filed = File & {
  /** What arrives, such as `GET /api/books?q=rope`, by the arguments of the call. */
  readonly call: Readonly<Record<string, object>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** What is said before the tool is made. */
  readonly said?: string
  readonly answer: unknown
  readonly gets: unknown
}
type Refused = File & Sent & {readonly reason: string}

const rowsOf = (name: string) => parse(readFileSync(new URL(`${name}.yaml`, import.meta.url), 'utf8'))
const RECORDED: readonly Recorded[] = rowsOf('recordedShapes')
const FILED: readonly Filed[] = rowsOf('fileShapes')
const REFUSED: readonly Refused[] = rowsOf('refusedShapes')

type Arrived = Pick<IncomingMessage, 'headers'> & Record<'method' | 'url' | 'body', string>

describe('what frameworks and platforms send becomes a tool that a server understands', () => {
  const arrived: Arrived[] = []
  let answer: unknown
  let status = 200
  const server = createServer(async (request, response) => {
    const {method = '', url = '', headers} = request
    arrived.push({method, url, headers, body: await text(request)})
    const isText = typeof answer === 'string'
    response.writeHead(status, {'content-type': isText ? 'text/plain' : 'application/json'})
    response.end(isText ? answer : JSON.stringify(answer))
  })
  let origin: string
  before(async () => {
    origin = `http://127.0.0.1:${await listen(server)}`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  /** Calls the script of a tool as an agent does. */
  async function call(tool: Fields, args: object): Promise<{arrived: Arrived; returned: unknown}> {
    assert.equal(problemOfAction(tool), undefined)
    assert.ok(parseInputSchema(tool.inputSchema).ok)
    arrived.length = 0
    const script = scriptOf(tool)
    const returned = await execute(script, args, ({pathname, search}, init) =>
      fetch(origin + pathname + search, init),
    )
    const [first, ...others] = arrived
    assert.ok(first && others.length === 0)
    return {arrived: first, returned: plain(returned)}
  }

  for (const shape of RECORDED)
    test(shape.what, async () => {
      const exchange = exchangeOf(shape)
      const inputs = inputsOf(exchange, shape.typed)
      const result = proposeResult(exchange.answer, askedOf(exchange))
      const tool = toolOf(exchange, {origin: ORIGIN, inputs, result})
      const [[name, args = {}] = []] = Object.entries(shape.tool)
      assert.deepEqual(Object.keys(JSON.parse(tool.inputSchema).properties), Object.keys(args))
      ;({answer} = exchange)
      status = shape.status ?? 200
      const {arrived, returned} = await call(tool, args)
      // Called with what was recorded, it sends what was recorded, but what is left out.
      const left = inputs.filter(({use}) => use === 'leave')
      const recorded = new URL(exchange.address)
      for (const {place, name} of left) if (place === 'query') recorded.searchParams.delete(name)
      assert.equal(arrived.method, exchange.method)
      assert.deepEqual(sorted(arrived.url), sorted(recorded.href))
      if (left.every(({place}) => place !== 'body')) assert.equal(bodyOf(arrived), exchange.body ?? '')
      const isFirst = Array.isArray(returned) && !Array.isArray(shape.gets)
      assert.deepEqual(isFirst ? returned[0] : returned, shape.gets)
      assert.equal(proposeName(exchange, inputs), name)
    })

  for (const {what, body, headers = {}, said = '', gets, ...shape} of FILED)
    test(what, async () => {
      const made = madeOf(shape)
      assert.ok(made.ok, made.ok ? '' : made.problem)
      assert.equal(made.value.notes.join(', '), said)
      ;({answer} = shape)
      status = 200
      const [[sends, args = {}] = []] = Object.entries(shape.call)
      const {arrived, returned} = await call(made.value.fields, args)
      assert.equal(`${arrived.method} ${arrived.url}`, sends)
      assert.deepEqual(arrived.body === '' ? undefined : JSON.parse(arrived.body), body)
      for (const [name, value] of Object.entries(headers)) assert.equal(arrived.headers[name], value)
      assert.deepEqual(Array.isArray(returned) ? returned[0] : returned, gets)
    })

  for (const shape of REFUSED)
    test(`${shape.what}, which cannot be a tool`, () => {
      const made = shape.sent ? undefined : madeOf(shape)
      const problem = shape.sent ? problemOfBody(exchangeOf(shape)) : made?.ok === false && made.problem
      assert.equal(problem, shape.reason)
    })

  test('no shape is there twice', () => {
    const names = [RECORDED, FILED, REFUSED].flat().map(({what}) => what)
    assert.deepEqual(names, [...new Set(names)])
  })
})

function exchangeOf({sent, json, form, parts, raw, type, answer}: Sent & {answer?: unknown}): Exchange {
  const [method = '', address = ''] = sent.split(' ')
  const body = parts ? multipartText(parts) : (raw ?? form ?? (json && JSON.stringify(json)))
  const contentType = type ?? (json ? 'application/json' : form && 'application/x-www-form-urlencoded')
  const whole = {method, address: new URL(address, ORIGIN).href, answer}
  return typeof body === 'string' ? {...whole, body, contentType} : whole
}

/** The tool of a file or a command, and what is said of it. */
function madeOf({
  command = '',
  api = {},
}: Omit<File, 'what'>): Parsed<{fields: Fields; notes: readonly string[]}> {
  if (command !== '') {
    const made = toolOfCopied(command, [ORIGIN], undefined)
    return made.ok ? accept({fields: made.value.fields, notes: made.value.leftOut}) : made
  }
  const [[operation = '', one] = []] = Object.entries(api)
  const [method = '', path = ''] = operation.split(' ')
  const paths = {[path]: {[method.toLowerCase()]: one}}
  const parsed = parseOpenApi(JSON.stringify({openapi: '3.1.0', paths, ...api}), [ORIGIN])
  return parsed.ok ? parsed.value.toolOf(parsed.value.operations[0]?.id ?? '') : parsed
}

/** As a page would have sent it. */
function bodyOf({headers, body}: Arrived): string {
  return headers['content-type']?.startsWith('multipart/') ? multipartText(multipartValues(body) ?? []) : body
}

function sorted(address: string): string[] {
  const {pathname, searchParams} = new URL(address, ORIGIN)
  return [pathname, ...[...searchParams].map((pair) => pair.join('=')).sort()]
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}
