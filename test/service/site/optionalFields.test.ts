import assert from 'node:assert/strict'
import {createHash} from 'node:crypto'
import {after, before, describe, test} from 'node:test'
import {configOf, errorOf} from '../../support/answers.ts'
import {eventually} from '../../support/eventually.ts'
import {type House, startHouse} from '../../support/house.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'

const FIELD = {_key: 'a', _type: 'field'}

const ASKING = {_type: 'reference', _ref: 'asking'}
const EVERYWHERE = {pagePath: '/**', autosubmit: true}

/** The tools of a site that asks visitors, and the site. */
const asking = [
  siteDocument({_id: 'asking', publicId: 'asking-shop', askBefore: 'consequential'}),
  ...['placeOrder', 'addToCart', 'findProducts'].map((name) =>
    toolDocument({_id: name, name, site: ASKING, annotations: undefined}),
  ),
  ...['sendMessage', 'joinClub', 'searchShop'].map((name) =>
    formToolDocument({_id: name, name, site: ASKING, ...EVERYWHERE}),
  ),
]

describe('fields that documents may have', () => {
  let house: House
  before(async () => {
    house = await startHouse([
      siteDocument({enabled: true, addresses: ['https://shop.example']}),
      toolDocument({
        title: 'Find a product',
        outputSchema: '{"type": "object", "properties": {"ids": {"type": "array"}}}',
        annotations: {debugging: true},
      }),
      toolDocument({
        _id: 'plain',
        name: 'getPlain',
        annotations: {debugging: false},
        outputSchema: '{"type": "text"}',
      }),
      toolDocument({_id: 'text', name: 'getText', outputSchema: '{"type": "string"}'}),
      formToolDocument({
        pagePath: '/**',
        fields: [
          {...FIELD, name: 'email', title: 'Email', description: 'Where we reply.'},
          {...FIELD, _key: 'b', name: 'message', description: 'At most 500 words.'},
        ],
      }),
      formToolDocument({_id: 'none', name: 'noFields', pagePath: '/**', fields: []}),
      ...asking,
    ])
  })
  after(() => house.close())

  const config = () => configOf(house.config('shop-public', '/'))

  test('a tool has its own title, its output schema and the debugging flag', async () => {
    const [plain, text, search] = (await config()).tools
    assert.equal(search?.title, 'Find a product')
    assert.deepEqual(search?.outputSchema, {type: 'object', properties: {ids: {type: 'array'}}})
    assert.deepEqual(search?.annotations, {readOnlyHint: true, debugging: true})
    assert.deepEqual([plain?.title, plain?.annotations], ['Get Plain', {readOnlyHint: true}])
    assert.ok(plain && !('outputSchema' in plain), 'a broken output schema costs only itself')
    assert.deepEqual(text?.outputSchema, {type: 'string'})
  })

  test('a form tool has the fields that an editor described', async () => {
    const [contact, none] = (await config()).formTools
    assert.deepEqual(contact?.fields, [
      {name: 'email', title: 'Email', description: 'Where we reply.'},
      {name: 'message', description: 'At most 500 words.'},
    ])
    assert.ok(none && !('fields' in none))
  })

  test('a site asks visitors: its tools say so, forms are for the visitor to submit, and a page with the old tag gets them', async () => {
    const served = async () => {
      const {tools, formTools} = await configOf(house.config('asking-shop', '/'))
      return {
        asking: tools.filter(({askBefore}) => askBefore === true).map(({name}) => name),
        untouched: tools.filter((tool) => !('askBefore' in tool)).map(({name}) => name),
        submitted: formTools.filter(({autosubmit}) => autosubmit === true).map(({name}) => name),
      }
    }
    assert.deepEqual(await served(), {
      asking: ['placeOrder'],
      untouched: ['addToCart', 'findProducts'],
      submitted: ['joinClub', 'searchShop'],
    })
    const tag = String((await house.config('asking-shop', '/')).headers.get('etag'))
    const [site] = asking
    await house.client.createOrReplace({...siteDocument(), ...site, askBefore: 'changes'})
    const held = () => house.config('asking-shop', '/', {headers: {'if-none-match': tag}})
    await eventually(held, ({status}) => status === 200)
    assert.deepEqual(await served(), {
      asking: ['addToCart', 'placeOrder'],
      untouched: ['findProducts'],
      submitted: ['searchShop'],
    })
  })

  test('pages do not get the addresses of a site', async () => {
    assert.deepEqual((await config()).keys, ['siteId', 'tools', 'formTools', 'pollInterval'])
  })

  test('a publish switches a site off and on: no tools on any page, no scripts, and another tag', async () => {
    const tagOf = async (path?: string) => (await house.config('shop-public', path)).headers.get('etag')
    const before = await tagOf('/')
    const [tool] = (await config()).tools
    const revision = createHash('sha256').update(String(tool?.executeJs)).digest('hex')
    const script = () =>
      fetch(`${house.serviceAddress}/api/sites/shop-public/tools/${tool?.id}/${revision}.js`)
    assert.equal((await script()).status, 200)

    await house.client.createOrReplace(siteDocument({enabled: false}))
    await eventually(config, ({names}) => names.length === 0)
    const off = await config()
    assert.deepEqual(off.keys, ['siteId', 'tools', 'formTools', 'pollInterval'])
    assert.deepEqual((await configOf(house.config('shop-public'))).names, [])
    assert.notEqual(await tagOf('/'), before)
    const held = await house.config('shop-public', '/', {headers: {'if-none-match': String(before)}})
    assert.equal(held.status, 200, 'a page with the old tag gets the empty config')
    assert.equal((await errorOf(script())).code, 'NOT_FOUND')

    await house.client.createOrReplace(siteDocument({enabled: true}))
    await eventually(config, ({names}) => names.length === 5)
    assert.equal((await script()).status, 200)
  })
})
