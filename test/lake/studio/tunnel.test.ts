import {deepEqual, equal, match, rejects} from 'node:assert/strict'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {token} from '../support/app.ts'
import {temporaryFolder} from '../support/git.ts'
import {type RunningLake, runLake} from '../support/lake.ts'
import {openSocket, Refused, signIn} from './socket.ts'

const listen = `/v2025-02-19/data/listen/production?query=${encodeURIComponent('*[_type == "post"]')}`
const live = '/v2025-02-19/data/live/events/production'
const authorization = `Bearer ${token}`

async function tunnel(t: TestContext) {
  const lake = await runLake(t, {}, {studioDir: join(await temporaryFolder(t), 'studio')})
  const {cookie} = await signIn(lake, 'ada')
  return {lake, cookie, ...(await openTunnel(t, lake, cookie))}
}

function openTunnel(t: TestContext, {address}: RunningLake, cookie: string) {
  return openSocket(t, `${address.replace('http', 'ws')}/_streams`, {origin: address, cookie})
}

test('one socket carries many streams, each with its own events', async (t) => {
  const {lake, say, hear} = await tunnel(t)
  for (let id = 1; id <= 20; id++) say({id, open: listen, headers: {authorization}})
  const types = new Map<unknown, string>()
  const welcomed = new Set<unknown>()
  await hear(({id, status, type, data}) => {
    if (status === 200) types.set(id, String(type))
    if (String(data).includes('event: welcome')) welcomed.add(id)
    return types.size === 20 && welcomed.size === 20
  })
  for (const type of types.values()) match(type, /^text\/event-stream/)
  await lake.repository.commit({'post/a.json': {_id: 'a', _type: 'post'}})
  await hear((frame) => frame.id === 7 && String(frame.data).includes('"documentId":"a"'))
})

test('a closed stream sends nothing more, and the others continue', async (t) => {
  const {lake, say, hear} = await tunnel(t)
  for (const id of [1, 2]) {
    say({id, open: listen, headers: {authorization}})
    await hear((frame) => frame.id === id && String(frame.data).includes('welcome'))
  }
  say({id: 1, close: true})
  await lake.repository.commit({'post/a.json': {_id: 'a', _type: 'post'}})
  const next = await hear((frame) => String(frame.data).includes('"documentId"'))
  equal(next.id, 2)
})

test('each stream is authorized by its token, or by the socket’s cookie while the session lasts', async (t) => {
  const {lake, cookie, say, hear} = await tunnel(t)
  say({id: 1, open: listen, headers: {}})
  equal((await hear((frame) => frame.id === 1)).status, 200)
  say({id: 2, open: listen, headers: {authorization: 'Bearer unknown'}})
  const refused = await hear((frame) => frame.id === 2)
  deepEqual([refused.status, refused.type], [401, 'application/json; charset=utf-8'])
  match(String((await hear((frame) => frame.id === 2)).data), /Unauthorized/)
  await hear((frame) => frame.id === 2 && frame.end === true)

  const headers = {cookie, origin: lake.address}
  await fetch(`${lake.address}/v1/auth/logout`, {method: 'POST', headers})
  say({id: 3, open: listen, headers: {}})
  equal((await hear((frame) => frame.id === 3)).status, 401)
  say({id: 4, open: listen, headers: {authorization}})
  equal((await hear((frame) => frame.id === 4)).status, 200)
})

test('a page on another host cannot open a socket, nor can a program without an Origin', async (t) => {
  const {lake} = await tunnel(t)
  const url = `${lake.address.replace('http', 'ws')}/_streams`
  const forbidden = (error: unknown) => error instanceof Refused && error.status === 403
  await rejects(openSocket(t, url, {origin: 'https://evil.example', authorization}), forbidden)
  await rejects(openSocket(t, url, {origin: 'null', authorization}), forbidden)
  await rejects(openSocket(t, url, {authorization}), forbidden)
  const unauthorized = (error: unknown) => error instanceof Refused && error.status === 401
  await rejects(openSocket(t, url, {origin: lake.address}), unauthorized)
})

test('the tunnel reaches event streams only', async (t) => {
  const others = [
    '/v2025-02-19/data/query/production?query=*',
    '/v1/data/listen/../../users/me',
    '/login',
    'http://elsewhere.example/v1/data/listen/production',
    `${listen} HTTP/1.1\r\nhost: evil`,
  ]
  for (const open of others) {
    const {say, closed} = await tunnel(t)
    say({id: 1, open, headers: {}})
    equal(await closed, 1008, open)
  }
})

test('an invalid message closes the socket', async (t) => {
  for (const text of ['', 'null', '{}', '{"id": "1", "close": true}', '{"id": 1}']) {
    const {say, closed} = await tunnel(t)
    say(text)
    equal(await closed, 1008, text)
  }
})

test('a socket carries up to 64 streams, and rejects more until one is closed', async (t) => {
  const {say, hear} = await tunnel(t)
  for (let id = 1; id <= 65; id++) say({id, open: live, headers: {}})
  equal((await hear((frame) => frame.id === 65)).status, 503)
  say({id: 1, close: true})
  say({id: 66, open: live, headers: {}})
  equal((await hear((frame) => frame.id === 66)).status, 200)
})
