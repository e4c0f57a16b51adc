import {once} from 'node:events'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import {json} from 'node:stream/consumers'
import {isJsonObject} from '../common/json.ts'
import {documentFor} from './documents.ts'

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
export const upstreamAddress = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`

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
