import assert from 'node:assert/strict'
import {test} from 'node:test'
import {State} from '../../../content/state/state.ts'
import {Accounts} from '../../../lake/access/accounts.ts'
import {everywhere} from '../../../lake/access/rights/rights.ts'
import {browserAddress, originOf} from '../../../lake/access/signInLink.ts'
import {manageAccounts} from '../../../lake/commands/accounts.ts'
import {commandHelp} from '../../../lake/commands/commandLine.ts'
import {temporaryFolder} from '../support/git.ts'
import {runLake} from '../support/lake.ts'
import {accountsIn, cookieOf, openStateIn, pressLink, signInByLink} from '../support/signIn.ts'

const email = 'ada@example.com'

test('the person who starts a lake without a terminal gets a link by a command, which adds the first editor', async (t) => {
  const file = await temporaryFolder(t)
  const run = (...words: string[]) => manageAccounts(words, openStateIn(file), 'https://lake.example')
  assert.match(await run('editor', 'link'), /^https:\/\/lake\.example\/login\?code=[\w-]{43}$/)
  assert.match(await run('editor', 'list'), /^administrator of all sites\t[^\n]+$/)
})

test('an editor is added, listed, given another role and removed', async (t) => {
  const file = await temporaryFolder(t)
  const run = (...words: string[]) => manageAccounts(words, openStateIn(file), 'https://lake.example')
  assert.equal(await run('editor', 'list'), 'none')
  const added = await run('editor', 'add', '--email', email, '--name', 'Ada')
  assert.match(
    added,
    /^Ada <ada@example\.com> is publisher of all sites\nhttps:\/\/lake\.example\/login\?code=[\w-]{43}$/,
  )
  assert.equal(
    await run('editor', 'role', '--email', 'ADA@example.com', '--role', 'viewer'),
    `Ada <${email}> is viewer of all sites`,
  )
  assert.equal(await run('editor', 'list'), `viewer of all sites\t${email}\tAda`)
  assert.equal(
    await run('editor', 'role', '--email', email, '--role', 'author', '--sites', 'shop, blog'),
    `Ada <${email}> is author of shop, blog`,
  )
  assert.equal(await run('editor', 'list'), `author of shop, blog\t${email}\tAda`)
  assert.match(
    await run('editor', 'link', '--email', email),
    /^https:\/\/lake\.example\/login\?code=[\w-]{43}$/,
  )
  assert.match(await run('token', 'add', '--name', 'ci', '--role', 'viewer'), /^[\w-]{43}$/)
  assert.equal(await run('token', 'list'), 'viewer of all sites\tci')
  assert.equal(await run('token', 'remove', '--name', 'ci'), 'Removed ci')
  assert.equal(await run('editor', 'remove', '--email', email), `Removed ${email}`)
  assert.equal(await run('editor', 'list'), 'none')
  const events = (await run('audit')).split('\n').map((line) => JSON.parse(line))
  assert.deepEqual(
    events.map(({type}) => type),
    [
      'people.invited',
      'people.rightsChanged',
      'people.rightsChanged',
      'people.linkMade',
      'token.made',
      'token.revoked',
      'people.removed',
    ],
  )
  assert.equal(JSON.parse(await run('audit', '--after', events[5].id)).type, 'people.removed')
})

test('a person is erased from accounts, the audit log and the history of reviews, once no request names them', async () => {
  const state = State.inMemory()
  const run = (...words: string[]) => manageAccounts(words, state, '')
  const rights = everywhere('publisher')
  const {id} = await new Accounts(state).addEditor({name: 'Ada', email, rights})
  await run('editor', 'role', '--email', email, '--role', 'viewer')
  const review = JSON.stringify({by: {id, name: 'Ada', email}, before: {name: 'Ask Ada'}})
  state.run("INSERT INTO draft (id, document) VALUES ('drafts.review', ?)", review)
  state.run(
    "INSERT INTO draft_step (draft, transaction_id, timestamp, author, after, is_edit) VALUES ('a', 'b', 'c', ?, ?, 1)",
    ...[id, review],
  )
  await assert.rejects(run('editor', 'erase', '--email', email), /name this person.*: drafts\.review/)
  state.run('DELETE FROM draft')
  assert.match(
    await run('editor', 'erase', '--email', email),
    /^Erased ada@example\.com: 2 events of the audit log, 1 steps of reviews/,
  )
  const {after} = state.get('SELECT after FROM draft_step') ?? {}
  const erased = {id, name: 'an erased person', email: ''}
  assert.deepEqual(JSON.parse(String(after)), {by: erased, before: {name: 'Ask Ada'}})
  const audit = await run('audit')
  assert.match(audit, /"text":"The command line[^"]* removed an erased person"/)
  assert.doesNotMatch(audit, /Ada|ada@/)
  await assert.rejects(run('editor', 'erase', '--email', email), /No editor or former editor/)
})

