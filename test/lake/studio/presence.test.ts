import assert from 'node:assert/strict'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {eventually} from '../../support/eventually.ts'
import {temporaryFolder} from '../support/git.ts'
import {type RunningLake, runLake} from '../support/lake.ts'
import {openSocket, signIn} from './socket.ts'

const path = '/v2022-06-30/socket/production?tag=sanity.studio'

async function startLake(t: TestContext): Promise<RunningLake> {
  return runLake(t, {}, {studioDir: join(await temporaryFolder(t), 'studio')})
}

/** An editor's tab that receives the presence of others. */
async function openTab(t: TestContext, lake: RunningLake, name: string) {
  const {id, cookie} = await signIn(lake, name)
  const tab = await openSocket(t, lake.address.replace('http', 'ws') + path, {origin: lake.address, cookie})
  const call = async (method: string, params: unknown = {}) => {
    tab.say({jsonrpc: '2.0', method, params, id: method})
    return tab.hear((message) => message.id === method)
  }
  const {result: subscription} = await call('presence_subscribe')
  const told = async (result: unknown) => {
    const {params} = await tab.hear(({method}) => method === 'presence_subscription')
    assert.deepEqual(params, {subscription, result})
  }
  return {...tab, user: id, call, told}
}

test('editors see where others are and when they leave', async (t) => {
  const lake = await startLake(t)
  const ada = await openTab(t, lake, 'ada')
  const bob = await openTab(t, lake, 'bob')
  bob.say({jsonrpc: '2.0', method: 'presence_rollcall', params: {session: 'b1'}, id: 'b'})
  await ada.told({type: 'rollCall', i: bob.user, session: 'b1'})

  const data = {sessionId: 'b1', locations: [{type: 'document', documentId: 'tool-1', path: ['name']}]}
  bob.say({jsonrpc: '2.0', method: 'presence_announce', params: {data}, id: 'c'})
  await ada.told({type: 'state', i: bob.user, m: data})

  bob.socket.terminate()
  await ada.told({type: 'disconnect', i: bob.user, m: {session: 'b1'}})
})

test('a tab has one subscription, and receives an announcement once', async (t) => {
  const lake = await startLake(t)
  const ada = await openTab(t, lake, 'ada')
  for (let made = 1; made < 8; made++) assert.ok((await ada.call('presence_subscribe')).result)
  const received: unknown[] = []
  ada.socket.on('message', (data) => received.push(JSON.parse(data.toString()).method))
  await ada.call('presence_announce', {data: {sessionId: 'a1', locations: []}})
  assert.equal(received.filter((method) => method === 'presence_subscription').length, 1)
})

test('announcements are limited to 8 kB each, and to 100 per user in five seconds over all sockets', async (t) => {
  const now = performance.now()
  t.mock.method(performance, 'now', () => now)
  const lake = await startLake(t)
  const ada = await openTab(t, lake, 'ada')
  const bob = await openTab(t, lake, 'bob')
  const long = await ada.call('presence_announce', {data: {sessionId: 'a1', locations: 'x'.repeat(9_000)}})
  assert.match(JSON.stringify(long.error), /8192 bytes/)

  let heard = 0
  bob.socket.on('message', () => heard++)
  const data = {sessionId: 'a1', locations: []}
  const sent = 300
  for (let id = 0; id < sent; id++) ada.say({jsonrpc: '2.0', method: 'presence_announce', params: {data}, id})
  const last = await ada.hear(({id}) => id === sent - 1)
  assert.match(JSON.stringify(last.error), /100 messages in 5 s/)
  await eventually(
    async () => heard,
    (count) => count >= 100,
  )
  assert.equal((await bob.call('presence_announce', {data})).result, 'ok', 'others are counted separately')
  assert.equal(heard, 102, 'with his own announcement and the response to it')
})

test('a deeply nested message does not crash the lake', async (t) => {
  const lake = await startLake(t)
  const ada = await openTab(t, lake, 'ada')
  const deep = '['.repeat(30_000) + ']'.repeat(30_000)
  const short = '['.repeat(3_900) + ']'.repeat(3_900)
  for (const nested of [deep, short]) {
    ada.say(`{"jsonrpc":"2.0","method":"presence_announce","params":{"data":{"sessionId":${nested}}},"id":1}`)
    ada.say(`{"jsonrpc":"2.0","method":"presence_announce","params":{"data":{"locations":${nested}}},"id":1}`)
    ada.say(`{"jsonrpc":"2.0","method":"presence_rollcall","params":{"session":${nested}},"id":1}`)
    ada.say(`{"jsonrpc":"2.0","method":"presence_unsubscribe","params":{"subscriptionId":${nested}},"id":1}`)
    ada.say(`{"jsonrpc":"2.0","method":"presence_subscribe","id":${nested}}`)
  }
  assert.equal((await ada.call('presence_disconnect')).result, 'ok')
  assert.equal((await fetch(`${lake.address}/healthz`)).status, 200)
})
