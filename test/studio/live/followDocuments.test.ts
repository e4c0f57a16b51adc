import {deepEqual} from 'node:assert/strict'
import {createServer, type Server} from 'node:http'
import {type TestContext, test} from 'node:test'
import {createClient} from '@sanity/client'
import {followDocuments, type LiveDocuments} from '../../../studio/live/liveDocuments.ts'
import {eventually} from '../../support/eventually.ts'
import {listen} from '../../support/network/ports.ts'

const SELECTION = {query: '*[_type == "site"]', filter: '*[_type == "site"]', params: {}}
const SITE = {_id: 'shop', _type: 'site', _rev: '1', _updatedAt: '2026-11-20T10:00:00Z'}

test('a stream and a query that are refused are tried again, and the person reads so meanwhile', async (t) => {
  const refused = new Set<string>()
  const server = createServer((request, response) => {
    const [, what = ''] = /\/data\/(listen|query)\//.exec(request.url ?? '') ?? []
    if (what === 'query' || !refused.has(what)) response.setHeader('content-type', 'application/json')
    if (!refused.has(what)) {
      refused.add(what)
      response.writeHead(401)
      response.end('{"statusCode":401,"error":"Unauthorized","message":"sign in again"}')
    } else if (what === 'query') response.end(JSON.stringify({result: [SITE]}))
    else {
      response.writeHead(200, {'content-type': 'text/event-stream'})
      response.write('event: welcome\ndata: {"listenerName":"a"}\n\n')
    }
  })
  const client = await clientOf(server, t)
  const told: LiveDocuments[] = []
  t.after(followDocuments(client, SELECTION, (live) => told.push(live), 10))
  await eventually(() => told.length, 3)
  deepEqual(told, [
    {state: 'failed', problem: 'Studio cannot follow changes at the moment. It tries again.'},
    {state: 'failed', problem: 'Unauthorized - sign in again.'},
    {state: 'ready', documents: [SITE]},
  ])
})

test('a query that counts other documents is sent again after a change', async (t) => {
  let queries = 0
  let write: (event: string) => void = () => {}
  const server = createServer((request, response) => {
    if (request.url?.includes('/data/query/')) {
      queries += 1
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({result: [{...SITE, tools: queries}]}))
      return
    }
    response.writeHead(200, {'content-type': 'text/event-stream'})
    write = (event) => void response.write(event)
    write('event: welcome\ndata: {"listenerName":"a"}\n\n')
  })
  const client = await clientOf(server, t)
  const told: LiveDocuments[] = []
  const change = {documentId: 'tool', result: {_id: 'tool', _type: 'tool', _rev: '1'}}
  t.after(
    followDocuments(
      client,
      {...SELECTION, counts: true},
      (live) => {
        told.push(live)
        if (told.length === 1) write(`event: mutation\ndata: ${JSON.stringify(change)}\n\n`)
      },
      10,
      1,
    ),
  )
  await eventually(() => told.length, 2)
  deepEqual(told.at(-1), {state: 'ready', documents: [{...SITE, tools: 2}]})
})

/** A client for a server in place of a lake. */
async function clientOf(server: Server, t: TestContext) {
  const port = await listen(server, t)
  return createClient({
    apiHost: `http://127.0.0.1:${port}`,
    useProjectHostname: false,
    projectId: 'local',
    dataset: 'production',
    apiVersion: '2025-02-19',
    useCdn: false,
  })
}
