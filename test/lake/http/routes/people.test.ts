import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {isDeepStrictEqual} from 'node:util'
import {everywhere, type Rights} from '../../../../lake/access/rights/rights.ts'
import {manageAccounts} from '../../../../lake/commands/accounts.ts'
import {runLake} from '../../support/lake.ts'
import {
  accountsIn,
  auditTextIn,
  cookieOf,
  openStateIn,
  pressLink,
  signInByLink,
} from '../../support/signIn.ts'

const ALL = everywhere('administrator')
const SHOP: Rights = [{role: 'administrator', sites: ['shop']}]

/** A lake with two administrators of all sites, one of a site, and an author, and requests in their sessions. */
async function openLake(t: TestContext) {
  const shop = {_id: 'shop', _type: 'site', name: 'Harbour Supply'}
  const lake = await runLake(t, {'site/shop.json': shop})
  const accounts = accountsIn(lake.stateFolder)
  const add = async (name: string, rights: Rights) => {
    const {id} = await accounts.addEditor({name, email: `${name}@example.com`, rights})
    return {id, cookie: await signInByLink(lake, id)}
  }
  const account = {issuer: 'https://id.example', subject: 'kim', isEmailVerified: true}
  const kim = await accounts.signInFrom(
    {...account, name: 'kim', email: 'kim@example.com'},
    everywhere('viewer'),
  )
  const people = {
    ada: await add('ada', ALL),
    eve: await add('eve', ALL),
    sam: await add('sam', SHOP),
    ann: await add('ann', [{role: 'author', sites: ['shop', 'blog']}]),
  }
  const request = async (who: keyof typeof people, method: string, path: string, body?: unknown) => {
    const response = await fetch(`${lake.address}/v1/access${path}`, {
      method,
      headers: {
        cookie: people[who].cookie,
        origin: lake.address,
        ...(body !== undefined && {'content-type': 'application/json'}),
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await response.text()
    return {status: response.status, body: text === '' ? undefined : JSON.parse(text)}
  }
  return {lake, people, kim: kim.editor, request}
}

test('administrators invite people, change rights, end sessions and make tokens, and the audit log has each of it', async (t) => {
  const {lake, people, request} = await openLake(t)
  const rights = everywhere('publisher')
  const lessRights = [{role: 'author', sites: ['shop']}]
  const invited = await request('ada', 'POST', '/people', {name: ' Bob ', email: 'bob@example.com', rights})
  assert.equal(invited.status, 200)
  const code = new URL(invited.body.link).searchParams.get('code') ?? ''
  const signedIn = await pressLink(lake, code)
  assert.equal(signedIn.status, 303)
  const bob = {id: invited.body.id, cookie: cookieOf(signedIn)}
  const taken = await request('ada', 'POST', '/people', {name: 'B', email: 'BOB@example.com', rights})
  assert.deepEqual(
    [taken.status, taken.body.message],
    [409, 'an editor with the address BOB@example.com already exists'],
  )

  const bobPath = `/people/${bob.id}`
  const reports = {rights: everywhere('reporter')}
  const refusals = [
    await request('ada', 'PUT', `${bobPath}/rights`, reports),
    await request('ada', 'POST', '/people', {name: 'C', email: 'c@example.com', ...reports}),
  ]
  for (const {status, body} of refusals) {
    assert.equal(status, 400)
    assert.match(body.message, /only for tokens/)
  }
  assert.equal((await request('ada', 'PUT', `${bobPath}/rights`, {rights: lessRights})).status, 200)
  const made = await request('ada', 'POST', '/tokens', {name: 'CI', rights: everywhere('viewer')})
  const {editors, tokens} = (await request('ada', 'GET', '/people')).body
  const found = editors.find(({id}: {id: string}) => id === bob.id)
  assert.deepEqual([found.name, found.rights, found.mayManage], ['Bob', lessRights, true])
  assert.equal(found.sessions.length, 1)
  assert.deepEqual(tokens, [{id: made.body.id, name: 'CI', rights: everywhere('viewer'), mayManage: true}])

  const me = () => fetch(`${lake.address}/v1/users/me`, {headers: {cookie: bob.cookie}})
  const user = JSON.parse(await (await me()).text())
  assert.equal(user.roles[0].title, 'Author of Harbour Supply')
  const mutations = [{create: {_id: 'a', _type: 'tool', name: 'x'}}]
  const refused = await fetch(`${lake.address}/v1/data/mutate/production`, {
    method: 'POST',
    headers: {cookie: bob.cookie, origin: lake.address, 'content-type': 'application/json'},
    body: JSON.stringify({mutations}),
  })
  assert.match(await refused.text(), /Your rights: author of Harbour Supply\. Ask an administrator: ada/)
  assert.equal((await request('ada', 'DELETE', `${bobPath}/sessions`)).status, 204)
  assert.equal((await me()).status, 401)
  assert.equal((await request('ada', 'DELETE', `/tokens/${made.body.id}`)).status, 204)
  assert.equal((await request('ada', 'DELETE', bobPath)).status, 204)

  // The command line writes to the same log.
  await manageAccounts(
    ['token', 'add', '--name', 'cli', '--role', 'viewer'],
    openStateIn(lake.stateFolder),
    lake.address,
  )
  const {events} = (await request('ada', 'GET', '/audit')).body
  const runner = process.env.SUDO_USER || process.env.USER
  assert.deepEqual(
    events.slice(0, 8).map(({text}: {text: string}) => text),
    [
      `The command line${runner ? ` (${runner})` : ''} made the token “cli” with these rights: viewer of all sites`,
      'ada removed Bob (bob@example.com)',
      'ada revoked the token “CI”',
      'ada ended a session of Bob (bob@example.com)',
      'ada made the token “CI” with these rights: viewer of all sites',
      'ada changed the rights of Bob (bob@example.com) from “publisher of all sites” to “author of Harbour Supply”',
      'Bob signed in with a sign-in link',
      'ada invited Bob (bob@example.com) as publisher of all sites',
    ],
  )
  const ofBob = (await request('ada', 'GET', `/audit?kind=signIn&person=${bob.id}`)).body.events
  assert.equal(ofBob.length, 1)
  assert.deepEqual((await request('ada', 'GET', '/audit?since=2200-01-01')).body.events, [])
  for (const query of ['kind=else', 'since=tomorrow'])
    assert.equal((await request('ada', 'GET', `/audit?${query}`)).status, 400)
  const log = auditTextIn(lake.stateFolder)
  for (const secret of [code, made.body.token]) assert.ok(!log.includes(secret))
  assert.equal(people.ada.id, events[1].by.id)
})

test('no administrator gives, takes or gains more than they have', async (t) => {
  const {lake, people, kim, request} = await openLake(t)
  const {ada, eve, sam, ann} = people
  const author = (...sites: string[]) => ({role: 'author', sites})
  const invite = (rights: unknown) => ({name: 'New', email: 'new@example.com', rights})
  const rows: [keyof typeof people, string, string, unknown, number, RegExp?][] = [
    // A person who is not an administrator.
    ['ann', 'GET', '/people', undefined, 403],
    ['ann', 'POST', '/tokens', {name: 'x', rights: [author('shop')]}, 403],
    // Of one site.
    ['sam', 'GET', '/audit', undefined, 403, /administrators of all sites/],
    [
      'sam',
      'POST',
      '/people',
      invite(ALL),
      403,
      /only give and take away rights for sites that you administer/,
    ],
    ['sam', 'POST', '/people', invite([author('shop', 'blog')]), 403],
    ['sam', 'POST', '/tokens', {name: 'x', rights: everywhere('viewer')}, 403],
    ['sam', 'POST', `/people/${ada.id}/link`, undefined, 403],
    ['sam', 'POST', `/people/${ann.id}/link`, undefined, 403],
    ['sam', 'DELETE', `/people/${ann.id}`, undefined, 403],
    ['sam', 'DELETE', `/people/${ann.id}/sessions`, undefined, 403],
    ['sam', 'PUT', `/people/${ada.id}/rights`, {rights: [author('shop')]}, 403],
    ['sam', 'PUT', `/people/${ann.id}/rights`, {rights: [author('shop')]}, 403],
    ['sam', 'PUT', `/people/${sam.id}/rights`, {rights: ALL}, 403, /cannot change your own rights/],
    // What belongs to their site they may change.
    [
      'sam',
      'PUT',
      `/people/${ann.id}/rights`,
      {rights: [author('shop', 'blog'), {role: 'publisher', sites: ['shop']}]},
      200,
    ],
    ['sam', 'PUT', `/people/${ann.id}/rights`, {rights: [author('shop', 'blog')]}, 200],
    ['sam', 'POST', '/tokens', {name: 'x', rights: [author('shop')]}, 200],
    // Of all sites.
    ['ada', 'PUT', `/people/${ada.id}/rights`, {rights: []}, 403, /cannot change your own rights/],
    ['ada', 'DELETE', `/people/${ada.id}`, undefined, 403, /cannot change your own rights/],
    // An identity provider decides about this person.
    ['ada', 'POST', `/people/${kim.id}/link`, undefined, 409, /signs in with single sign-on/],
    ['ada', 'PUT', `/people/${kim.id}/rights`, {rights: ALL}, 409, /signs in with single sign-on/],
    ['ada', 'POST', '/people', {...invite(ALL), email: 'no address'}, 400, /not an email address/],
    ['ada', 'POST', '/people', {...invite(ALL), name: ' '}, 400, /A name has 1 to 100 characters/],
    ['ada', 'POST', '/people', invite([{role: 'king', sites: 'all'}]), 400, /"role" must be one of/],
  ]
  for (const [who, method, path, body, status, text] of rows) {
    const response = await request(who, method, path, body)
    assert.equal(response.status, status, `${who} ${method} ${path} ${JSON.stringify(response.body)}`)
    if (text !== undefined) assert.match(response.body.message, text)
  }

  // Where others are signed in is not their business.
  const listed: {id: string; mayManage: boolean; sessions: unknown[]}[] = (
    await request('sam', 'GET', '/people')
  ).body.editors
  for (const {id, mayManage, sessions} of listed)
    assert.deepEqual([mayManage, sessions.length], [false, id === sam.id ? 1 : 0])

  // Both remove each other at the same time.
  const results = await Promise.all([
    request('ada', 'DELETE', `/people/${eve.id}`),
    request('eve', 'DELETE', `/people/${ada.id}`),
  ])
  const statuses = results.map(({status}) => status)
  assert.equal(statuses.filter((status) => status === 204).length, 1, String(statuses))
  const editors = await accountsIn(lake.stateFolder).editors()
  const remaining = editors.filter(({rights}) => isDeepStrictEqual(rights, ALL))
  assert.equal(remaining.length, 1)
})

test('everyone sees their own rights, sessions and whom to ask, and ends their own sessions only', async (t) => {
  const {lake, people, request} = await openLake(t)
  const other = await signInByLink(lake, people.ann.id)
  const {body} = await request('ann', 'GET', '/me')
  assert.deepEqual(
    [body.name, body.mayAdminister, body.mayAudit, body.sessions.length],
    ['ann', false, false, 2],
  )
  const names = (people: {name: string}[]) => people.map(({name}) => name)
  assert.deepEqual(names(body.administrators), ['ada', 'eve', 'sam'])
  assert.deepEqual(names(body.publishers), ['ada', 'eve', 'sam'])
  const [current, another] = [true, false].map((is) =>
    body.sessions.find(({isCurrent}: {isCurrent: boolean}) => isCurrent === is),
  )
  assert.equal((await request('ada', 'DELETE', `/me/sessions/${another.id}`)).status, 404)
  assert.equal((await request('ann', 'DELETE', `/me/sessions/${another.id}`)).status, 204)
  const withOther = await fetch(`${lake.address}/v1/users/me`, {headers: {cookie: other}})
  assert.equal(withOther.status, 401)
  assert.deepEqual(
    (await request('ann', 'GET', '/me')).body.sessions.map(({id}: {id: string}) => id),
    [current.id],
  )
})
