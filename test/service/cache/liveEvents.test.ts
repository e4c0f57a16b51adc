import assert from 'node:assert/strict'
import {createServer, type ServerResponse} from 'node:http'
import {type TestContext, test} from 'node:test'
import {setImmediate, setTimeout} from 'node:timers/promises'
import {type FollowOptions, followLiveEvents} from '../../../service/cache/liveEvents.ts'
import {createServiceEvents} from '../../../service/events.ts'
import {createUpstreamClient} from '../../../service/upstream/client.ts'
import {eventually} from '../../support/eventually.ts'
import {listeningLog} from '../../support/log.ts'
import {listen} from '../../support/network/ports.ts'

/** A lake that serves only live events, with messages chosen by the test. */
async function speakingLake(
  t: TestContext,
  status = () => 200,
  options: Partial<FollowOptions> = {},
  type = 'text/event-stream',
) {
  const streams: ServerResponse[] = []
  const server = createServer((request, response) => {
    if (!request.url?.includes('/live/events')) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(status(), {'content-type': type})
    if (status() !== 200) {
      response.end()
      return
    }
    streams.push(response)
    response.write('retry: 50\n\n')
    say(response, 'welcome', {})
  })
  const port = await listen(server)

  const heard: unknown[] = []
  const kept: string[] = []
  const {log, lines} = listeningLog()
  const client = createUpstreamClient({
    projectId: 'local',
    dataset: 'production',
    apiHost: `http://127.0.0.1:${port}`,
    apiToken: undefined,
    serviceTokenFile: undefined,
  })
  const signs: string[] = []
  const listener = {
    changed: () => heard.push('changed'),
    setConnected: (isConnected: boolean) => heard.push(isConnected ? 'connected' : 'ended'),
    wake: (scope = 'dated') => heard.push(scope),
    signOfLife: () => signs.push('alive'),
    keepFresh: async () => void kept.push('kept'),
  }
  const events = createServiceEvents()
  const connected: boolean[] = []
  events.on('live', (isConnected) => connected.push(isConnected))
  const backoff = {first: 20, longest: 100}
  const stop = followLiveEvents(client, {listener, events, log, backoff, ...options})
  t.after(() => {
    stop()
    server.closeAllConnections()
    server.close()
  })
  return {heard, signs, kept, connected, lines, streams, stop}
}

function say(stream: ServerResponse | undefined, event: string, data: object): void {
  assert.ok(stream)
  stream.write(`event: ${event}\nid: 1\ndata: ${JSON.stringify(data)}\n\n`)
}

const heardIs = (heard: unknown[], expected: unknown[]) =>
  eventually(() => JSON.stringify(heard), JSON.stringify(expected))

test('a message reports a dated change; a restart any', async (t) => {
  const {heard, streams} = await speakingLake(t)
  await heardIs(heard, ['connected'])
  say(streams[0], 'message', {tags: ['s1:a', 's1:b']})
  say(streams[0], 'restart', {})
  await heardIs(heard, ['connected', 'changed', 'any'])
})

test('a stream with an event that never ends is closed', async (t) => {
  const {heard, streams, lines} = await speakingLake(t)
  await heardIs(heard, ['connected'])
  const half = `data: ${'x'.repeat(1_000_000)}\n`
  const timer = setInterval(() => streams[0]?.write(half), 10)
  t.after(() => clearInterval(timer))
  await eventually(() => streams.length, 2)
  assert.equal(lines.find(({msg}) => msg === 'live events stopped')?.reason, 'an event is too long')
})

test('a broken stream is reopened, and entries that may have missed events are revalidated', async (t) => {
  const {heard, streams} = await speakingLake(t)
  await heardIs(heard, ['connected'])
  streams[0]?.destroy()
  await eventually(() => streams.length, 2)
  await heardIs(heard, ['connected', 'ended', 'connected'])
})

test('a goaway closes the stream, which is reopened after a delay', async (t) => {
  const {heard, lines, streams} = await speakingLake(t)
  await heardIs(heard, ['connected'])
  say(streams[0], 'goaway', {reason: 'too many streams'})
  await eventually(() => streams.length, 2)
  await heardIs(heard, ['connected', 'ended', 'connected'])
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
  await heardIs(heard, ['connected'])
})

test('after a stop, the stream is not reopened', async (t) => {
  const {heard, streams, stop} = await speakingLake(t)
  await heardIs(heard, ['connected'])
  stop()
  streams[0]?.destroy()
  await setTimeout(150) // longer than the delay after which it would be reopened
  assert.equal(streams.length, 1)
})

test('a silent stream is reopened; comments alone keep it open', async (t) => {
  t.mock.timers.enable({apis: ['setTimeout']})
  const {heard, signs, connected, lines, streams} = await speakingLake(t, undefined, {silence: 1_000})
  const heardOn = async (count: number) => {
    while (signs.length < count) await setImmediate()
  }
  await heardOn(1)
  for (let beat = 2; beat < 10; beat++) {
    t.mock.timers.tick(900)
    streams[0]?.write(':\n\n')
    await heardOn(beat)
  }
  assert.equal(streams.length, 1)
  t.mock.timers.tick(1_000)
  t.mock.timers.reset()
  await eventually(() => streams.length, 2)
  await heardIs(heard, ['connected', 'ended', 'connected'])
  assert.deepEqual(connected, [true, false, true])
  assert.equal(lines.find(({msg}) => msg === 'live events stopped')?.reason, 'nothing arrived for 1 s')
})

test('events and comments are signs of life, after what an event says', async (t) => {
  const {heard, signs, streams} = await speakingLake(t)
  await heardIs(heard, ['connected'])
  const before = signs.length
  streams[0]?.write(':\n\n')
  say(streams[0], 'message', {tags: ['s1:a']})
  await eventually(() => signs.length, before + 2)
})

test('what is due is done periodically', async (t) => {
  const {kept} = await speakingLake(t, undefined, {keepFreshEvery: 20})
  await eventually(
    async () => kept.length,
    (count) => count > 3,
  )
})

test('a response that is not an event stream does not count as one', async (t) => {
  const {heard, signs, connected, lines} = await speakingLake(t, undefined, {}, 'text/html')
  await eventually(
    async () => lines,
    () => lines.some(({msg}) => msg === 'live events stopped'),
  )
  assert.deepEqual([heard, signs, connected], [[], [], []])
})
