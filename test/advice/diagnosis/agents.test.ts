import assert from 'node:assert/strict'
import {test} from 'node:test'
import {listForConsumers} from '../../../advice/agents/listings.ts'
import {countListed} from '../../../advice/agents/words.ts'
import {listSite, offeredOnPage} from '../../../advice/diagnosis/agents.ts'
import {checkSite} from '../../../advice/diagnosis/site.ts'

const SITE = {_id: 'cafe', _type: 'site', _rev: '1', name: 'Café', publicId: 'cafe-site'}

function tool(name: string, pathPattern: string, more: object = {}) {
  return {
    _id: name,
    _type: 'tool',
    _rev: '1',
    site: {_ref: 'cafe'},
    enabled: true,
    name,
    description: 'Does something that visitors need.',
    pathPattern,
    inputSchema: '{"type": "object", "properties": {}}',
    executeJs: 'return 1',
    ...more,
  }
}

const DOCUMENTS = [
  SITE,
  tool('cart.view', '/cart'),
  tool('cart_view', '/cart'),
  tool('menu.view', '/menu'),
  tool('menu_view', '/menus/*'),
  tool('off', '/cart', {enabled: false}),
  {...tool('draftOnly', '/cart'), _id: 'drafts.draftOnly'},
]
const checked = checkSite('cafe', DOCUMENTS)

test('a page offers its published tools, in order of their IDs', () => {
  const names = (path: string | undefined) => offeredOnPage(checked, DOCUMENTS, path).map(({name}) => name)
  assert.deepEqual(names('/cart'), ['cart.view', 'cart_view'])
  assert.deepEqual(names('/menus/7'), ['menu_view'])
  assert.deepEqual(names(undefined), ['cart.view', 'cart_view', 'menu.view', 'menu_view'])
})

test('equal names count on one page only, and a tool without a known page is listed too', () => {
  const playwright = listSite(checked, DOCUMENTS).find(({consumer}) => consumer.id === 'playwright')
  assert.deepEqual(
    playwright?.listings.map(({name, remarks}) => [
      name,
      remarks.map(({code}) => code).filter((code) => code.startsWith('NAME')),
    ]),
    [
      ['webmcp_cart_view', []],
      ['webmcp_cart_view_2', ['NAME_DOUBLED']],
      ['webmcp_menu_view', []],
      ['webmcp_menu_view', []],
    ],
  )
})

test('a form tool waits for the visitor where its site asks about it', () => {
  const {pathPattern, ...form} = tool('sendMessage', '/')
  const documents = (askBefore: string) => [
    {...SITE, askBefore},
    {...form, _type: 'formTool', pagePath: '/contact', selector: 'form', autosubmit: true},
  ]
  const submits = (askBefore: string) => {
    const all = documents(askBefore)
    return offeredOnPage(checkSite('cafe', all), all, '/contact').map(({autosubmit}) => autosubmit)
  }
  assert.deepEqual([submits('never'), submits('consequential')], [[true], [false]])
})

test('a site without tools has no listings', () => {
  assert.deepEqual(listSite(checkSite('cafe', [SITE]), [SITE]), [])
})

test('tools that the pages register themselves count with those of the site, and nothing is said of their hints', () => {
  const all = [...DOCUMENTS, {...SITE, _id: 'drafts.cafe', pageTools: ['cart_view', 'shop-search']}]
  const offered = offeredOnPage(checkSite('cafe', all), all, '/cart')
  assert.deepEqual(
    offered.map(({name}) => name),
    ['cart.view', 'cart_view', 'shop-search'],
  )
  const playwright = listForConsumers(offered).find(({consumer}) => consumer.id === 'playwright')
  assert.ok(playwright)
  assert.equal(countListed(playwright), '3 of 3 tools, 1 of the pages themselves')
  const [listing] = playwright.listings.filter(({tool}) => tool.isOfPages)
  assert.deepEqual([listing?.name, listing?.hints, listing?.remarks], ['webmcp_shop-search', [], []])
})