test('an invalid command explains what is wrong', async () => {
  const run = (...words: string[]) => manageAccounts(words, State.inMemory(), '')
  await assert.rejects(
    run('editor', 'role', '--email', email, '--role', 'viewer'),
    /^Error: editor ".*" not found/,
  )
  await assert.rejects(run('editor', 'password', '--email', email), /^Error: editor ".*" not found/)
  await assert.rejects(run('editor', 'link', '--email', email), /^Error: editor ".*" not found/)
  await assert.rejects(run('editor', 'role', '--email', email), /^Error: --role is missing\n\nUsage: /)
  await assert.rejects(
    run('editor', 'role', '--email', email, '--role', 'owner'),
    /^Error: --role owner: "role" must be one of administrator, publisher, author, viewer, reporter$/,
  )
  for (const words of [['role'], ['add', '--name', 'Ada']])
    await assert.rejects(
      run('editor', ...words, '--email', email, '--role', 'reporter'),
      /^Error: --role reporter: the role "reporter" is only for tokens: a person has at least the role "viewer"$/,
    )
  await assert.rejects(
    run('editor', 'role', '--email', email, '--role', 'author', '--sites', 'shop,drafts.blog'),
    /^Error: --role author --sites shop,drafts.blog: "sites" must be "all", or a list of/,
  )
  await assert.rejects(run('editor', 'add', '--email', 'a\u001b@b', '--name', 'x'), /is not an email address/)
  await assert.rejects(run('editor', 'password', '--mail', email), /Unknown option '--mail'.*\n\nUsage: /s)
  const refused: [words: string, problem: string][] = [
    ['foo', 'There is no command "foo"'],
    ['publish now', 'There is no command "publish now"'],
    ['--email x', 'The command is missing'],
    ['editor remove --email x --sites shop', '"editor remove" has no option --sites'],
  ]
  for (const [words, problem] of refused)
    assert.throws(() => commandHelp(words.split(' ')), new RegExp(`^Error: ${problem}\n\nUsage: `))
  for (const name of ['add', 'link', 'role', 'password', 'list', 'remove'])
    assert.match(commandHelp(['--help']) ?? '', new RegExp(`  editor ${name}`))
})

test('without their password, an editor has no sessions and no link either, keeps the id, and gets a new link', async (t) => {
  const lake = await runLake(t)
  const accounts = accountsIn(lake.stateFolder)
  const rights = everywhere('publisher')
  const {id} = await accounts.addEditor({name: 'Ada', email, rights}, 'correct horse battery')
  const bob = await accounts.addEditor({name: 'Bob', email: 'bob@example.com', rights})
  const cookies = [await signInByLink(lake, id), await signInByLink(lake, bob.id)]
  const code = await accounts.makeLink(id)
  const statuses = () =>
    Promise.all(
      cookies.map(async (cookie) => (await fetch(`${lake.address}/v1/users/me`, {headers: {cookie}})).status),
    )
  assert.deepEqual(await statuses(), [200, 200])
  const words = ['editor', 'password', '--email', email]
  // A command knows the port of the lake that runs.
  const state = openStateIn(lake.stateFolder)
  const link = new URL(await manageAccounts(words, state, (await originOf(state)) ?? ''))
  assert.equal(link.origin, browserAddress(lake.address))
  assert.deepEqual(await statuses(), [401, 200])
  assert.equal((await pressLink(lake, code)).status, 403)
  assert.equal(await accounts.byPassword(email, 'correct horse battery'), undefined)
  cookies[0] = cookieOf(await pressLink(lake, link.searchParams.get('code') ?? ''))
  assert.deepEqual(await statuses(), [200, 200])
  assert.equal(accounts.byEmail(email)?.id, id)
})
