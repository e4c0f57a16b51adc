import assert from 'node:assert/strict'
import {hash} from 'node:crypto'
import test from 'node:test'
import {COMPILER_VERSION} from '../../../actions/compile.ts'
import {configFor} from '../../../service/site/answer.ts'
import {entityTagOf} from '../../../service/site/entityTag.ts'
import {compileSite} from '../support/compile.ts'

test('a tag is a quoted string that any cache accepts', () => {
  assert.match(entityTagOf(['a@1', 'b@2']), /^"[A-Za-z0-9_-]{27}"$/)
})

test('a new revision, an addition, a removal and a new order each change the tag', () => {
  const tags = [['a@1', 'b@2'], ['a@1', 'b@3'], ['a@1'], ['a@1', 'b@2', 'c@1'], ['b@2', 'a@1']].map(
    entityTagOf,
  )
  assert.equal(new Set(tags).size, tags.length)
})

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

test('the body of the same documents changes only with a new FORMAT_VERSION', () => {
  const config = configFor(site, '/')
  const seen = {entityTag: config.entityTag, body: hash('sha1', config.encode(), 'base64url')}
  assert.deepEqual(
    seen,
    {entityTag: '"sLT-JkELjClYb-6bS82co3FJyNI"', body: 'FW2doX3wM2fc5jQROC6dL0CtqLw'},
    'the same revisions make another body now: raise FORMAT_VERSION in service/site/entityTag.ts, then update both values here',
  )
})

test('a tool with an action is served with its script, and named with the version of the compiler', async () => {
  const [tool] = SITE.tools
  assert.ok(tool !== undefined)
  const link = {address: '/books/{id}'}
  const action = {...tool, executeJs: null, action: 'link', request: null, reading: null, link}
  const site = await compileSite({...SITE, tools: [action], formTools: []})
  const config = configFor(site, '/')
  const served = JSON.parse(config.encode().toString()).tools[0]
  assert.match(served.executeJs, /^const address = new URL\(/m)
  assert.deepEqual(
    Object.keys(served),
    ['id', 'name', 'description', 'inputSchema', 'executeJs', 'exposedTo', 'title', 'annotations'],
    'no other member than those of a script',
  )
  assert.equal(config.entityTag, entityTagOf(['shop@1', `searchProducts@1+compiler ${COMPILER_VERSION}`]))
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
