import assert from 'node:assert/strict'
import {after, before, beforeEach, describe, test} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import {uuidOf} from '../../../service/site/uuid.ts'
import {createSecret} from '../../../studio/preview/secrets.ts'
import {recordOf} from '../../support/answers.ts'
import type {ContentDocument} from '../../support/content.ts'
import {eventually} from '../../support/eventually.ts'
import type {House} from '../../support/house.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'
import {bodyOf, exchange, type PreviewBody, preview, STUDIO, startPreviewHouse, tokenFor} from './support.ts'

const inSite = (_ref: string) => ({site: {_type: 'reference', _ref}})

const draftOf = (document: ContentDocument, fields: Partial<ContentDocument> = {}): ContentDocument => ({
  ...document,
  ...fields,
  _id: `drafts.${document._id}`,
})

const cart = toolDocument({
  _id: 'cart',
  name: 'getCart',
  pathPattern: '/cart',
  description: 'Returns the cart.',
})

describe('a preview', {concurrency: false}, () => {
  let house: House
  let token: string

  before(async () => {
    house = await startPreviewHouse([
      siteDocument(),
      toolDocument(),
      cart,
      formToolDocument(),
      siteDocument({_id: 'shop-2', publicId: 'other-shop', name: 'Rival'}),
      toolDocument({_id: 'search-2', ...inSite('shop-2'), name: 'rivalTool', executeJs: 'return "rival"'}),
    ])
    token = await tokenFor(house)
  })
  after(() => house.close())
  beforeEach(() =>
    house.client.delete({query: '*[_id in path("drafts.*") && _type in ["tool", "formTool", "site"]]'}),
  )

  /** The preview of a page, once it is as expected. */
  function eventualBody(path: string, isExpected: (body: PreviewBody) => boolean): Promise<PreviewBody> {
    return eventually(() => bodyOf(preview(house, token, path)), isExpected)
  }

  async function save(...drafts: ContentDocument[]): Promise<void> {
    const transaction = house.client.transaction()
    for (const draft of drafts) transaction.createOrReplace(draft)
    await transaction.commit()
  }

  test('shows a release in place of drafts, without what it unpublishes', async () => {
    await save(
      draftOf(cart, {description: 'A draft.'}),
      draftOf(toolDocument(), {description: 'Another draft.'}),
    )
    const {client} = house
    const release = {name: 'rSale', title: 'Spring sale'}
    await client.releases.create({releaseId: release.name, metadata: {title: release.title}})
    const version = {...cart, _id: 'versions.rSale.cart', description: 'Returns the cart of the sale.'}
    await client.createVersion({publishedId: cart._id, releaseId: release.name, document: version})
    await client.unpublishVersion({publishedId: formToolDocument()._id, releaseId: release.name})
    const owner = {publicId: 'shop-public', userId: 'editor'}
    const {code} = await createSecret(client, owner, STUDIO, release)
    const released = String(recordOf(await (await exchange(house, code)).json()).token)
    const {tools, config, members} = await bodyOf(preview(house, released, '/cart'))
    assert.equal(members.release, 'Spring sale')
    assert.match(JSON.stringify(config), /Returns the cart of the sale\./)
    assert.equal(tools.has(String(formToolDocument().name)), false)
    const drafts = await eventualBody('/cart', ({text}) => text.includes('A draft.'))
    assert.equal(drafts.members.release, undefined)
    assert.equal(drafts.tools.has(String(formToolDocument().name)), true)
    await client.releases.archive({releaseId: release.name})
  })

  test('shows a draft after each change, and nothing of it after it is discarded', async () => {
    for (const description of ['The first draft.', 'The second draft.']) {
      await save(draftOf(cart, {description}))
      await eventualBody('/cart', ({text}) => text.includes(description))
    }
    await house.client.delete('drafts.cart')
    await eventualBody('/cart', ({text}) => !text.includes('draft.'))
  })

  test('has an entity tag for each state: tabs never keep an older one', async () => {
    const states = new Map<string | null, unknown>()
    let isTyping = true
    const poll = async (keepsTag: boolean): Promise<void> => {
      let tag: string | null = null
      while (isTyping) {
        const headers = keepsTag && tag ? {'preview-tag': tag} : {}
        const response = await preview(house, token, '/cart', {headers})
        await setTimeout(keepsTag ? 5 : 190)
        if (response.status !== 304) {
          tag = response.headers.get('etag')
          const {config, tools} = await bodyOf(response)
          const state = JSON.stringify([config, [...tools]])
          assert.equal(states.get(tag) ?? state, state, 'one tag, two states')
          states.set(tag, state)
        }
      }
    }
    const tabs = Promise.all([poll(true), poll(false)])
    try {
      for (let number = 0; number < 3; number++) {
        const before = states.size
        await save(draftOf(cart, {description: `Draft ${number}.`}))
        await eventually(() => states.size > before, true)
      }
    } finally {
      isTyping = false
    }
    await tabs
  })

  test('says whether the published site asks for reviews, and who changed a draft last', async () => {
    const asksForReview = ({members}: PreviewBody) => recordOf(members.site).asksForReview
    await save(draftOf(cart), draftOf(siteDocument(), {review: 'all'}))
    await eventualBody('/cart', ({tools}) => tools.get('getCart')?.state === 'changed')
    const open = await eventualBody('/cart', ({tools}) => tools.get('getCart')?.author === 'API token')
    assert.deepEqual([asksForReview(open), open.tools.get('getCart')?.mayBePublished], [false, true])

    await save(siteDocument({review: 'all'}), draftOf(siteDocument(), {review: 'none'}))
    // Who wrote a draft is asked for after the drafts themselves.
    const isKnown = ({tools}: PreviewBody) => typeof tools.get('getCart')?.author === 'string'
    await eventualBody('/cart', (body) => asksForReview(body) === true && isKnown(body))
    await save(siteDocument())
    await eventualBody('/cart', (body) => asksForReview(body) === false)
  })

  test('says of every tool whether it is published, changed or new, and offered', async () => {
    await save(
      draftOf(cart, {pathPattern: '/**'}),
      draftOf(toolDocument({_id: 'fresh', name: 'aNewTool'})),
      draftOf(formToolDocument(), {enabled: false}),
    )
    const {tools, config} = await eventualBody(
      '/cart',
      ({tools}) => tools.has('aNewTool') && tools.size === 4,
    )
    const rows = ['aNewTool', 'contactUs', 'getCart', 'searchProducts'].map((name) => {
      const {type, state, isOffered, title, reasons} = tools.get(name) ?? {}
      return [type, state, isOffered, title, reasons]
    })
    assert.deepEqual([...tools.keys()], ['aNewTool', 'contactUs', 'getCart', 'searchProducts'], 'by name')
    assert.deepEqual(rows, [
      ['tool', 'new', true, 'Offered', []],
      ['formTool', 'changed', false, 'Off', ['It is switched off.', 'Its pattern is /contact.']],
      ['tool', 'changed', true, 'Offered', []],
      ['tool', 'published', true, 'Offered', []],
    ])
    const uuids = new Set(
      [...tools.values()].filter(({isOffered}) => isOffered).map(({id}) => uuidOf(String(id))),
    )
    assert.ok(Array.isArray(config.tools))
    assert.deepEqual(new Set(config.tools.map(({id}) => id)), uuids)
  })

  test('says why a draft is not offered, in the words of the rules', async () => {
    await save(
      draftOf(cart, {executeJs: 'return {'}),
      draftOf(toolDocument({_id: 'twin', name: 'searchProducts'})),
      draftOf(toolDocument({_id: 'elsewhere', name: 'elsewhere', pathPattern: '/products/**'})),
    )
    const {tools} = await eventualBody('/cart', ({tools}) => tools.has('elsewhere'))
    const reasonsOf = (name: string) => tools.get(name)?.reasons
    assert.match(String(reasonsOf('getCart')), /^Its field “Script” breaks a rule: .*line 1/)
    assert.equal(tools.get('getCart')?.title, 'Invalid')
    assert.deepEqual(reasonsOf('elsewhere'), ['Its pattern is /products/**.'])
    const {tools: all} = await bodyOf(preview(house, token, '/'))
    assert.equal(all.get('searchProducts')?.title, 'Name taken', 'the second of the two, as the map has it')
  })

  test('has the tests of tools for this page, drafts and published, and the config has none of them', async () => {
    const tests = [
      {title: 'Has entries', page: '/cart', expect: [{kind: 'atLeast', member: 'items', value: '1'}]},
    ]
    await save(draftOf(cart, {tests}))
    const {tools, text} = await eventualBody('/cart', (body) => body.text.includes('Has entries'))
    assert.deepEqual(tools.get('getCart')?.tests, [{...tests[0], arguments: []}])
    assert.ok(!JSON.stringify(recordOf(JSON.parse(text)).config).includes('Has entries'))
    const elsewhere = await bodyOf(preview(house, token, '/'))
    assert.deepEqual(elsewhere.tools.get('getCart')?.tests, [], 'no test is for this page')
    await save(draftOf(cart, {tests: [{title: 'Broken'}]}))
    const broken = await eventualBody('/cart', (body) => body.text.includes('testsProblem'))
    const {testsProblem, isOffered} = broken.tools.get('getCart') ?? {}
    assert.equal(testsProblem, 'The page of the test “Broken” is missing.')
    assert.equal(isOffered, true, 'a broken test removes no tool')
  })

  test('gives advice on tools for this page, with the line of the script', async () => {
    await save(draftOf(cart, {executeJs: 'const a = 1\nalert(a)\nreturn a', description: 'Short.'}))
    const {tools} = await eventualBody('/cart', ({text}) => text.includes('alert(a)'))
    const advice = tools.get('getCart')?.advice
    assert.ok(Array.isArray(advice))
    const dialog = advice.find(({code}) => code === 'DIALOG')
    assert.deepEqual([dialog?.field, dialog?.line, dialog?.severity], ['executeJs', 2, 'warning'])
    assert.ok(advice.every((one) => Object.keys(one).every((key) => key !== 'offset' && key !== 'source')))
    assert.deepEqual(tools.get('contactUs')?.advice, [], 'it is for another page')
  })

  test('says that the site is switched off, as its draft has it', async () => {
    await save(draftOf(siteDocument(), {enabled: false}))
    const {members, config} = await eventualBody('/', ({config}) => String(config.tools) === '')
    assert.deepEqual(members.site, {
      id: 'shop',
      name: 'Shop',
      asksForReview: false,
      reasons: ['No tool is offered, because the site is switched off.'],
    })
    assert.deepEqual([config.tools, config.formTools], [[], []])
  })

  test('shows nothing of another site, whatever a draft moves', async () => {
    await save(draftOf(cart, {description: 'Still here.'}))
    await eventualBody('/cart', ({text}) => text.includes('Still here.'))
    await save(
      draftOf(cart, {...inSite('shop-2'), description: 'For the rival only.', executeJs: 'return "moved"'}),
      draftOf(toolDocument({_id: 'search-2', ...inSite('shop-2'), name: 'rivalTool'}), {
        executeJs: 'return "rival draft"',
      }),
      draftOf(siteDocument({_id: 'shop-2', publicId: 'shop-public', name: 'Rival', enabled: false})),
    )
    const {text, tools} = await eventualBody(
      '/cart',
      ({tools}) => tools.get('getCart')?.title === 'Other site',
    )
    assert.doesNotMatch(text, /rival|moved/i)
    const {state, isOffered, reasons} = tools.get('getCart') ?? {}
    assert.deepEqual([state, isOffered, reasons], ['changed', false, ['It belongs to another site.']])
    const other = await bodyOf(
      preview(house, await tokenFor(house, 'other-shop'), '/cart', {publicId: 'other-shop'}),
    )
    assert.equal(other.tools.get('getCart')?.state, 'new')
    assert.doesNotMatch(other.text, /searchProducts|Returns the cart/)
  })

  test('returns 304 for its tag until something changes, also if the draft does not change the config', async () => {
    await eventualBody('/', ({tools}) => tools.get('getCart')?.state === 'published')
    const first = await preview(house, token, '/')
    const tag = first.headers.get('etag') ?? ''
    const again = () => preview(house, token, '/', {headers: {'preview-tag': tag}})
    const {status, headers} = await again()
    assert.deepEqual([status, headers.get('etag')], [304, tag])
    assert.equal(headers.get('cache-control'), 'no-store')
    const ownHeader = await preview(house, token, '/', {headers: {'preview-tag': tag}})
    assert.equal(ownHeader.status, 304, 'the header that needs no preflight each time')
    assert.equal((await preview(house, token, '/cart', {headers: {'preview-tag': tag}})).status, 200)
    await save(draftOf(cart, {description: 'A draft for another page.'}))
    await eventually(again, ({status}) => status === 200)
  })

  test('serves the script of a draft as a module, until the draft has another one', async () => {
    await save(draftOf(cart, {executeJs: 'return "from a draft"'}))
    const {members} = await eventualBody('/cart', ({text}) => text.includes('from a draft'))
    const modules = members.modules
    assert.ok(typeof modules === 'object' && modules !== null)
    const path = Object.entries(modules).find(([uuid]) => uuid === uuidOf('cart'))?.[1]
    const response = await fetch(`${house.serviceAddress}/${path}`)
    assert.equal(
      await response.text(),
      'export default async (args, {signal}) => {\nreturn "from a draft"\n}\n',
    )
    assert.equal(response.headers.get('content-type'), 'text/javascript; charset=utf-8')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
    assert.equal(response.headers.get('cross-origin-resource-policy'), 'cross-origin')
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    await save(draftOf(cart, {executeJs: 'return "changed"'}))
    await eventualBody('/cart', ({text}) => text.includes('changed'))
    await eventually(async () => (await fetch(`${house.serviceAddress}/${path}`)).status, 404)
  })

  test('needs the path of a page, once', async () => {
    const url = `${house.serviceAddress}/api/sites/shop-public/preview`
    const headers = {origin: 'https://shop.example', authorization: `Bearer ${token}`}
    for (const query of ['', '?path=/a&path=/b'])
      assert.equal((await fetch(url + query, {headers})).status, 400, query)
  })

  test('may be requested by pages of every origin, with one preflight in two hours', async () => {
    const url = `${house.serviceAddress}/api/sites/shop-public/preview?path=/`
    const {status, headers} = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,preview-tag',
      },
    })
    assert.equal(status, 204)
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(headers.get('access-control-allow-headers'), '*, Authorization')
    assert.equal(headers.get('access-control-allow-methods'), 'GET, HEAD, POST')
    assert.equal(headers.get('access-control-max-age'), '7200')
    assert.equal(headers.get('access-control-allow-credentials'), null)
    const {status: wrong, headers: allowed} = await fetch(url, {method: 'DELETE'})
    assert.deepEqual([wrong, allowed.get('allow')], [405, 'GET, HEAD, POST, OPTIONS'])
  })
})
