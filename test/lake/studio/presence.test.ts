import {deepEqual, rejects} from 'node:assert/strict'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {Accounts} from '../../../lake/access/accounts.ts'
import {temporaryFolder} from '../support/git.ts'
import {type RunningLake, runLake} from '../support/lake.ts'
import {signInByLink} from '../support/signIn.ts'
import {openSocket, Refused} from './socket.ts'

const path = '/v2022-06-30/socket/production?tag=sanity.studio'

async function startLake(t: TestContext): Promise<RunningLake> {
  return runLake(t, {}, {studioDir: join(await temporaryFolder(t), 'studio')})
}

/** An editor's tab that is told where the others are. */
async function openTab(t: TestContext, lake: RunningLake, name: string) {
  const accounts = new Accounts(lake.editorsFile)
  const {id} = await accounts.addEditor({name, email: `${name}@example.com`, role: 'editor'})
  const cookie = await signInByLink(lake, id)
  const tab = await openSocket(t, lake.address.replace('http', 'ws') + path, {origin: lake.address, cookie})
  tab.say({jsonrpc: '2.0', method: 'presence_subscribe', params: {}, id: 'a'})
  const {result: subscription} = await tab.hear((message) => message.id === 'a')
  const told = async (result: unknown) => {
    const {params} = await tab.hear(({method}) => method === 'presence_subscription')
    deepEqual(params, {subscription, result})
  }
  return {...tab, user: id, told}
}

test('editors see where the others are, and that they leave', async (t) => {
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

test('presence is for who signed in', async (t) => {
  const lake = await startLake(t)
  const opening = openSocket(t, lake.address.replace('http', 'ws') + path, {origin: lake.address})
  await rejects(opening, (error) => error instanceof Refused && error.status === 401)
})
