import assert from 'node:assert/strict'
import {createHash} from 'node:crypto'
import {after, before, describe, test} from 'node:test'
import {buildModule, buildSnippet} from '../../../snippet/build/build.ts'
import type {Snippet} from '../../../snippet/build/built.ts'
import {errorOf} from '../../support/answers.ts'
import {type House, runHouse, startHouse} from '../../support/house.ts'
import {decoded, plainGet} from '../../support/network/plainGet.ts'
import {trialToken} from '../../support/trialToken.ts'

const originTrialToken = trialToken({})
const REVALIDATED = 'public, max-age=300, stale-while-revalidate=86400'
const MODULES = [
  ['preview.js', 'panel'],
  ['snippet.calls.js', 'calls'],
  ['snippet.ask.js', 'ask'],
  ['snippet.conditions.js', 'conditions'],
  ['snippet.report.js', 'report'],
] as const

describe('the snippet', () => {
  let house: House
  let snippet: Snippet
  let latest: string
  let pinned: string

  before(async () => {
    house = await startHouse([], {RATE_LIMIT_MAX: '1', WEBMCP_ORIGIN_TRIAL_TOKEN: originTrialToken})
    snippet = await buildSnippet({originTrialToken})
    latest = `${house.serviceAddress}/snippet.js`
    pinned = `${house.serviceAddress}/snippet.${snippet.hash}.js`
  })
  after(() => house.close())

  test('and its modules are the builds, which pages of any origin may load, and keep as long as their address says', async () => {
    assert.ok(snippet.text.includes(originTrialToken))
    const modules = MODULES.map(async ([path, name]) => [path, (await buildModule(name)).text, REVALIDATED])
    for (const [path, text, cacheControl] of [
      ['snippet.js', snippet.text, REVALIDATED],
      [`snippet.${snippet.hash}.js`, snippet.text, 'public, max-age=31536000, immutable'],
      ...(await Promise.all(modules)),
    ]) {
      const response = await fetch(`${house.serviceAddress}/${path}`, {
        headers: {origin: 'https://any.example'},
      })
      assert.deepEqual([response.status, await response.text()], [200, text], path)
      const {headers} = response
      assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8')
      assert.equal(headers.get('access-control-allow-origin'), '*')
      assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('cache-control'), cacheControl)
    }
  })

  test('has the integrity that a browser computes: the hash is the start of its SHA-384', async () => {
    const bytes = new Uint8Array(await (await fetch(pinned)).arrayBuffer())
    assert.equal(`sha384-${createHash('sha384').update(bytes).digest('base64')}`, snippet.integrity)
    assert.equal(createHash('sha384').update(bytes).digest('hex').slice(0, 16), snippet.hash)
  })

  // Which encoding is sent to whom: encodings/encodings.test.ts.
  test('is compressed, with a tag of each encoding: 304 for the one that would be sent, 200 for another one', async () => {
    for (const url of [latest, pinned]) {
      const br = await plainGet(url, 'br')
      assert.equal(br.headers['content-encoding'], 'br')
      assert.equal(decoded('br', br.body), snippet.text)
      const same = await plainGet(url, 'br', br.headers.etag)
      assert.equal(same.status, 304)
      assert.equal(same.body.byteLength, 0)
      for (const header of ['etag', 'cache-control', 'vary', 'access-control-allow-origin'] as const) {
        assert.equal(same.headers[header], br.headers[header], header)
      }
      assert.equal(same.headers['content-encoding'], undefined)
      assert.equal((await plainGet(url, 'gzip', br.headers.etag)).status, 200)
    }
  })

  test('of another build is not found, and that 404 is not cached', async () => {
    for (const hash of ['0123456789abcdef', snippet.hash.toUpperCase(), '', 'x'.repeat(90)]) {
      const {status, code, message} = await errorOf(fetch(`${house.serviceAddress}/snippet.${hash}.js`))
      assert.deepEqual([status, code], [404, 'NOT_FOUND'])
      assert.match(String(message), /was updated.*use a new embed tag/)
    }
  })

  test('has no rate limit', async () => {
    for (let i = 0; i < 20; i++) assert.equal((await fetch(latest)).status, 200)
  })
})

test('an earlier build stays at its address after an upgrade', async (t) => {
  const house = await runHouse(t, [])
  const old = await buildSnippet()
  const upgraded = await house.replica({WEBMCP_ORIGIN_TRIAL_TOKEN: originTrialToken})
  assert.notEqual(await (await fetch(`${upgraded.serviceAddress}/snippet.js`)).text(), old.text)
  for (const coding of ['br', 'gzip', undefined]) {
    const {status, headers, body} = await plainGet(
      `${upgraded.serviceAddress}/snippet.${old.hash}.js`,
      coding,
    )
    assert.deepEqual([status, headers['content-encoding']], [200, coding])
    assert.equal(decoded(coding, body), old.text)
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
  }
})

test('the licenses of what the panel contains are served next to it, and it says where', async (t) => {
  const house = await runHouse(t, [])
  const panel = await (await fetch(`${house.serviceAddress}/preview.js`)).text()
  assert.match(panel, /^\/\*! Licenses: third-party\.txt next to this file \*\//)
  const response = await fetch(`${house.serviceAddress}/third-party.txt`)
  assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.match(await response.text(), /^preact [\d.]+ \(MIT\)$[\s\S]*Jason Miller/m)
})
