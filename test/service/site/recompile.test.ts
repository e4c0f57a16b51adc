import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {configFor} from '../../../service/site/answer.ts'
import type {CompiledSite} from '../../../service/site/compiledSite.ts'
import type {SiteDocument} from '../../../service/upstream/siteDocument.ts'
import {compileSite} from '../support/compile.ts'
import {type ToolDocument, toolOf} from '../support/entries.ts'

function siteDocument(
  tools: ToolDocument[],
  {askBefore = null, reportCalls = null}: {askBefore?: unknown; reportCalls?: unknown} = {},
): SiteDocument {
  return {
    _id: 'site',
    _rev: 'first',
    publicId: 'shop-public',
    enabled: null,
    pollInterval: 300,
    askBefore,
    reportCalls,
    tools,
    formTools: [],
  }
}

test('publishing one tool reads only that tool; the others are reused', async () => {
  const numbers = [0, 1, 2, 3]
  const before = await compileSite(siteDocument(numbers.map((number) => toolOf(number))))
  const changed = toolOf(2, {_rev: 'second', description: 'Does it better.'})
  // One revision never has two contents, so a script that is broken now was not read.
  const broken = (number: number) => toolOf(number, {executeJs: 'return ('})
  const tools = numbers.map((number) => (number === 2 ? changed : broken(number)))
  const after = await compileSite(siteDocument(tools), before)
  assert.deepEqual(
    after.texts.tools().map((json, position) => json === before.texts.tools()[position]),
    [true, true, false, true],
  )
  assert.match(configFor(after, '/').encode().toString(), /Does it better/)
})

test('after any sequence of changes a site equals one compiled from scratch', async () => {
  const revision = fc.record({
    number: fc.nat(5),
    _rev: fc.constantFrom('first', 'second'),
    name: fc.constantFrom('buy', 'change', 'not a name'),
    pathPattern: fc.constantFrom('/', '/a/*', '/**', 'x(y)'),
  })
  // One revision never has two contents: the content follows from the document and its name.
  const contents = fc.uniqueArray(revision, {selector: ({number, _rev}) => `${number} ${_rev}`})
  const settings = fc.record({
    askBefore: fc.constantFrom(null, 'consequential', 'changes'),
    reportCalls: fc.constantFrom(null, true),
  })
  await fc.assert(
    fc.asyncProperty(
      contents,
      fc.array(fc.tuple(fc.infiniteStream(fc.boolean()), settings), {maxLength: 4}),
      async (all, picks) => {
        let known: CompiledSite | undefined
        for (const [pick, chosen] of picks) {
          const present = new Map<number, ToolDocument>()
          for (const {number, ...rest} of all)
            if (pick.next().value) present.set(number, toolOf(number, rest))
          const document = siteDocument([...present.values()], chosen)
          known = await compileSite(document, known)
          const fresh = await compileSite(document)
          assert.deepEqual(
            [known.texts.served(), known.texts.tools(), known.invalid],
            [fresh.texts.served(), fresh.texts.tools(), fresh.invalid],
          )
          for (const path of ['/', '/a/b', '/c']) {
            assert.equal(configFor(known, path).entityTag, configFor(fresh, path).entityTag)
          }
        }
      },
    ),
  )
})

test('compiling a large site yields to other work: each turn runs no more than one slice', async () => {
  let turns = 0
  let running = true
  const turn = () => {
    turns++
    if (running) setImmediate(turn)
  }
  setImmediate(turn)
  const script = `return ${'Math.sqrt(args.length) + '.repeat(60)}1`
  const tools = Array.from({length: 2_000}, (_, number) => toolOf(number, {executeJs: script}))
  const site = await compileSite(siteDocument(tools))
  running = false
  assert.equal(site.count, 2_000)
  assert.ok(turns >= 10, `${turns} turns`)
})
