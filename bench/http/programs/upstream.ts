import {createServer, type ServerResponse} from 'node:http'
import {documentFor} from '../documents.ts'
import {listen} from './parent.ts'

/** Milliseconds between comments on a stream of live events. */
const BEAT_EVERY = 10_000

/** What answers the service's queries in place of Content Lake: for whichever site it is asked, and in no time. */
listen(
  createServer((request, response) => {
    const {pathname, searchParams} = new URL(request.url ?? '', 'http://upstream')
    if (pathname.includes('/data/live/events/')) openStream(response)
    else if (pathname.includes('/data/query/')) answer(response, searchParams)
    else response.writeHead(404).end()
  }),
)

function answer(response: ServerResponse, query: URLSearchParams): void {
  const publicId: unknown = JSON.parse(query.get('$publicId') ?? '""')
  const document = documentFor(String(publicId))
  const site = document && query.get('tag')?.endsWith('revision') ? revisionsOf(document) : document
  const body = JSON.stringify({
    result: {site, announced: []},
    syncTags: [`s1:site-${publicId}`, `s1:tools-${publicId}`],
    ms: 0,
  })
  response.writeHead(200, {'content-type': 'application/json'}).end(body)
}

function revisionsOf({_id, _rev, publicId, tools}: NonNullable<ReturnType<typeof documentFor>>) {
  return {_id, _rev, publicId, tools: tools.map((tool) => ({_id: tool._id, _rev: tool._rev})), formTools: []}
}

/** Nothing is ever published: a welcome and a sign of life. */
function openStream(response: ServerResponse): void {
  response.writeHead(200, {'content-type': 'text/event-stream'})
  response.write('event: welcome\nid: 1\ndata: {"id":"1"}\n\n')
  const timer = setInterval(() => response.write(':\n\n'), BEAT_EVERY)
  response.on('close', () => clearInterval(timer))
}
