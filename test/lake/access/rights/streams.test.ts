import assert from 'node:assert/strict'
import {join} from 'node:path'
import {test} from 'node:test'
import {everywhere} from '../../../../lake/access/rights/rights.ts'
import {openSocket, signIn} from '../../studio/socket.ts'
import {readEvents} from '../../support/events.ts'
import {temporaryFolder} from '../../support/git.ts'
import {runLake} from '../../support/lake.ts'
import {accountsIn} from '../../support/signIn.ts'

const LISTEN = '/v2025-02-19/data/listen/production?query=*'

test('streams and sockets end when their session, token or rights have ended, others go on', async (t) => {
  t.mock.timers.enable({apis: ['setInterval']})
  const lake = await runLake(t, {}, {studioDir: join(await temporaryFolder(t), 'studio')})
  const accounts = accountsIn(lake.stateFolder)
  const token = await accounts.tokens.add('leaving', everywhere('viewer'))
  const [ada, bob] = [await signIn(lake, 'ada', 'author'), await signIn(lake, 'bob', 'author')]
  const listen = (headers: Record<string, string>) => readEvents(t, lake.address + LISTEN, headers)
  const open = (path: string, cookie: string) =>
    openSocket(t, lake.address.replace('http', 'ws') + path, {origin: lake.address, cookie})

  const byToken = await listen({authorization: `Bearer ${token}`})
  const [streams, presence] = [
    await open('/_streams', ada.cookie),
    await open('/v1/socket/production', ada.cookie),
  ]
  const others = await open('/_streams', bob.cookie)
  for (const tab of [streams, others]) {
    tab.say({id: 1, open: LISTEN, headers: {}})
    await tab.hear(({data}) => String(data).includes('event: welcome'))
  }

  await accounts.setRights('ada@example.com', [])
  await accounts.tokens.remove('leaving')
  t.mock.timers.tick(10_000)
  await byToken.ended
  await streams.hear((frame) => frame.id === 1 && frame.end === true)
  t.mock.timers.tick(10_000)
  assert.deepEqual(await Promise.all([streams.closed, presence.closed]), [1008, 1008])

  await lake.repository.commit({'post/a.json': {_id: 'a', _type: 'post'}})
  await others.hear(({data}) => String(data).includes('"documentId":"a"'))
})
