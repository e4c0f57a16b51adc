import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {evaluate, parse} from 'groq-js'
import {type StoredDocument, withDrafts} from '../../../schemas/documents.ts'
import {draftAdvisor} from '../../../service/preview/drafts/draftAdvice.ts'
import {buildDraftSite, type DraftSite} from '../../../service/preview/drafts/draftSite.ts'
import {reportPage} from '../../../service/preview/drafts/pageReport.ts'
import {configFor} from '../../../service/site/answer.ts'
import {SiteCompiler} from '../../../service/site/compile.ts'
import {uuidOf} from '../../../service/site/uuid.ts'
import {siteQuery} from '../../../service/upstream/queries.ts'
import {isSite} from '../../../service/upstream/responses.ts'
import {recordOf} from '../../support/answers.ts'
import type {ContentDocument} from '../../support/content.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'

const compiler = new SiteCompiler()
const query = parse(siteQuery)
const MAX_BYTES = 2 ** 24
const PATHS = ['/', '/cart', '/products/7', '/Cart']

/** The config that visitors of the site would get if these documents were published. */
async function published(documents: readonly StoredDocument[], path: string): Promise<string | undefined> {
  const dataset = documents.filter(({_id}) => !_id.includes('.'))
  const value = await evaluate(query, {dataset, params: {publicId: 'shop-public'}})
  const {site} = recordOf(await value.get())
  if (!isSite(site, 'shop-public')) return undefined
  return configFor(await compiler.compile(site), path)
    .encode()
    .toString()
}

async function reported(site: DraftSite, path: string) {
  const {members} = await reportPage(site, draftAdvisor([...site.tools.values()]), path, compiler.slices)
  const body = recordOf(JSON.parse(`{${members}}`))
  assert.ok(Array.isArray(body.tools))
  return {members, config: recordOf(body.config), tools: body.tools.map(recordOf)}
}

/** Mostly the first value, so that most documents are served and each fault occurs alone. */
function mostly<T>(usual: T, ...others: T[]): fc.Arbitrary<T> {
  return fc.oneof({arbitrary: fc.constant(usual), weight: 6 * others.length}, fc.constantFrom(...others))
}

let revisions = 0
const fields = fc.record({
  name: fc.constantFrom('searchProducts', 'getCart', 'addToCart', 'a b'),
  enabled: mostly<unknown>(true, false),
  site: mostly('shop', 'books').map((_ref) => ({_ref, _type: 'reference'})),
  description: mostly('Searches the shop.', 'Searches the shop for products by words.', ' '),
  path: fc.constantFrom('/**', '/cart', '/{cart,products}/**', ''),
  executeJs: mostly('return 1', 'return {', 'return 2'),
  selector: mostly('form', ':::'),
})
const document = fc
  .tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.boolean(), fc.boolean(), fields)
  .map(([id, isDraft, isForm, {path, ...rest}]): StoredDocument => {
    const of: ContentDocument = isForm
      ? formToolDocument({...rest, pagePath: path})
      : toolDocument({...rest, pathPattern: path})
    const _id = `${isDraft ? 'drafts.' : ''}${isForm ? 'form' : 'tool'}-${id}`
    return {...of, _id, _rev: `revision-${revisions++}`}
  })
const siteVersion = (id: string) =>
  fc
    .record({enabled: mostly<unknown>(undefined, true, false), pollInterval: mostly<unknown>(300, 60, 'x')})
    .map((rest): StoredDocument => ({...siteDocument(rest), _id: id, _rev: `revision-${revisions++}`}))
const site = fc.tuple(siteVersion('shop'), fc.option(siteVersion('drafts.shop'), {nil: undefined}))
const contents = fc
  .tuple(site, fc.uniqueArray(document, {selector: ({_id}) => _id, maxLength: 8}))
  .map(([[own, draft], tools]) => [own, ...(draft === undefined ? [] : [draft]), ...tools])

test('a site with drafts applied has the config that it has once they are published, and knows what is in it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(contents, {minLength: 1, maxLength: 3}), async (states) => {
      let before: DraftSite | undefined
      // Each state reuses what the one before it has built.
      for (const documents of states) {
        const built = await buildDraftSite({siteId: 'shop', documents}, MAX_BYTES, compiler, before)
        assert.ok(built)
        for (const path of PATHS) {
          const {members, config, tools} = await reported(built, path)
          const expected = await published(withDrafts(documents), path)
          assert.ok(members.includes(`"config":${expected},"tools":`), `${expected} is not in ${members}`)
          assert.deepEqual(offered(tools), idsIn(config))
        }
        before = built
      }
    }),
    {numRuns: 25},
  )
})

function offered(tools: readonly Record<string, unknown>[]): unknown[] {
  return tools
    .filter(({isOffered}) => isOffered === true)
    .map(({id}) => uuidOf(String(id)))
    .sort()
}

function idsIn({tools, formTools}: Record<string, unknown>): unknown[] {
  return [tools, formTools]
    .flatMap((list) => (Array.isArray(list) ? list.map((member) => recordOf(member).id) : []))
    .sort()
}
