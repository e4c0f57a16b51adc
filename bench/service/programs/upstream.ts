import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import {json} from 'node:stream/consumers'
import {isJsonObject} from '../../../common/json.ts'
import {documentFor} from '../content/documents.ts'
import {listen} from './parent.ts'

/** Interval between comments on a stream of live events, in milliseconds. */
const BEAT_EVERY = 10_000

/** A simulated Content Lake that responds to the service's queries for any site, without delay. */
listen(
  createServer((request, response) => {
    const {pathname, searchParams} = new URL(request.url ?? '', 'http://upstream')
    if (pathname.includes('/data/live/events/')) openStream(response)
    else if (pathname.includes('/data/query/')) void answer(request, response, searchParams)
    else response.writeHead(404).end()
  }),
)

async function answer(request: IncomingMessage, response: ServerResponse, query: URLSearchParams) {
  const posted: unknown = request.method === 'POST' ? await json(request) : {}
  const params = isJsonObject(posted) && isJsonObject(posted.params) ? posted.params : {}
  const param = (name: string): unknown => params[name] ?? JSON.parse(query.get(`$${name}`) ?? 'null')
  const publicIds = param('publicIds')
  let body: object = {result: {now: new Date().toISOString(), count: 0, changed: []}}
  if (Array.isArray(publicIds)) body = revisionsFor(publicIds.map(String))
  else if (typeof param('publicId') === 'string') body = siteFor(String(param('publicId')))
  response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify({...body, ms: 0}))
}

function siteFor(publicId: string) {
  const site = documentFor(publicId)
  return {result: {site}, syncTags: [`s1:site-${publicId}`, `s1:tools-${publicId}`]}
}

function revisionsFor(publicIds: readonly string[]) {
  return {result: {sites: publicIds.flatMap((publicId) => documentFor(publicId) ?? []).map(revisionsOf)}}
}

function revisionsOf({_id, _rev, publicId, tools}: NonNullable<ReturnType<typeof documentFor>>) {
  return {_id, _rev, publicId, tools: tools.map((tool) => ({_id: tool._id, _rev: tool._rev})), formTools: []}
}

/** A stream of live events. */
function openStream(response: ServerResponse): void {
  response.writeHead(200, {'content-type': 'text/event-stream'})
  response.write('event: welcome\nid: 1\ndata: {"id":"1"}\n\n')
  const timer = setInterval(() => response.write(':\n\n'), BEAT_EVERY)
  response.on('close', () => clearInterval(timer))
}
