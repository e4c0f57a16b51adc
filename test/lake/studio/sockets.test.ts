import {deepEqual, equal} from 'node:assert/strict'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {Accounts} from '../../../lake/access/accounts.ts'
import {eventually} from '../../support/house.ts'
import {openFrom} from '../support/events.ts'
import {temporaryFolder} from '../support/git.ts'
import {type RunningLake, runLake} from '../support/lake.ts'
import {signInByLink} from '../support/signIn.ts'
import {openSocket, Refused, type TestSocket} from './socket.ts'

const GREEDY = '127.0.0.2'
const NEIGHBOUR = '127.0.0.3'

const streams = '/_streams'
const presence = '/v2022-06-30/socket/production'
const live = '/v2025-02-19/data/live/events/production'

async function startLake(t: TestContext): Promise<RunningLake> {
  return runLake(t, {}, {studioDir: join(await temporaryFolder(t), 'studio')})
}

/** Opens so many sockets at once, and answers with those that are open; the others were refused with 503. */
async function openMany(
  t: TestContext,
  {address}: RunningLake,
  {path, client, count, cookie}: {path: string; client: string; count: number; cookie?: string},
): Promise<TestSocket[]> {
  const headers = {origin: address, ...(cookie !== undefined && {cookie})}
  const opening = () => openSocket(t, address.replace('http', 'ws') + path, headers, client)
  const answers = await Promise.allSettled(Array.from({length: count}, opening))
  const refused = answers.filter((answer) => answer.status === 'rejected')
  for (const {reason} of refused) equal(reason instanceof Refused && reason.status, 503)
  return answers.filter((answer) => answer.status === 'fulfilled').map(({value}) => value)
}

test('one client has 200 sockets, and others open theirs and hear what changes meanwhile', async (t) => {
  const lake = await startLake(t)
  const open = await openMany(t, lake, {path: streams, client: GREEDY, count: 220})
  equal(open.length, 200)

  const [tab, ...more] = await openMany(t, lake, {path: streams, client: NEIGHBOUR, count: 20})
  equal(more.length, 19)
  tab?.say({id: 1, open: live, headers: {}})
  await tab?.hear(({data}) => String(data).includes('event: welcome'))
  await lake.repository.commit({'post/a.json': {_id: 'a', _type: 'post'}})
  await tab?.hear(({data}) => String(data).includes('event: message'))

  open[0]?.socket.close()
  const again = () => openMany(t, lake, {path: streams, client: GREEDY, count: 1})
  await eventually(again, ({length}) => length === 1)
  deepEqual(await again(), [], 'and no more than that')
})

test('sockets that come all at once are counted before it is known who opens them', async (t) => {
  const lake = await startLake(t)
  const accounts = new Accounts(lake.editorsFile)
  const {id} = await accounts.addEditor({name: 'Ada', email: 'ada@example.com', role: 'editor'})
  const cookie = await signInByLink(lake, id)
  const [open, others] = await Promise.all([
    openMany(t, lake, {path: presence, client: GREEDY, count: 220, cookie}),
    openMany(t, lake, {path: presence, client: NEIGHBOUR, count: 20, cookie}),
  ])
  deepEqual([open.length, others.length], [200, 20])
})

test('streams that travel over sockets count for whoever opened the socket, not for the lake’s own machine', async (t) => {
  const lake = await startLake(t)
  const statuses: unknown[] = []
  for (const {say, hear} of await openMany(t, lake, {path: streams, client: GREEDY, count: 2})) {
    for (let id = 1; id <= 60; id++) say({id, open: live, headers: {}})
    for (let id = 1; id <= 60; id++) statuses.push((await hear((frame) => 'status' in frame)).status)
  }
  equal(statuses.filter((status) => status === 200).length, 100)
  equal((await openFrom(t, GREEDY, lake.address + live)).statusCode, 503, 'over no other way')
  for (const client of [NEIGHBOUR, '127.0.0.1']) {
    equal((await openFrom(t, client, lake.address + live)).statusCode, 200)
    const [tab] = await openMany(t, lake, {path: streams, client, count: 1})
    tab?.say({id: 1, open: live, headers: {}})
    equal((await tab?.hear((frame) => 'status' in frame))?.status, 200)
  }
})
