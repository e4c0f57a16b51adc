import assert from 'node:assert/strict'
import {createHash} from 'node:crypto'
import {after, before, describe, test} from 'node:test'
import {configOf, errorOf} from '../../support/answers.ts'
import {eventually} from '../../support/eventually.ts'
import {type House, runHouse, startHouse} from '../../support/house.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'

const script = [
  "if (signal.aborted) throw new Error('aborted: ' + signal.reason)",
  'const greeting = await Promise.resolve("Grüße, " + args.name + " 👋")',
  'return {greeting} // the last line is a comment',
].join('\n')

const inSite = (site: string) => ({site: {_ref: site, _type: 'reference'}})

/** A tool as a page sees it: everything the page needs to request its module. */
type Known = {publicId: string; id: string; script: string}

function urlOf(house: House, {publicId, id, script}: Known): string {
  const revision = createHash('sha256').update(script).digest('hex')
  return `${house.serviceAddress}/api/sites/${publicId}/tools/${id}/${revision}.js`
}

async function knownTool(house: House, name: string, publicId = 'shop-public'): Promise<Known> {
  const {tools} = await configOf(house.config(publicId))
  const {id, executeJs} = tools.find((tool) => tool.name === name) ?? {}
  assert.ok(typeof id === 'string' && typeof executeJs === 'string', name)
  return {publicId, id, script: executeJs}
}

/** Imports a module as a page does, from what the service sent. */
async function imported(url: string): Promise<(args: unknown, options: {signal: AbortSignal}) => unknown> {
  const source = await (await fetch(url)).text()
  const module = await import(`data:text/javascript,${encodeURIComponent(source)}`)
  return module.default
}

describe('a script module', () => {
  let house: House
  let greet: Known
  let url: string

  before(async () => {
    house = await startHouse([
      siteDocument(),
      siteDocument({_id: 'b', publicId: 'site-b'}),
      toolDocument({_id: 'greet', name: 'greet', executeJs: script}),
      toolDocument({_id: 'broken', name: 'broken', inputSchema: '{'}),
      toolDocument({_id: 'off', name: 'off', enabled: false}),
      toolDocument({_id: 'of-b', name: 'ofB', ...inSite('b'), executeJs: 'return "b"'}),
      formToolDocument(),
    ])
    greet = await knownTool(house, 'greet')
    url = urlOf(house, greet)
  })
  after(() => house.close())

  test('is found by the SHA-256 of the executeJs in the config, and contains the script unchanged', async () => {
    const response = await fetch(url)
    assert.equal(response.status, 200)
    assert.equal(await response.text(), `export default async (args, {signal}) => {\n${script}\n}\n`)
  })

  test('runs with args and signal, and returns what the script returns', async () => {
    const run = await imported(url)
    const running = new AbortController()
    assert.deepEqual(await run({name: 'Ada'}, {signal: running.signal}), {greeting: 'Grüße, Ada 👋'})
    running.abort('no longer needed')
    await assert.rejects(async () => run({name: 'Ada'}, {signal: running.signal}), /aborted: no longer/)
  })

  test('may be run by pages of any origin, and cached for a year', async () => {
    const {headers} = await fetch(url, {headers: {origin: 'https://any.example'}})
    assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8')
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.match(headers.get('etag') ?? '', /^"[0-9a-f]{64}"$/)
  })

  test('If-None-Match: 304 without a body, with the headers of the 200', async () => {
    const first = await fetch(url)
    const tag = first.headers.get('etag') ?? ''
    const second = await fetch(url, {headers: {'if-none-match': tag}})
    assert.equal(second.status, 304)
    assert.equal(await second.text(), '')
    for (const header of ['etag', 'cache-control', 'access-control-allow-origin', 'vary']) {
      assert.equal(second.headers.get(header), first.headers.get(header), header)
    }
    assert.equal((await fetch(url, {headers: {'if-none-match': '"x"'}})).status, 200)
  })

  test('of a tool that is not served, of another site, or with another text is not found', async () => {
    const ofB = await knownTool(house, 'ofB', 'site-b')
    const {formTools} = await configOf(house.config('shop-public'))
    const search = toolDocument().executeJs
    assert.ok(typeof search === 'string')
    const rows: [string, string][] = [
      ['a disabled tool', urlOf(house, {...greet, id: 'off', script: search})],
      ['a tool that breaks a rule', urlOf(house, {...greet, id: 'broken', script: search})],
      ['a tool of another site', urlOf(house, {...ofB, publicId: 'shop-public'})],
      ['a tool at another site', urlOf(house, {...greet, publicId: 'site-b'})],
      ['an unknown site', urlOf(house, {...greet, publicId: 'no-such-site'})],
      ['a form tool', urlOf(house, {...greet, id: String(formTools[0]?.id)})],
      ['a document ID that is not a tool ID', urlOf(house, {...greet, id: 'greet'})],
      ['another text', urlOf(house, {...greet, script: `${script} `})],
      ['the digest in capitals', url.replace(/[0-9a-f]{64}/, (digest) => digest.toUpperCase())],
      ['half a digest', url.replace(/[0-9a-f]{32}\.js$/, '.js')],
      ['no digest', url.replace(/[0-9a-f]{64}/, '')],
      ['no file extension', url.replace(/\.js$/, '')],
      ['a digest that is far too long', url.replace('.js', `${'0'.repeat(500)}.js`)],
    ]
    assert.equal((await fetch(urlOf(house, ofB))).status, 200)
    for (const [what, address] of rows) {
      const {status, code} = await errorOf(fetch(address))
      assert.deepEqual([status, code], [404, 'NOT_FOUND'], what)
    }
  })

  test('changes with the script: after a publish the new one is served and the old one is gone', async () => {
    const text = 'return "the second edition"'
    const changed = {...greet, script: text}
    await house.repository.commit([toolDocument({_id: 'greet', name: 'greet', executeJs: text})])
    const response = await eventually(
      () => fetch(urlOf(house, changed)),
      ({status}) => status === 200,
    )
    assert.match(await response.text(), /second edition/)
    assert.equal((await errorOf(fetch(url))).status, 404)
    await house.repository.commit([toolDocument({_id: 'greet', name: 'greet', executeJs: script})])
    await eventually(async () => (await fetch(url)).status, 200)
  })

  test('never contains a draft, and disappears when the tool is unpublished', async () => {
    const draft = 'return "a secret draft"'
    const [published] = await house.client.fetch('*[_type == "tool" && name == "greet"]')
    await house.client.createOrReplace({...published, _id: `drafts.${published._id}`, executeJs: draft})
    house.pass(2)
    assert.equal((await errorOf(fetch(urlOf(house, {...greet, script: draft})))).status, 404)
    assert.equal((await fetch(url)).status, 200)
    await house.client.delete('greet')
    await eventually(async () => (await fetch(url)).status, 404)
    assert.equal((await errorOf(fetch(urlOf(house, {...greet, script: draft})))).status, 404)
  })
})

test('modules count towards the limit of the site, with its configs', async (t) => {
  const house = await runHouse(t, [siteDocument(), toolDocument()], {RATE_LIMIT_MAX: '4'})
  const url = urlOf(house, await knownTool(house, 'searchProducts'))
  const statuses = []
  for (let i = 0; i < 4; i++) statuses.push((await fetch(url)).status)
  assert.deepEqual(statuses, [200, 200, 200, 429])
  assert.equal((await errorOf(house.config('shop-public'))).code, 'RATE_LIMITED')
})
