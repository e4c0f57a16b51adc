import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import {createPreviewSecret} from '@sanity/preview-url-secret/create-secret'
import {previewSourceOf} from '../../../schemas/preview.ts'
import * as seals from '../../../service/preview/seals.ts'
import {errorOf, recordOf} from '../../support/answers.ts'
import {eventually} from '../../support/eventually.ts'
import {type House, type Replica, runHouse} from '../../support/house.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'
import {
  bodyOf,
  codeFor,
  exchange,
  PAGE,
  preview,
  previewUrl,
  STUDIO,
  startPreviewHouse,
  tokenFor,
} from './support.ts'

/** Status, code and message of a refusal, after checking that no cache and no `Referer` may keep it. */
async function refusalOf(response: Promise<Response>): Promise<unknown[]> {
  assert.equal((await response).headers.get('referrer-policy'), 'no-referrer')
  const {status, code, message} = await errorOf(response)
  return [status, code, message]
}

const LINK_INVALID = [
  401,
  'PREVIEW_ENDED',
  'This preview link is not valid here, or its time is over. Open the page again from Studio.',
]
const TOKEN_INVALID = [
  401,
  'PREVIEW_ENDED',
  'This preview was ended, or is not valid here. Open the page again from Studio.',
]
const LINK_USED = [
  401,
  'PREVIEW_ENDED',
  'This preview link was already used. Open the page from Studio again.',
]
const LINK_OVER = [
  401,
  'PREVIEW_ENDED',
  'The time of this preview link is over. Open the page from Studio again.',
]
const TIME_OVER = [401, 'PREVIEW_ENDED', 'The time of this preview is over. Open the page again from Studio.']
const OTHER_ORIGIN = [
  401,
  'PREVIEW_ENDED',
  'This preview belongs to another website address. Open the page again from Studio.',
]

const inSite = (_ref: string) => ({site: {_type: 'reference', _ref}})

