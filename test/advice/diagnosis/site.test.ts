import assert from 'node:assert/strict'
import {test} from 'node:test'
import {diagnosePage, knownPaths} from '../../../advice/diagnosis/page.ts'
import {checkSite} from '../../../advice/diagnosis/site.ts'
import {parseDocuments} from '../../../schemas/documents.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'
import {draftOf, stored} from './support.ts'

test('values that are not documents are ignored, and so are versions of releases', () => {
  assert.deepEqual(parseDocuments([null, 'x', {_id: 1}, {_id: 'a', _type: 'tool'}]), [])
  assert.deepEqual(parseDocuments({}), [])
  const version = {...toolDocument(), _id: 'versions.rABC.search'}
  assert.deepEqual(checkSite('shop', stored(siteDocument(), version)).tools, [])
})

test('a site with too many path segments offers nothing', () => {
  const letters = Array.from({length: 8}, (_, index) => 'abcdefgh'[index]).join()
  const pathPattern = `/{${letters}}/{${letters}}/${'x/'.repeat(100)}**`
  const tools = Array.from({length: 16}, (_, index) =>
    toolDocument({_id: `t${index}`, name: `t${index}`, pathPattern}),
  )
  const site = checkSite('shop', stored(siteDocument(), ...tools))
  assert.deepEqual(
    site.reasons.map(({code}) => code),
    ['siteTooLarge'],
  )
  assert.deepEqual(checkSite('shop', stored(siteDocument(), ...tools.slice(1, 4))).reasons, [])
})

test('the known paths are those without wildcards, of drafts too', () => {
  const documents = stored(
    siteDocument(),
    toolDocument({_id: 'a', pathPattern: '/{,about}'}),
    toolDocument({_id: 'b', pathPattern: '/products/**'}),
    toolDocument({_id: 'c', pathPattern: '/item-?'}),
    toolDocument({_id: 'd', pathPattern: '/a**b'}),
    draftOf(formToolDocument({pagePath: '/contact'})),
  )
  assert.deepEqual(knownPaths(checkSite('shop', documents)), ['/', '/about', '/contact', '/products'])
})

test('an unchanged revision keeps its verdict, and a changed one gets a new verdict', () => {
  const first = checkSite('shop', stored(siteDocument(), toolDocument()))
  const same = checkSite('shop', stored(siteDocument(), toolDocument()), first)
  assert.equal(same.tools[0]?.now.verdict, first.tools[0]?.now.verdict)
  const changed = checkSite('shop', stored(siteDocument(), toolDocument({executeJs: 'return {'})), same)
  assert.equal(changed.tools[0]?.now.verdict.broken?.field, 'executeJs')
  assert.deepEqual(
    diagnosePage(changed, undefined).tools.map(({reasons}) => reasons[0]?.code),
    ['invalid'],
  )
})
