import assert from 'node:assert/strict'
import {readFile, stat} from 'node:fs/promises'
import {type TestContext, test} from 'node:test'
import {everywhere} from '../../../../lake/access/rights/rights.ts'
import {type RunningLake, runLake} from '../../support/lake.ts'
import {accountsIn, cookieOf, pressLink} from '../../support/signIn.ts'

const ada = {name: 'Ada <Lovelace>', email: 'ada@example.com', rights: everywhere('publisher')} as const

/** A lake behind a proxy, so that each request can come from its own client address. */
async function lakeWithAda(t: TestContext) {
  const lake = await runLake(t, {}, {trustedProxies: ['loopback']})
  const accounts = accountsIn(lake.editorsFile)
  const {id} = await accounts.addEditor(ada)
  let clients = 0
  const anotherClient = () => ({'x-forwarded-for': `192.0.${2 + (++clients >> 8)}.${clients & 255}`})
  return {lake, accounts, id, anotherClient}
}

const me = async (lake: RunningLake, cookie: string) =>
  (await fetch(`${lake.address}/v1/users/me`, {headers: {cookie}})).status

test('a link used by many clients at the same time signs in once, and the file stays valid', async (t) => {
  const {lake, accounts, id, anotherClient} = await lakeWithAda(t)
  for (let round = 0; round < 20; round++) {
    const code = await accounts.makeLink(id)
    const codes = [code, 'made-up-1', code, 'made-up-2', code, 'made-up-3', code, 'made-up-4']
    const responses = await Promise.all(codes.map((one) => pressLink(lake, one, {headers: anotherClient()})))
    const statuses = responses.map(({status}) => status).sort()
    assert.deepEqual(statuses, [303, 403, 403, 403, 403, 403, 403, 403])
    const [editor] = JSON.parse(await readFile(lake.editorsFile, 'utf8')).editors
    assert.deepEqual([editor.id, editor.link], [id, undefined])
  }
})

test('opening a link does not use it up; the button on its page does', async (t) => {
  const {lake, accounts, id} = await lakeWithAda(t)
  const code = await accounts.makeLink(id)
  const url = `${lake.address}/login?${new URLSearchParams({code, to: '/structure'})}`
  assert.equal((await fetch(url, {method: 'HEAD', redirect: 'manual'})).status, 200)
  for (let time = 0; time < 2; time++) {
    const response = await fetch(url, {redirect: 'manual'})
    assert.deepEqual([response.status, response.headers.get('set-cookie')], [200, null])
    const html = await response.text()
    assert.match(html, /Ada &lt;Lovelace&gt;/)
    assert.match(html, /ada@example\.com/)
    assert.match(
      html,
      new RegExp(`<form method="post" action="/login">[^]*value="/structure"[^]*value="${code}"`),
    )
    assert.doesNotMatch(html, /<script/)
  }
  const signedIn = await pressLink(lake, code, {to: '/structure'})
  assert.deepEqual([signedIn.status, signedIn.headers.get('location')], [303, '/structure'])
  assert.equal(await me(lake, cookieOf(signedIn)), 200)
  assert.equal((await fetch(url)).status, 403)
  assert.equal((await pressLink(lake, code)).status, 403)
})

test('another site cannot press the button', async (t) => {
  const {lake, accounts, id} = await lakeWithAda(t)
  const code = await accounts.makeLink(id)
  for (const headers of [
    {origin: 'https://evil.example'},
    {origin: 'null'},
    {origin: 'http://127.0.0.1:1'},
  ]) {
    const response = await pressLink(lake, code, {headers})
    assert.deepEqual([response.status, response.headers.get('set-cookie')], [403, null])
  }
  assert.equal((await pressLink(lake, code)).status, 303)
})

test('a target too long for a header is replaced before the link is used', async (t) => {
  const {lake, accounts, id} = await lakeWithAda(t)
  for (const to of ['/%00', '/%7f', '/%0d%0aset-cookie:a=b', '/%ff', '/%E6%97%A5']) {
    const code = await accounts.makeLink(id)
    assert.equal((await fetch(`${lake.address}/login?code=${code}&to=${to}`)).status, 200, to)
    const response = await pressLink(lake, code, {to: decodeURIComponent(to.replace('%ff', '\ufffd'))})
    assert.deepEqual([response.status, await me(lake, cookieOf(response))], [303, 200], to)
    assert.match(response.headers.get('location') ?? '', /^\/(%[\dA-F]{2})*$/, to)
  }
})

test('an unknown code does not change the file', async (t) => {
  const {lake} = await lakeWithAda(t)
  const before = await stat(lake.editorsFile)
  for (const code of ['', 'made-up', 'x'.repeat(5_000)]) {
    assert.equal((await fetch(`${lake.address}/login?code=${code}`)).status, 403)
    assert.equal((await pressLink(lake, code)).status, 403)
  }
  await fetch(`${lake.address}/v1/auth/logout`, {
    method: 'POST',
    headers: {origin: lake.address, cookie: `handrail_session_${new URL(lake.address).port}=made-up`},
  })
  const {ino, mtimeMs} = await stat(lake.editorsFile)
  assert.deepEqual([ino, mtimeMs], [before.ino, before.mtimeMs])
  await assert.rejects(stat(lake.editorsFile.replace('.json', '.sessions.json')), /ENOENT/)
})