describe('a preview', {concurrency: false}, () => {
  let house: House
  /** Of a link that is not used. */
  let code: string
  let token: string

  before(async () => {
    house = await startPreviewHouse(
      [
        siteDocument(),
        toolDocument(),
        siteDocument({_id: 'shop-2', publicId: 'other-shop', name: 'Rival'}),
        toolDocument({_id: 'search-2', ...inSite('shop-2'), name: 'rivalTool', executeJs: 'return "rival"'}),
      ],
      {RATE_LIMIT_MAX: '1000000'},
    )
    code = await codeFor(house)
    token = await tokenFor(house)
  })
  after(() => house.close())

  /** The module path of the only script, for the current token. */
  async function modulePath(): Promise<string> {
    const {members} = await bodyOf(preview(house, token))
    return String(Object.values(recordOf(members.modules))[0])
  }

  test('does not begin with a code that is made up, altered, empty, or of another kind of document', async () => {
    const code = await codeFor(house)
    const secrets: string[] = await house.client.fetch(
      '*[code == $code].secret',
      {code},
      {perspective: 'raw'},
    )
    assert.equal(secrets.length, 1)
    await createPreviewSecret(house.client, 'sanity/presentation', STUDIO, 'editor')
    const {secret: foreign} = await createPreviewSecret(
      house.client,
      'handrail.shop-public2',
      STUDIO,
      'editor',
    )
    await house.client.create({
      _id: 'published-secret',
      _type: 'sanity.previewUrlSecret',
      source: previewSourceOf('shop-public'),
      secret: 'published-where-anyone-reads-it',
      code: 'published-where-anyone-reads-it',
    })
    await house.client.create({
      _id: 'drafts.weak',
      _type: 'sanity.previewUrlSecret',
      source: previewSourceOf('shop-public'),
      secret: 'long-enough-for-a-secret',
      code: 'weak',
    })
    const last = code.at(-1) === 'A' ? 'B' : 'A'
    const rows = [
      ...[
        'guessed-guessed-guessed-guessed',
        '',
        'weak',
        foreign,
        ...secrets,
        'published-where-anyone-reads-it',
      ],
      ...[`${code} `, `${code}A`, code.slice(1), code.slice(0, -1), code.slice(0, -1) + last],
      code.toUpperCase(),
    ]
    for (const guess of rows) assert.deepEqual(await refusalOf(exchange(house, guess)), LINK_INVALID, guess)
    assert.equal((await exchange(house, code)).status, 200)
  })

  test('does not begin at another site, and an unknown or malformed site is not told apart', async () => {
    for (const publicId of ['other-shop', 'no-such-site'])
      assert.deepEqual(await refusalOf(exchange(house, code, {publicId})), LINK_INVALID, publicId)
  })

  test('does not begin without a page, or with another body than a code', async () => {
    for (const origin of [
      'null',
      'file://',
      'https://shop.example/path',
      'chrome-extension://abcdef',
      'shop',
    ]) {
      const [status, error] = await refusalOf(exchange(house, code, {origin}))
      assert.deepEqual([status, error], [400, 'BAD_REQUEST'], origin)
    }
    for (const given of [undefined, null, 1, [code], {code}]) {
      const [status, error] = await refusalOf(exchange(house, given))
      assert.deepEqual([status, error], [400, 'BAD_REQUEST'], String(given))
    }
    for (const tab of [null, 1, 'short', 'a text with spaces and more']) {
      const [status, error] = await refusalOf(exchange(house, code, {tab}))
      assert.deepEqual([status, error], [400, 'BAD_REQUEST'], String(tab))
    }
    const post = (body: string, type: string) =>
      fetch(previewUrl(house), {method: 'POST', headers: {origin: PAGE, 'content-type': type}, body})
    assert.equal((await post('{', 'application/json')).status, 400)
    assert.equal((await post(`code=${code}`, 'application/x-www-form-urlencoded')).status, 415)
    assert.equal(
      (await post(JSON.stringify({code, more: 'x'.repeat(2_000)}), 'application/json')).status,
      413,
    )
  })

  test('begins with a code that was made just after a guess', async () => {
    const guess = 'guessed-code-of-another-preview'
    assert.deepEqual(await refusalOf(exchange(house, guess, {publicId: 'other-shop'})), LINK_INVALID)
    assert.ok(await tokenFor(house, 'other-shop'))
  })

  test('begins once with each link: in the tab that was first, which may ask again, and in no other', async () => {
    const once = await codeFor(house)
    const tab = 'the-first-tab-that-opened-it'
    const first = await exchange(house, once, {tab})
    assert.equal(first.status, 200)
    const stolen = [{}, {tab: 'another-tab-that-opened-it'}, {origin: 'https://evil.example'}]
    for (const other of stolen) assert.deepEqual(await refusalOf(exchange(house, once, other)), LINK_USED)
    const {token: given} = recordOf(await (await exchange(house, once, {tab})).json())
    assert.equal((await preview(house, String(given))).status, 200, 'the first response may be lost')
    assert.equal((await preview(house, String(recordOf(await first.json()).token))).status, 200)
    const withoutTab = await codeFor(house)
    const answers = await Promise.all([exchange(house, withoutTab), exchange(house, withoutTab)])
    assert.deepEqual(answers.map(({status}) => status).sort(), [200, 401])
  })

  test('says whether a page has used its link, without using it, also if another replica served that page', async () => {
    const other = await house.replica()
    const code = await codeFor(house)
    const openedAt = async ({serviceAddress}: Replica, given = code) => {
      const headers = {authorization: `Bearer ${given}`}
      return fetch(`${previewUrl({serviceAddress})}/opened`, {headers})
    }
    const bodyAt = async (replica: Replica) => (await openedAt(replica)).json()
    assert.deepEqual(await bodyAt(house), {})
    assert.equal((await openedAt(house, code.replace(/./g, '0'))).status, 401)
    const token = String(recordOf(await (await exchange(house, code)).json()).token)
    assert.deepEqual(await bodyAt(house), {origin: PAGE})
    assert.deepEqual(await bodyAt(other), {})
    assert.equal((await preview(other, token)).status, 200)
    assert.deepEqual(await bodyAt(other), {origin: PAGE})
  })

  test('shows nothing for a token that is missing, garbage, altered, or of another site', async () => {
    const altered = token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    const [id = '', , seal] = token.split('.')
    const otherOrigin = `${id}.${Buffer.from('https://evil.example').toString('base64url')}.${seal}`
    const ofOther = await tokenFor(house, 'other-shop')
    const ofCode = seals.seal({id, secret: code}, 'shop-public', {origin: PAGE})
    // Other texts that are no token: test/service/preview/seals.test.ts.
    for (const given of ['', altered, otherOrigin, ofOther, code, ofCode])
      assert.deepEqual(await refusalOf(preview(house, given)), TOKEN_INVALID, given)
    assert.deepEqual(await refusalOf(fetch(`${previewUrl(house)}?path=/`)), TOKEN_INVALID)
    assert.deepEqual(await refusalOf(preview(house, token, '/', {publicId: 'other-shop'})), TOKEN_INVALID)
    assert.deepEqual(await refusalOf(preview(house, token, '/', {publicId: 'no-such-site'})), TOKEN_INVALID)
    assert.equal((await preview(house, token)).status, 200)
  })

  test('shows nothing to a page of another origin, or to a program without one', async () => {
    for (const origin of ['https://evil.example', 'http://shop.example', 'https://shop.example:8443', 'null'])
      assert.deepEqual(await refusalOf(preview(house, token, '/', {headers: {origin}})), OTHER_ORIGIN, origin)
    const headers = {authorization: `Bearer ${token}`}
    assert.deepEqual(await refusalOf(fetch(`${previewUrl(house)}?path=/`, {headers})), OTHER_ORIGIN)
    const sameOrigin = {...headers, 'sec-fetch-site': 'same-origin'}
    assert.deepEqual(
      await refusalOf(fetch(`${previewUrl(house)}?path=/`, {headers: sameOrigin})),
      OTHER_ORIGIN,
    )
  })

  test('works on a page of the service’s own origin, whose GETs have no Origin', async () => {
    const response = await exchange(house, await codeFor(house), {origin: house.serviceAddress})
    const own = recordOf(await response.json()).token
    const headers = {authorization: `Bearer ${own}`, 'sec-fetch-site': 'same-origin'}
    assert.equal((await fetch(`${previewUrl(house)}?path=/`, {headers})).status, 200)
  })

  test('shows no script for a ticket that is altered, or for another script, tool or site', async () => {
    const path = await modulePath()
    assert.equal((await fetch(`${house.serviceAddress}/${path}`)).status, 200)
    const [, ticket = '', toolId = '', revision = ''] =
      /scripts\/([^/]+)\/([^/]+)\/([0-9a-f]{64})\.js$/.exec(path) ?? []
    const altered = ticket.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    const rows = [
      path.replace(ticket, altered),
      path.replace(ticket, token),
      path.replace(toolId, '00000000-0000-4000-8000-000000000000'),
      path.replace(
        revision,
        revision.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
      ),
      path.replace('shop-public', 'other-shop'),
    ]
    for (const url of rows)
      assert.equal((await fetch(`${house.serviceAddress}/${url}`)).status === 200, false, url)
    assert.deepEqual(await refusalOf(fetch(`${house.serviceAddress}/${rows[0]}`)), TOKEN_INVALID)
    assert.deepEqual(await refusalOf(fetch(`${house.serviceAddress}/${rows[3]}`)), TOKEN_INVALID)
  })

  test('ends for all its tokens and tickets within two seconds when Studio deletes the secret', async () => {
    const path = await modulePath()
    const first = await codeFor(house)
    const replayed = String(recordOf(await (await exchange(house, first)).json()).token)
    assert.equal((await preview(house, replayed)).status, 200)
    await house.client.delete({
      query: '*[_type == "sanity.previewUrlSecret" && code == $first]',
      params: {first},
    })
    await eventually(async () => (await preview(house, replayed)).status, 401)
    assert.deepEqual(await refusalOf(preview(house, replayed)), TOKEN_INVALID)
    assert.deepEqual(await refusalOf(exchange(house, first)), LINK_INVALID)
    assert.equal((await preview(house, token)).status, 200, 'another link still works')
    assert.equal((await fetch(`${house.serviceAddress}/${path}`)).status, 200)
  })

  // The last one: it moves the clock.
  test('is over with the hour of its secret, unless Studio renews that', async () => {
    const path = await modulePath()
    const late = await codeFor(house)
    house.pass(16 * 60)
    assert.deepEqual(await refusalOf(exchange(house, late)), LINK_OVER)
    assert.equal((await preview(house, token)).status, 200)
    house.pass(45 * 60)
    assert.deepEqual(await refusalOf(preview(house, token)), TIME_OVER)
    assert.deepEqual(await refusalOf(fetch(`${house.serviceAddress}/${path}`)), TIME_OVER)
    assert.deepEqual(await refusalOf(exchange(house, code)), TIME_OVER)
  })
})

test('without a token for upstream, the service shows no previews', async (t) => {
  const house = await runHouse(t, [siteDocument()])
  const off = await house.replica({SANITY_PROJECT_ID: 'abc123', SANITY_API_TOKEN: ''})
  t.after(() => off.close())
  const module = `${previewUrl(off)}/scripts/a/b/c.js`
  const visits = `${off.serviceAddress}/api/sites/shop-public/visits`
  for (const response of [
    exchange(off, 'x'.repeat(40)),
    preview(off, 'a.b.c'),
    fetch(module),
    fetch(visits),
  ]) {
    const {status, code} = await errorOf(response)
    assert.deepEqual([status, code], [404, 'PREVIEW_OFF'])
  }
})
