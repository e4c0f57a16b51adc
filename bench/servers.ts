import {execFileSync, fork} from 'node:child_process'
import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import {mkdtempDisposable} from 'node:fs/promises'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {json} from 'node:stream/consumers'
import {isJsonObject} from '../common/json.ts'
import {startServiceProcess} from '../test/support/serviceProcess.ts'
import {documentFor} from './documents.ts'
import type {Run} from './report.ts'

/** A server in a separate process. */
export type Server = {readonly name: string; readonly pid: number; readonly address: string}

/** The measured server runs on one core, all other processes on another, if there are two. */
const [, serverCore, otherCore] =
  /^Cpus_allowed_list:\s*(\d+)[-,](\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []

function pin(pid: number, core = otherCore): void {
  if (otherCore !== undefined) execFileSync('taskset', ['-a', '-c', '-p', String(core), String(pid)])
}

pin(process.pid)

/** Starts a bare Fastify, which sends bodies of these sizes. */
export async function startBaseline(sizes: readonly string[], run: Pick<Run, 'cleanup'>): Promise<Server> {
  const child = fork(new URL('./fastify.ts', import.meta.url), sizes)
  run.cleanup.defer(() => void child.kill('SIGKILL'))
  const [address]: unknown[] = await once(child, 'message', {signal: AbortSignal.timeout(30_000)})
  const pid = child.pid ?? 0
  pin(pid, serverCore)
  return {name: 'bare Fastify', pid, address: String(address)}
}

/** Starts the service as an operator would, before a simulated Content Lake. No request is rejected. */
export async function startService(
  run: Pick<Run, 'cleanup'>,
  name = 'service',
  settings: NodeJS.ProcessEnv = {},
): Promise<Server> {
  const needed = {
    SANITY_API_HOST: upstreamAddress,
    SNAPSHOT_DIR: await temporaryFolder(run),
    RATE_LIMIT_MAX: '1000000000',
  }
  const starting = startServiceProcess({...needed, ...settings})
  // If the benchmark ends during startup, the service must end too.
  run.cleanup.defer(async () => (await starting.catch(() => undefined))?.end('SIGKILL'))
  const {pid, address} = await starting
  pin(pid, serverCore)
  return {name, pid, address}
}

/** Creates a folder that is removed when the benchmark ends. */
export async function temporaryFolder({cleanup}: Pick<Run, 'cleanup'>): Promise<string> {
  return cleanup.use(await mkdtempDisposable(join(tmpdir(), 'handrail-bench-'))).path
}

/** Interval between comments on a stream of live events, in milliseconds. */
const BEAT_EVERY = 10_000

/** A simulated Content Lake, in this process, that responds to the service's queries for any site without delay. */
const upstream = createServer((request, response) => {
  const {pathname, searchParams} = new URL(request.url ?? '', 'http://upstream')
  if (pathname.includes('/data/live/events/')) openStream(response)
  else void answer(request, response, searchParams)
}).unref()
await once(upstream.listen(0, '127.0.0.1'), 'listening')
const address = upstream.address()
const upstreamAddress = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`

async function answer(request: IncomingMessage, response: ServerResponse, query: URLSearchParams) {
  const posted: unknown = request.method === 'POST' ? await json(request) : {}
  const params = isJsonObject(posted) && isJsonObject(posted.params) ? posted.params : {}
  const param = (name: string): unknown => params[name] ?? JSON.parse(query.get(`$${name}`) ?? 'null')
  const [publicIds, publicId] = [param('publicIds'), param('publicId')]
  let result: object = {now: new Date().toISOString(), count: 0, changed: []}
  if (Array.isArray(publicIds)) result = {sites: publicIds.flatMap((id) => documentFor(String(id)) ?? [])}
  else if (typeof publicId === 'string') result = {site: documentFor(publicId)}
  response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify({result, ms: 0}))
}

function openStream(response: ServerResponse): void {
  response.writeHead(200, {'content-type': 'text/event-stream'})
  response.write('event: welcome\nid: 1\ndata: {"id":"1"}\n\n')
  const timer = setInterval(() => response.write(':\n\n'), BEAT_EVERY)
  response.on('close', () => clearInterval(timer))
}
