import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import {json} from 'node:stream/consumers'
import {isJsonObject} from '../../../common/json.ts'
import {documentFor} from '../content/documents.ts'
import {draftAfter, isTypedIn, previewSecrets, siteIdOf, storedDocumentsOf} from '../content/drafts.ts'
import {listen, tellParent} from './parent.ts'

/** Interval between comments on a stream of live events, in milliseconds. */
const BEAT_EVERY = 10_000

/** Interval between the keystrokes of an editor, in milliseconds. */
const TYPES_EVERY = 1_000

/** A simulated Content Lake that responds to the service's queries for any site, without delay. */
listen(
  createServer((request, response) => {
    const {pathname, searchParams} = new URL(request.url ?? '', 'http://upstream')
    if (pathname.includes('/data/live/events/')) openStream(response)
    else if (pathname.includes('/data/listen/')) openListener(response, stringIn(searchParams, 'siteId'))
    else if (searchParams.get('perspective') === 'raw') answerPreview(response, searchParams)
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

/** How often each site was published. */
const published = new Map<string, number>()

const liveStreams = new Set<ServerResponse>()

/** Publishes a change of a site's first tool. Its description then ends with the number of the publish. */
process.on('message', ({question: publicId}: {question: string}) => {
  published.set(publicId, (published.get(publicId) ?? 0) + 1)
  const data = JSON.stringify({id: String(Date.now()), tags: [`s1:tools-${publicId}`]})
  for (const stream of liveStreams) stream.write(`event: message\nid: ${Date.now()}\ndata: ${data}\n\n`)
  tellParent(published.get(publicId))
})

function siteFor(publicId: string) {
  const site = publishedSite(publicId)
  return {result: {site, announced: []}, syncTags: [`s1:site-${publicId}`, `s1:tools-${publicId}`]}
}

function publishedSite(publicId: string) {
  const site = documentFor(publicId)
  const count = published.get(publicId)
  const [first, ...others] = site?.tools ?? []
  if (!site || !first || count === undefined) return site
  const changed = {
    ...first,
    _rev: `revision-${count}`,
    description: `${first.description} Published: ${count}.`,
  }
  return {...site, tools: [changed, ...others]}
}

function revisionsFor(publicIds: readonly string[]) {
  return {result: {sites: publicIds.flatMap((publicId) => publishedSite(publicId) ?? []).map(revisionsOf)}}
}

function revisionsOf({_id, _rev, publicId, tools}: NonNullable<ReturnType<typeof documentFor>>) {
  return {_id, _rev, publicId, tools: tools.map((tool) => ({_id: tool._id, _rev: tool._rev})), formTools: []}
}

/** Responds to a query for the secrets of previews, for the ID of a site or for its documents. */
function answerPreview(response: ServerResponse, query: URLSearchParams): void {
  const siteId = stringIn(query, 'siteId')
  const result = query.has('$source')
    ? previewSecrets()
    : siteId === ''
      ? siteIdOf(stringIn(query, 'publicId'))
      : storedDocumentsOf(siteId)
  response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify({result, ms: 0}))
}

function stringIn(query: URLSearchParams, name: string): string {
  return String(JSON.parse(query.get(`$${name}`) ?? '""'))
}

/** In some sites, an editor types into the first tool. */
function openListener(response: ServerResponse, siteId: string): void {
  response.writeHead(200, {'content-type': 'text/event-stream'})
  response.write('event: welcome\nid: 1\ndata: {"listenerName":"1"}\n\n')
  if (!isTypedIn(siteId)) return
  let keystrokes = 0
  const timer = setInterval(() => {
    const result = draftAfter(siteId, ++keystrokes)
    const event = {documentId: result._id, transition: 'update', result}
    response.write(`event: mutation\nid: ${keystrokes}\ndata: ${JSON.stringify(event)}\n\n`)
  }, TYPES_EVERY)
  response.on('close', () => clearInterval(timer))
}

/** A stream of live events. */
function openStream(response: ServerResponse): void {
  response.writeHead(200, {'content-type': 'text/event-stream'})
  response.write('event: welcome\nid: 1\ndata: {"id":"1"}\n\n')
  liveStreams.add(response)
  const timer = setInterval(() => response.write(':\n\n'), BEAT_EVERY)
  response.on('close', () => {
    liveStreams.delete(response)
    clearInterval(timer)
  })
}
