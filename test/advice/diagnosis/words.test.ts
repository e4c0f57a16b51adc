import assert from 'node:assert/strict'
import {test} from 'node:test'
import {parseToolName} from '../../../schemas/rules/names/toolName.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'
import {draftOf, onPage, sentencesOn} from './support.ts'

const at = (pathPattern: string) => toolDocument({pathPattern})

test('a tool that is offered says so, with the page or without', () => {
  assert.deepEqual(sentencesOn('/cart', toolDocument()), ['This tool is offered on /cart.'])
  assert.deepEqual(sentencesOn(undefined, toolDocument()), ['This tool is offered on its pages.'])
  assert.deepEqual(
    onPage('/cart', toolDocument()).map(({reasons}) => reasons),
    [[]],
  )
})

test('a tool with conditions says when pages have it', () => {
  const sentenceOf = (offeredWhile: object) => sentencesOn('/cart', toolDocument({offeredWhile}))
  assert.deepEqual(sentenceOf({has: ['.account'], hasNot: ['.busy'], until: '2999-12-24T18:00:00Z'}), [
    'This tool is offered on /cart. Agents get it only while the page has “.account” and does not have “.busy”.',
  ])
  assert.deepEqual(sentenceOf({has: ['.account'], from: '2999-12-24T18:00:00Z'}), [
    'This tool is not offered on /cart because it is offered from 2999-12-24 18:00 UTC on.',
  ])
  assert.deepEqual(sentenceOf({until: '2026-01-01T00:00:00Z'}), [
    'This tool is not offered on /cart because it was offered until 2026-01-01 00:00 UTC.',
  ])
})

test('a pattern that does not match is named, with what was probably mistyped', () => {
  const cases: [pattern: string, path: string, more: string][] = [
    ['/products/**', '/cart', ''],
    ['/{stores,contact}/**', '/cart', ''],
    ['/Cart', '/cart', ' Only upper and lower case differ.'],
    ['/{stores,cart}/*', '/Cart/7', ' Only upper and lower case differ.'],
    ['/products/*', '/products/7/reviews', ' With /products/*/**, it would also be on the pages below.'],
    ['/cart/', '/cart/7', ' With /cart/**, it would also be on the pages below.'],
    ['/**/reviews', '/products/7', ''],
  ]
  for (const [pattern, path, more] of cases)
    assert.deepEqual(sentencesOn(path, at(pattern)), [
      `This tool is not offered on ${path} because its pattern is ${pattern}.${more}`,
    ])
})

test('a query and a fragment are not part of the page', () => {
  const [tool] = onPage('/cart/?from=mail#top', at('/cart'))
  assert.deepEqual(tool?.reasons, [])
})

test('off, draft only, invalid and a taken name are named', () => {
  const not = 'This tool is not offered on /cart because'
  assert.deepEqual(sentencesOn('/cart', toolDocument({enabled: false})), [`${not} it is switched off.`])
  assert.deepEqual(sentencesOn('/cart', draftOf(toolDocument())), [
    `${not} it was never published: there is only a draft. After publishing the draft, it will be offered here.`,
  ])
  const rule = parseToolName('a b')
  assert.ok(!rule.ok)
  assert.deepEqual(sentencesOn('/cart', toolDocument({name: 'a b'})), [
    `${not} its field “Name” breaks a rule: ${rule.problem}`,
  ])
  assert.deepEqual(sentencesOn('/cart', toolDocument({_id: 'a'}), toolDocument({_id: 'b'})), [
    'This tool is offered on /cart.',
    `${not} another tool of this site is named “searchProducts” too, and only one of them can be offered.`,
  ])
  assert.deepEqual(
    sentencesOn('/contact', toolDocument(), formToolDocument({name: 'searchProducts'}))[0],
    'This form tool is not offered on /contact because another tool of this site is named “searchProducts” too, and only one of them can be offered.',
  )
})

test('every reason is given, the most important one first', () => {
  assert.deepEqual(sentencesOn('/cart', toolDocument({enabled: false, pathPattern: '/products'})), [
    'This tool is not offered on /cart because it is switched off. Also, its pattern is /products.',
  ])
})

test('a name is not taken by a tool that is off, invalid, a draft or on another site', () => {
  const harmless = [
    toolDocument({_id: 'a', enabled: false}),
    toolDocument({_id: 'b', executeJs: 'return {'}),
    draftOf(toolDocument({_id: 'c'})),
    toolDocument({_id: 'd', site: {_type: 'reference', _ref: 'books'}}),
  ]
  const tools = onPage('/cart', ...harmless, toolDocument({_id: 'z'}))
  assert.deepEqual(
    tools.map(({id, reasons}) => [id, reasons[0]?.code]),
    [
      ['a', 'off'],
      ['b', 'invalid'],
      ['c', 'unpublished'],
      ['z', undefined],
    ],
  )
})

test('what publishing a draft changes is said', () => {
  const sentence = (published: object, draft: object) => {
    const [only] = sentencesOn('/cart', toolDocument(published), draftOf(toolDocument(draft)))
    return only
  }
  assert.equal(
    sentence({}, {pathPattern: '/products'}),
    'Offered now. After publishing the draft, it will no longer be offered here, because its pattern is /products.',
  )
  assert.equal(
    sentence({}, {description: 'Better.'}),
    'Offered now. After publishing the draft, it will still be offered here.',
  )
  assert.equal(
    sentence({enabled: false}, {}),
    'This tool is not offered on /cart because it is switched off. After publishing the draft, it will be offered here.',
  )
  assert.equal(
    sentence({enabled: false}, {enabled: false}),
    'This tool is not offered on /cart because it is switched off. After publishing the draft, it will still not be offered here, because it is switched off.',
  )
  assert.match(
    sentence({}, {executeJs: 'return {'}) ?? '',
    /^Offered now\. The draft cannot be published yet, because its field “Script” breaks a rule: /,
  )
  assert.equal(
    sentence({}, {site: {_type: 'reference', _ref: 'books'}}),
    'Offered now. After publishing the draft, it will no longer be offered here, because it belongs to another site.',
  )
})

test('a site that is off, unpublished, invalid or younger than another with its public ID offers nothing', () => {
  const because = (...sites: Parameters<typeof siteDocument>[0][]) => {
    const documents = sites.map((site) => siteDocument(site))
    return sentencesOn('/cart', toolDocument(), ...documents)[0]?.replace(/^.*because /, '')
  }
  assert.equal(because({}), 'This tool is offered on /cart.')
  assert.equal(because({enabled: false}), 'the site is switched off.')
  assert.equal(because({_id: 'drafts.shop'}), 'the site is not published.')
  assert.match(
    because({publicId: 'a b'}) ?? '',
    /^the site's field “Public ID” breaks a rule: A public ID cannot/,
  )
  assert.equal(
    because({}, {_id: 'books', name: 'Books', _createdAt: '2020-01-01T00:00:00Z'}),
    'the older site “Books” has the same public ID.',
  )
  assert.equal(
    because({}, {_id: 'zoo', name: 'Zoo'}),
    'This tool is offered on /cart.',
    'of two equally old sites, the first id wins',
  )
})
