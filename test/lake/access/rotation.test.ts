import assert from 'node:assert/strict'
import {createHmac} from 'node:crypto'
import {test} from 'node:test'
import fastify from 'fastify'
import {pino} from 'pino'
import {State} from '../../../content/state/state.ts'
import {Access, type AccessSettings} from '../../../lake/access/access.ts'
import type {Principal} from '../../../lake/access/principal.ts'
import {everywhere} from '../../../lake/access/rights/rights.ts'
import {manageAccounts} from '../../../lake/commands/accounts.ts'
import {commandHelp} from '../../../lake/commands/commandLine.ts'
import {Hook} from '../../../lake/webhooks/hook.ts'
import {type RunningLake, runLake} from '../support/lake.ts'
import {accountsIn, openStateIn, pressLink, signInByLink} from '../support/signIn.ts'
import {receiver} from '../webhooks/outgoing/receiver.ts'

const people = [
  {name: 'Ada', email: 'ada@example.com', rights: everywhere('publisher')},
  {name: 'Bob', email: 'bob@example.com', rights: everywhere('author')},
] as const

const run = ({stateFolder}: RunningLake, ...words: string[]) => {
  assert.equal(commandHelp(words), undefined)
  return manageAccounts(words, openStateIn(stateFolder), '')
}

/** The status and the role of a request. */
async function me({address}: RunningLake, headers: Record<string, string>): Promise<unknown> {
  const response = await fetch(`${address}/v1/users/me`, {headers})
  const text = await response.text()
  return response.ok ? JSON.parse(text).role : response.status
}

const HOOK = {projectId: 'local', dataset: 'production', logger: pino({level: 'silent'})}

const DELIVERY = {id: 'a', operation: 'update', transactionId: 't', body: {_id: 'a'}} as const

const bearer = (token: string) => ({authorization: `Bearer ${token}`})

test('tokens of the settings work with their values from before, with the same rights', async (t) => {
  const lake = await runLake(
    t,
    {},
    {
      apiTokens: ['api-new', 'api-old'],
      serviceTokens: ['service-new', 'service-old'],
    },
  )
  const roles = ['api-new', 'api-old', 'service-new', 'service-old', 'api-older'].map((token) =>
    me(lake, bearer(token)),
  )
  assert.deepEqual(await Promise.all(roles), ['publisher', 'publisher', 'viewer', 'viewer', 401])
})

test('what was scheduled with a token has no rights once that token is not accepted any more', async () => {
  const state = State.inMemory()
  const lakeWith = (settings: Partial<AccessSettings>) => new Access({state, ...settings})
  const principalOf = async (access: Access, token: string) => {
    let found: Principal | undefined
    const app = fastify()
    app.get('/', async (request) => {
      found = await access.principalOf(request)
      return ''
    })
    await app.inject({url: '/', headers: bearer(token)})
    assert.ok(found)
    return {...found, rights: []}
  }
  const roleOf = async (access: Access, by: Principal) => (await access.rightsNow(by))[0]?.role
  const before = lakeWith({apiTokens: ['api-old']})
  const scheduler = await principalOf(before, 'api-old')
  assert.doesNotMatch(JSON.stringify(scheduler), /api-old/)
  const {accounts} = before
  const importer = await principalOf(before, await accounts.tokens.add('importer', everywhere('publisher')))
  const roles = async (access: Access) => [await roleOf(access, scheduler), await roleOf(access, importer)]
  assert.deepEqual(await roles(before), ['publisher', 'publisher'])
  const during = lakeWith({apiTokens: ['api-new', 'api-old']})
  assert.deepEqual(await roles(during), ['publisher', 'publisher'])
  await accounts.tokens.remove('importer')
  assert.deepEqual(await roles(lakeWith({apiTokens: ['api-new']})), [undefined, undefined])
  assert.deepEqual(await roles(lakeWith({})), [undefined, undefined])
})

test('a receiver of webhooks gets every change, whether it has the secret from before or the new one', async (t) => {
  const secrets = ['the-new-secret', 'the-old-secret']
  for (const [at, secret] of secrets.entries()) {
    const {deliveries, url} = await receiver(t, ({headers, body}) => {
      const signature = String(headers['sanity-webhook-signature'])
      const timestamp = signature.replace(/,.*/, '').slice('t='.length)
      const digest = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('base64url')
      return signature === `t=${timestamp},v1=${digest}` ? 204 : 401
    })
    const hook = new Hook({url, kinds: ['change']}, {...HOOK, secrets})
    assert.equal(await hook.post(DELIVERY, new AbortController().signal), true)
    assert.equal(deliveries.length, at + 1)
    const strict = new Hook({url, kinds: ['change']}, {...HOOK, secrets: ['another-secret']})
    assert.equal(await strict.post(DELIVERY, new AbortController().signal), false)
  }
})

test('sign-out ends the sessions and links of one person, or of everybody', async (t) => {
  const lake = await runLake(t)
  const accounts = accountsIn(lake.stateFolder)
  const [ada, bob] = [await accounts.addEditor(people[0]), await accounts.addEditor(people[1])]
  const cookies = [await signInByLink(lake, ada.id), await signInByLink(lake, bob.id)]
  const roles = () => Promise.all(cookies.map((cookie) => me(lake, {cookie})))
  const link = await accounts.makeLink(ada.id)
  assert.equal(
    await run(lake, 'editor', 'sign-out', '--email', ada.email),
    `Ended the sessions of ${ada.email}`,
  )
  assert.deepEqual(await roles(), [401, 'author'])
  assert.equal((await pressLink(lake, link)).status, 403)
  cookies[0] = await signInByLink(lake, ada.id)
  assert.deepEqual(await roles(), ['publisher', 'author'])
  assert.equal(await run(lake, 'editor', 'sign-out', '--all'), 'Ended the sessions of everybody (2)')
  assert.deepEqual(await roles(), [401, 401])
  const signedOut = (await run(lake, 'audit')).split('\n').filter((line) => line.includes('people.signedOut'))
  assert.equal(signedOut.length, 3)
  await assert.rejects(run(lake, 'editor', 'sign-out'), /--email is missing/)
  await assert.rejects(run(lake, 'editor', 'sign-out', '--all', '--email', ada.email), /exclude each other/)
})
