import assert from 'node:assert/strict'
import {test} from 'node:test'
import {checkSite} from '../../../advice/diagnosis/site.ts'
import {withDrafts} from '../../../schemas/documents.ts'
import {parsePage} from '../../../schemas/rules/paths/page.ts'
import {parseWanted, previewLink} from '../../../snippet/previewLink.ts'
import {addressesOf} from '../../../studio/install/addresses.ts'
import {pageUrl, proposePaths, splitHash} from '../../../studio/preview/link.ts'
import {MAX_HOURS} from '../../../studio/preview/recentEntries.ts'
import {startedPreviews} from '../../../studio/preview/started.ts'
import {draftOf, stored} from '../../advice/diagnosis/support.ts'
import {accepted} from '../../schemas/rules/problem.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

const ADDRESS = 'https://shop.example'

test('a page is always on the chosen address, and has no fragment of its own', () => {
  const pages: [typed: string, url: string][] = [
    ['/products', '/products'],
    ['products', '/products'],
    ['', '/'],
    [' /cart ', '/cart'],
    ['/products?page=2&sort=a?b#reviews', '/products?page=2&sort=a?b'],
    ['/größe 7', '/gr%C3%B6%C3%9Fe%207'],
    ['https://www.other.example/cart?x=1#y', '/cart?x=1'],
    ['//other.example/x', '//other.example/x'],
    ['/\\other.example', '//other.example'],
    ['/../x', '/x'],
    ['@other.example', '/@other.example'],
    [':8080/x', '/:8080/x'],
  ]
  for (const [typed, url] of pages)
    assert.equal(pageUrl(ADDRESS, accepted(parsePage(typed))), ADDRESS + url, typed)
})

test('a page of a hash router is the fragment of its address, which a link keeps', () => {
  const pages: [typed: string, url: string][] = [
    ['/cart', '/#/cart'],
    ['#/cart?a=b', '/#/cart?a=b'],
    ['/shop#!/cart', '/shop#/cart'],
    [`${ADDRESS}/#/cart`, '/#/cart'],
  ]
  for (const [typed, url] of pages) {
    const [before, route] = splitHash(typed)
    const page = pageUrl(ADDRESS, accepted(parsePage(before)), accepted(parsePage(route)))
    assert.equal(page, ADDRESS + url, typed)
    const sign = url.includes('?') ? '&' : '?'
    assert.equal(previewLink(page, 'shop', 'CODE'), `${page}${sign}handrail-preview=shop.CODE`)
  }
})

test('a link says what the page is opened for, after its code', () => {
  const wanted = {mode: 'pick', key: 'k1', name: 'find & “show” events'} as const
  const [page, link = ''] = previewLink(`${ADDRESS}/a?b#c`, 'shop', 'CODE', wanted).split(
    '#handrail-preview=',
  )
  const [code, ...query] = link.split('&')
  assert.deepEqual([page, code, parseWanted(query.join('&'))], [`${ADDRESS}/a?b`, 'shop.CODE', wanted])
  assert.equal(previewLink(ADDRESS, 'shop', 'CODE'), `${ADDRESS}/#handrail-preview=shop.CODE`)
  assert.equal(
    previewLink(ADDRESS, 'shop', 'CODE', 'new tool'),
    `${ADDRESS}/#handrail-preview=shop.CODE&make`,
  )
  for (const broken of ['', 'make', 'make=pick', 'make=pick&for=', 'make=script&for=k1', 'for=k1'])
    assert.equal(parseWanted(broken), undefined, broken)
})

test('paths of the tool come first, then those of the site', () => {
  const proposed = (pathPattern: string) => {
    const documents = stored(
      siteDocument(),
      draftOf(toolDocument({_id: 'a', name: 'a', pathPattern})),
      toolDocument({_id: 'b', name: 'b', pathPattern: '/{about,products/rope}'}),
    )
    const site = checkSite('shop', withDrafts(documents))
    return proposePaths(
      site,
      site.tools.find(({id}) => id === 'a'),
    )
  }
  assert.deepEqual(proposed('/products/**'), ['/products', '/products/rope', '/about'])
  assert.deepEqual(proposed('/{products/**,cart}').slice(0, 2), ['/cart', '/products'])
  assert.deepEqual(proposed('/products/*').slice(0, 2), ['/products/rope', '/products/'])
  assert.deepEqual(proposed('/items/*').slice(0, 1), ['/items/'])
  assert.deepEqual(proposed('/{'), ['/about', '/products/rope'])
})

test('only valid addresses are offered, and first the one at which the site runs here', () => {
  const running = {publicId: 'demo-shop', address: 'http://127.0.0.1:4001'}
  const addresses = [`${ADDRESS}/`, 'shop.example', 'javascript:alert(1)', ADDRESS, 7]
  assert.deepEqual(addressesOf('demo-shop', addresses, running), [running.address, ADDRESS])
  assert.deepEqual(addressesOf('another', addresses, running), [ADDRESS])
  assert.deepEqual(addressesOf('demo-shop', undefined, undefined), [])
})

test('previews of this browser are remembered for some hours, whatever the storage contains', () => {
  const storage = new Store()
  const idsAt = (time?: number) => startedPreviews.list(storage, time).map(({id}) => id)
  for (let count = 0; count < 60; count += 1) startedPreviews.add({id: `drafts.${count}`}, storage, 1_000)
  startedPreviews.add({id: 'drafts.59'}, storage, 2_000)
  assert.deepEqual([idsAt(3_000).length, idsAt(3_000)[0]], [50, 'drafts.10'])
  assert.deepEqual(idsAt(1_500 + MAX_HOURS * 3_600_000), ['drafts.59'])
  for (const text of ['', '{', '{}', '[1, {"id": 1}, null]']) {
    storage.setItem('handrail.previews', text)
    assert.deepEqual(idsAt(), [])
  }
})

/** The part of the browser's storage that is used. */
class Store {
  readonly #items = new Map<string, string>()

  getItem(key: string): string | null {
    return this.#items.get(key) ?? null
  }

  setItem(key: string, value: string): void {
    this.#items.set(key, value)
  }
}
