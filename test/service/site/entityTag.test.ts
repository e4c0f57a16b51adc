import assert from 'node:assert/strict'
import {hash} from 'node:crypto'
import test from 'node:test'
import {configFor} from '../../../service/site/answer.ts'
import {compileSite} from '../support/compile.ts'

const annotations = {
  readOnlyHint: 'auto',
  consequentialHint: 'auto',
  untrustedContentHint: 'auto',
} as const

/** One document of each kind, with every field, at fixed revisions. */
const SITE = {
  _id: 'shop',
  _rev: '1',
  publicId: 'shop-public',
  enabled: null,
  pollInterval: 300,
  tools: ['searchProducts', 'placeOrder', 'listReviews', 'addToCart', 'getURLInfo'].map((name) => ({
    _id: name,
    _rev: '1',
    name,
    description: 'Does what it says: “so”.',
    pathPattern: '/**',
    inputSchema: '{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}',
    executeJs: 'return args.id',
    exposedTo: ['https://partner.example'],
    annotations,
    title: null,
    outputSchema: null,
  })),
  formTools: [
    {
      _id: 'contact',
      _rev: '1',
      name: 'contact',
      description: 'Writes to us.',
      pagePath: '/**',
      selector: '#contact',
      autosubmit: true,
      fields: null,
    },
  ],
}
const site = await compileSite(SITE)

test('the tag is a quoted hash of the body, and documents of before keep their bytes', () => {
  const {entityTag} = configFor(site, '/')
  const body = hash('sha1', configFor(site, '/').encode(), 'base64url')
  assert.deepEqual([entityTag, body], [`"${body}"`, 'FW2doX3wM2fc5jQROC6dL0CtqLw'])
})

test('a tool with an action is served with its script', async () => {
  const [tool] = SITE.tools
  assert.ok(tool !== undefined)
  const link = {address: '/books/{id}'}
  const action = {...tool, executeJs: null, action: 'link', request: null, reading: null, link}
  const site = await compileSite({...SITE, tools: [action], formTools: []})
  const config = configFor(site, '/')
  const served = JSON.parse(config.encode().toString()).tools[0]
  assert.match(served.executeJs, /[;}]return \w+\(/)
  assert.deepEqual(
    Object.keys(served),
    ['id', 'name', 'description', 'inputSchema', 'executeJs', 'exposedTo', 'title', 'annotations'],
    'no other member than those of a script',
  )
  const again = await compileSite({...SITE, tools: [action], formTools: []}, site)
  assert.equal(configFor(again, '/').entityTag, config.entityTag)
})

test('a tool with a broken action is left out, and its field is named', async () => {
  const [tool] = SITE.tools
  assert.ok(tool !== undefined)
  const action = {...tool, action: 'link', request: null, reading: null, link: {address: '/books/{ids}'}}
  const {count, invalid} = await compileSite({...SITE, tools: [action], formTools: []})
  assert.equal(count, 0)
  assert.deepEqual(
    invalid.map(({field, problem}) => [field, problem]),
    [
      [
        'link.address',
        'The tool has no parameter “ids”. It has “id”: add it to the parameters, or choose one of these.',
      ],
    ],
  )
})
