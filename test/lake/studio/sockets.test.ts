import {deepEqual, equal} from 'node:assert/strict'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {eventually} from '../../support/eventually.ts'
import {openFrom} from '../support/events.ts'
import {temporaryFolder} from '../support/git.ts'
import {type RunningLake, runLake} from '../support/lake.ts'
import {openSocket, Refused, signIn, type TestSocket} from './socket.ts'

const GREEDY = '127.0.0.2'
const NEIGHBOUR = '127.0.0.3'

const streams = '/_streams'
const live = '/v2025-02-19/data/live/events/production'

async function startLake(t: TestContext): Promise<RunningLake> {
  return runLake(t, {}, {studioDir: join(await temporaryFolder(t), 'studio')})
}

/** Opens so many sockets concurrently and returns the open ones; the others were rejected with 503. */
async function openMany(
  t: TestContext,
  {address}: RunningLake,
  {client, count, cookie}: {client: string; count: number; cookie: string},
): Promise<TestSocket[]> {
  const opening = () =>
    openSocket(t, address.replace('http', 'ws') + streams, {origin: address, cookie}, client)
  const outcomes = await Promise.allSettled(Array.from({length: count}, opening))
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  for (const {reason} of refused) equal(reason instanceof Refused && reason.status, 503)
  return outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({value}) => value)
}

test('a principal is limited to 100 sockets; others can still open theirs and receive changes', async (t) => {
  const lake = await startLake(t)
  const {cookie} = await signIn(lake, 'ada')
  const open = await openMany(t, lake, {client: GREEDY, count: 60, cookie})
  const elsewhere = await openMany(t, lake, {client: '127.0.0.4', count: 60, cookie})
  deepEqual([open.length, elsewhere.length], [60, 40])

  const neighbour = {client: NEIGHBOUR, ...(await signIn(lake, 'bob'))}
  const [tab, ...more] = await openMany(t, lake, {...neighbour, count: 20})
  equal(more.length, 19)
  tab?.say({id: 1, open: live, headers: {}})
  await tab?.hear(({data}) => String(data).includes('event: welcome'))
  await lake.repository.commit({'post/a.json': {_id: 'a', _type: 'post'}})
  await tab?.hear(({data}) => String(data).includes('event: message'))

  open[0]?.socket.close()
  const again = () => openMany(t, lake, {client: GREEDY, count: 1, cookie})
  await eventually(again, ({length}) => length === 1)
  deepEqual(await again(), [], 'and no more')
})

test('streams over sockets count towards the principal’s limit of 256 over all sockets and connections', async (t) => {
  const lake = await startLake(t)
  const {cookie} = await signIn(lake, 'ada')
  const statuses: unknown[] = []
  for (const {say, hear} of await openMany(t, lake, {client: GREEDY, count: 5, cookie})) {
    for (let id = 1; id <= 60; id++) say({id, open: live, headers: {}})
    for (let id = 1; id <= 60; id++) statuses.push((await hear((frame) => 'status' in frame)).status)
  }
  equal(statuses.filter((status) => status === 200).length, 256)
  const overHttp = await openFrom(t, NEIGHBOUR, lake.address + live, {cookie})
  equal(overHttp.statusCode, 503, 'nor on any other connection')
  const {cookie: other} = await signIn(lake, 'bob')
  const [tab] = await openMany(t, lake, {client: GREEDY, count: 1, cookie: other})
  tab?.say({id: 1, open: live, headers: {}})
  equal((await tab?.hear((frame) => 'status' in frame))?.status, 200)
})

test('a frame that violates the protocol closes its socket and logs no error', async (t) => {
  const lake = await startLake(t)
  const {cookie} = await signIn(lake, 'ada')
  const [tab] = await openMany(t, lake, {client: NEIGHBOUR, count: 1, cookie})
  // RFC 6455 §5.1: a client must mask its frames.
  tab?.socket.send('unmasked', {mask: false})
  await tab?.closed
  deepEqual(lake.warnings, [])
})
