import assert from 'node:assert/strict'
import {once} from 'node:events'
import {createServer, type ServerResponse} from 'node:http'
import {type TestContext, test} from 'node:test'
import {createServiceEvents} from '../../../service/events.ts'
import {createLakeClient} from '../../../service/upstream/client.ts'
import {type FollowOptions, followLiveEvents} from '../../../service/upstream/liveEvents.ts'
import {eventually} from '../../support/house.ts'
import {listeningLog} from '../../support/log.ts'

/** A lake that serves only live events, with messages chosen by the test. */
async function speakingLake(t: TestContext, status = () => 200, options: Partial<FollowOptions> = {}) {
  const streams: ServerResponse[] = []
  const server = createServer((request, response) => {
    if (!request.url?.includes('/live/events')) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(status(), {'content-type': 'text/event-stream'})
    if (status() !== 200) {
      response.end()
      return
    }
    streams.push(response)
    response.write('retry: 50\n\n')
    say(response, 'welcome', {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address && typeof address === 'object')

  const heard: unknown[] = []
  const compared: string[] = []
  const {log, lines} = listeningLog()
  const client = createLakeClient({
    projectId: 'local',
    dataset: 'production',
    apiHost: `http://127.0.0.1:${address.port}`,
    apiToken: undefined,
  })
  const sites = {
    invalidateTags: (tags: readonly string[]) => heard.push(tags),
    markAllUnverified: () => heard.push('doubt'),
    confirmInUse: () => compared.push('compared'),
  }
  const events = createServiceEvents()
  const connected: boolean[] = []
  events.on('live', (isConnected) => connected.push(isConnected))
  const stop = followLiveEvents(client, {sites, events, log, ...options})
  t.after(() => {
    stop()
    server.closeAllConnections()
    server.close()
  })
  return {heard, compared, connected, lines, streams, stop}
}

function say(stream: ServerResponse | undefined, event: string, data: object): void {
  assert.ok(stream)
  stream.write(`event: ${event}\nid: 1\ndata: ${JSON.stringify(data)}\n\n`)
}

const heardIs = (heard: unknown[], expected: unknown[]) =>
  eventually(
    async () => JSON.stringify(heard),
    (now) => now === JSON.stringify(expected),
  )

test('a message invalidates by its tags; a welcome and a restart revalidate everything', async (t) => {
  const {heard, streams} = await speakingLake(t)
  await heardIs(heard, ['doubt'])
  say(streams[0], 'message', {tags: ['s1:a', 's1:b']})
  say(streams[0], 'restart', {})
  await heardIs(heard, ['doubt', ['s1:a', 's1:b'], 'doubt'])
})

test('a message without tags that can be read revalidates everything', async (t) => {
  const {heard, streams} = await speakingLake(t)
  await heardIs(heard, ['doubt'])
  say(streams[0], 'message', {tags: [7]})
  streams[0]?.write('event: message\ndata: {"tags": \n\n')
  await heardIs(heard, ['doubt', 'doubt', 'doubt'])
})

test('a stream with an event that never ends is closed', async (t) => {
  const {heard, streams, lines} = await speakingLake(t)
  await heardIs(heard, ['doubt'])
  const half = `data: ${'x'.repeat(1_000_000)}\n`
  const timer = setInterval(() => streams[0]?.write(half), 10)
  t.after(() => clearInterval(timer))
  await eventually(
    async () => streams.length,
    (count) => count === 2,
  )
  assert.equal(lines.find(({msg}) => msg === 'live events stopped')?.reason, 'an event is too long')
})

test('a broken stream is reopened, and entries that may have missed events are revalidated', async (t) => {
  const {heard, streams} = await speakingLake(t)
  await heardIs(heard, ['doubt'])
  streams[0]?.destroy()
  await eventually(
    async () => streams.length,
    (count) => count === 2,
  )
  await heardIs(heard, ['doubt', 'doubt'])
})

test('a goaway closes the stream, which is reopened after a delay', async (t) => {
  const {heard, lines, streams} = await speakingLake(t)
  await heardIs(heard, ['doubt'])
  say(streams[0], 'goaway', {reason: 'too many streams'})
  await eventually(
    async () => streams.length,
    (count) => count === 2,
  )
  await heardIs(heard, ['doubt', 'doubt'])
  assert.ok(
    lines.some(({msg, reason}) => msg === 'live events stopped' && reason === 'the content lake sent goaway'),
  )
})

test('a refusal is logged, and does not end the subscription', async (t) => {
  let status = 403
  const {heard, lines} = await speakingLake(t, () => status)
  await eventually(
    async () => lines.filter(({msg}) => msg === 'live events stopped').length,
    (count) => count > 0,
  )
  status = 200
  await heardIs(heard, ['doubt'])
})

test('after a stop, the stream is not reopened', async (t) => {
  const {heard, streams, stop} = await speakingLake(t)
  await heardIs(heard, ['doubt'])
  stop()
  streams[0]?.destroy()
  await new Promise((resolve) => setTimeout(resolve, 300))
  assert.equal(streams.length, 1)
})

test('a silent stream is reopened; comments alone keep it open', async (t) => {
  const {heard, connected, lines, streams} = await speakingLake(t, undefined, {silence: 1_000})
  await heardIs(heard, ['doubt'])
  for (let i = 0; i < 15; i++) {
    streams[0]?.write(':\n\n')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  assert.equal(streams.length, 1)
  await eventually(
    async () => streams.length,
    (count) => count === 2,
    5,
  )
  await heardIs(heard, ['doubt', 'doubt'])
  assert.deepEqual(connected, [true, false, true])
  assert.equal(lines.find(({msg}) => msg === 'live events stopped')?.reason, 'nothing arrived for 1 s')
})

test('while no live events arrive, sites in use are compared with the lake periodically', async (t) => {
  let status = 200
  const {heard, compared, streams} = await speakingLake(t, () => status, {pollEvery: 20})
  await heardIs(heard, ['doubt'])
  compared.length = 0
  await new Promise((resolve) => setTimeout(resolve, 200))
  assert.equal(compared.length, 0, 'not while they arrive')
  status = 503
  streams[0]?.destroy()
  await eventually(
    async () => compared.length,
    (count) => count > 3,
  )
})

test('a response that is not an event stream does not count as one', async (t) => {
  const server = createServer((_request, response) => response.end('<h1>Sign in to this network</h1>'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address && typeof address === 'object')
  const {log, lines} = listeningLog()
  const events = createServiceEvents()
  const connected: boolean[] = []
  events.on('live', (isConnected) => connected.push(isConnected))
  const heard: string[] = []
  const sites = {
    invalidateTags: () => heard.push('purge'),
    markAllUnverified: () => heard.push('doubt'),
    confirmInUse: () => {},
  }
  const client = createLakeClient({
    projectId: 'local',
    dataset: 'production',
    apiHost: `http://127.0.0.1:${address.port}`,
    apiToken: undefined,
  })
  const stop = followLiveEvents(client, {sites, events, log})
  t.after(() => {
    stop()
    server.close()
    server.closeAllConnections()
  })
  await eventually(
    async () => lines,
    () => lines.some(({msg}) => msg === 'live events stopped'),
  )
  assert.deepEqual([heard, connected], [[], []])
})
