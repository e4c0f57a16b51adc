import assert from 'node:assert/strict'
import {test} from 'node:test'
import {isValidSignature} from '@sanity/webhook'
import {State} from '../../../../content/state/state.ts'
import {AuditLog} from '../../../../lake/audit/auditLog.ts'
import {manageAccounts} from '../../../../lake/commands/accounts.ts'
import {openStateForCommand} from '../../../../lake/commands/openState.ts'
import {auditEventsFor} from '../../../../lake/webhooks/sources.ts'
import {eventually} from '../../../support/eventually.ts'
import {temporaryRepository} from '../../support/git.ts'
import {runLakeOver} from '../../support/lake.ts'
import {delivererOf, receiver, SECRET, settingsFor} from './receiver.ts'

const clientsIn = (body: string): string[] =>
  JSON.parse(body).events.map(({client}: {client: string}) => client)

test('what a command did while the lake was stopped is posted at its start, in words and signed', async (t) => {
  const {deliveries, url, until} = await receiver(t)
  const settings = settingsFor(url, 'audit')
  const repository = await temporaryRepository(t)
  await (await runLakeOver(t, repository, settings)).close()
  const state = await openStateForCommand(repository.directory)
  await manageAccounts(['token', 'add', '--name', 'robot'], state, 'http://lake.example')
  state.close()
  await runLakeOver(t, repository, settings)
  await until(1)
  const [{headers, body} = assert.fail()] = deliveries
  assert.ok(await isValidSignature(body, String(headers['sanity-webhook-signature']), SECRET))
  const {events} = JSON.parse(body)
  assert.equal(headers['sanity-document-id'], events[0].id)
  assert.match(events[0].text, /^The command line.* made the token “robot”/)
})

test('events are posted in order, in parts, until they are accepted, and not those from before', async (t) => {
  let refused = 0
  const {deliveries, url} = await receiver(t, () => (refused++ < 2 ? 500 : 204))
  const state = State.inMemory()
  const log = new AuditLog(state)
  const record = (from: number, to: number) => {
    for (let number = from; number < to; number += 1)
      log.record({
        type: 'signIn.succeeded',
        by: {id: 'ada', name: 'Ada', email: ''},
        method: 'password',
        client: `${number}`,
      })
  }
  record(0, 3)
  const hooks = delivererOf(t, auditEventsFor(log), {url, state})
  record(3, 253)
  const names = Array.from({length: 250}, (_, index) => `${index + 3}`)
  const accepted = () => deliveries.slice(2).flatMap(({body}) => clientsIn(body))
  await eventually(() => accepted().length, 250)
  assert.deepEqual(accepted(), names)
  await eventually(() => hooks.pending, 0)
  await hooks.close()
  record(253, 254)
  delivererOf(t, auditEventsFor(log), {url, state})
  await eventually(() => accepted().length, 251)
  assert.deepEqual(accepted().at(-1), '253')
})
