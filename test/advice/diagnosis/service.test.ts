import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {evaluate, parse} from 'groq-js'
import {diagnosePage} from '../../../advice/diagnosis/page.ts'
import {checkSite} from '../../../advice/diagnosis/site.ts'
import type {StoredDocument} from '../../../schemas/documents.ts'
import {parsePublicId} from '../../../schemas/rules/publicId.ts'
import {servedIn} from '../../../schemas/served.ts'
import {configFor} from '../../../service/site/answer.ts'
import {uuidOf} from '../../../service/site/uuid.ts'
import {siteQuery} from '../../../service/upstream/queries.ts'
import {isSite} from '../../../service/upstream/responses.ts'
import {runs} from '../../runner/runs.ts'
import {compileSite} from '../../service/support/compile.ts'
import {recordOf} from '../../support/answers.ts'
import type {ContentDocument} from '../../support/content.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'
import {draftOf, stored} from './support.ts'

const query = parse(siteQuery)

/** The ids that the service really serves for a site and a path: its query, its compilation and its index. */
async function served(siteId: string, documents: readonly StoredDocument[], path: string): Promise<string[]> {
  const published = documents.filter(({_id}) => !_id.startsWith('drafts.'))
  const publicId = published.find(({_id}) => _id === siteId)?.publicId
  // The service's route rejects an invalid public ID.
  if (typeof publicId !== 'string' || !parsePublicId(publicId).ok) return []
  const value = await evaluate(query, {dataset: published, params: {publicId}})
  const {site} = recordOf(await value.get())
  if (!isSite(site, publicId) || site._id !== siteId) return []
  const body: unknown = JSON.parse(
    configFor(await compileSite(site), path)
      .encode()
      .toString(),
  )
  return servedIn(body).map(({members}) => String(members.id))
}

const PATHS = ['/', '/cart', '/products', '/products/7', '/products/7/reviews', '/Cart', 'cart/?a=1']
const path = fc.constantFrom(...PATHS)
/** Mostly the first value, so that most documents are served and each fault occurs alone. */
function mostly<T>(usual: T, ...others: T[]): fc.Arbitrary<T> {
  return fc.oneof({arbitrary: fc.constant(usual), weight: 8 * others.length}, fc.constantFrom(...others))
}

const pattern = fc.oneof(
  fc.constant('/**'),
  fc.constantFrom('/cart', '/{cart,products}', '/products/*', '/products/**', '/**/reviews', '/a**b', ''),
)
const shared = fc.record({
  name: fc.constantFrom('searchProducts', 'getCart', 'addToCart', 'viewCart', 'a b', undefined),
  enabled: mostly<unknown>(true, false, undefined, 'true'),
  site: mostly('shop', 'books').map((_ref) => ({_ref, _type: 'reference'})),
  description: mostly('Searches the shop.', '  '),
  offeredWhile: mostly<unknown>(undefined, {has: ['.account']}),
})
const toolFields = fc
  .tuple(shared, pattern, mostly('return 1', 'return {'), mostly<string[]>([], ['http://a.example']))
  .map(([fields, pathPattern, executeJs, exposedTo]) =>
    toolDocument({...fields, pathPattern, executeJs, exposedTo}),
  )
const formToolFields = fc
  .tuple(shared, pattern, mostly('form', 'form['))
  .map(([fields, pagePath, selector]) => formToolDocument({...fields, pagePath, selector}))
const fields = fc.oneof({arbitrary: toolFields, weight: 3}, {arbitrary: formToolFields, weight: 1})
const site = fc
  .record({
    publicId: mostly<unknown>('shop-public', 'shop', undefined),
    _createdAt: fc.constantFrom('2026-01-01T00:00:00Z', '2025-01-01T00:00:00Z'),
    pollInterval: fc.constantFrom(300, 1),
    enabled: mostly<unknown>(true, undefined, false),
  })
  .map((own) => siteDocument(own))

const books = fc
  .tuple(site, fc.constantFrom('books-public', 'shop-public'))
  .map(([own, publicId]) => ({...own, publicId}))

/** A document that is published, a draft, or both with different content. */
function versions(
  id: string,
  one: fc.Arbitrary<ContentDocument>,
  other = one,
): fc.Arbitrary<ContentDocument[]> {
  return fc
    .tuple(one, other, mostly('published', 'draft', 'both'))
    .map(([published, draft, which]) => [
      ...(which === 'draft' ? [] : [{...published, _id: id}]),
      ...(which === 'published' ? [] : [draftOf({...draft, _type: published._type, _id: id})]),
    ])
}

const content = fc
  .tuple(
    versions('shop', site),
    versions('books', books, site),
    fc.tuple(
      ...['a', 'b', 'c', 'd', 'e', 'f'].map((id) =>
        fc.oneof(versions(id, toolFields), versions(id, formToolFields), versions(id, fields)),
      ),
    ),
  )
  .map(([shop, books, tools]) => stored(...shop, ...books, ...tools.flat()))

function offeredOn(documents: readonly StoredDocument[], siteId: string, page: string): string[] {
  const {tools} = diagnosePage(checkSite(siteId, documents), page)
  return tools.filter(({reasons}) => reasons.length === 0).map(({id}) => uuidOf(id))
}

test('the diagnosis says "offered" for exactly the tools that the service serves', async () => {
  let offered = 0
  await fc.assert(
    fc.asyncProperty(content, path, mostly('shop', 'books'), async (documents, page, siteId) => {
      const expected = await served(siteId, documents, page)
      offered += expected.length
      assert.deepEqual(offeredOn(documents, siteId, page).sort(), expected.sort())
    }),
    {numRuns: runs(500)},
  )
  assert.ok(offered > 20, `${offered} tools were offered: enough to mean something`)
})

test('what the diagnosis says about a draft is true once the draft is published', async () => {
  let drafts = 0
  await fc.assert(
    fc.property(content, path, (documents, page) => {
      for (const {id, reasonsAfter} of diagnosePage(checkSite('shop', documents), page).tools) {
        if (reasonsAfter === undefined) continue
        drafts += 1
        const published = publish(documents, id)
        const after = diagnosePage(checkSite('shop', published), page).tools.find((tool) => tool.id === id)
        // A tool that moved to another site is no longer one of this site's tools.
        const [first] = reasonsAfter
        if (after === undefined) assert.equal(first?.code, 'otherSite')
        // Whether the site is too large is decided before the draft is published.
        else assert.deepEqual(after.reasons, reasonsAfter)
      }
    }),
    {numRuns: runs(200)},
  )
  assert.ok(drafts > 10, `${drafts} drafts`)
})

function publish(documents: readonly StoredDocument[], id: string): StoredDocument[] {
  const draft = documents.find(({_id}) => _id === `drafts.${id}`)
  assert.ok(draft)
  const others = documents.filter(({_id}) => _id !== id && _id !== draft._id)
  return [...others, {...draft, _id: id}]
}
