import assert from 'node:assert/strict'
import {test} from 'node:test'
import {MAX_RECENT, type ServedTool, SiteTexts, unpackedDocument} from '../../../service/site/siteTexts.ts'
import {documentOf} from '../support/entries.ts'

for (const [kind, description] of [
  ['short', 'Sells “things”.\nBuys\r\n\u2028 them back: \ud800 \u{1f6d2}'],
  ['long', 'Sells things.\n'.repeat(50_000)],
] as const) {
  test(`${kind} texts are returned unchanged, whatever they contain, at once and after other sites`, () => {
    const tools = [JSON.stringify({description}), JSON.stringify({description: ''})]
    const served: ServedTool[] = [
      {documentId: 'a\nb', revision: '1', name: 'sell'},
      {documentId: 'b', revision: '"', name: 'buy'},
    ]
    const texts = new SiteTexts(documentOf(description), tools, served)
    const check = () => {
      assert.deepEqual(texts.tools(), tools)
      assert.deepEqual(texts.served(), served)
      assert.deepEqual(unpackedDocument(texts.packed()), documentOf(description))
    }
    check()
    for (let number = 0; number < MAX_RECENT; number++) new SiteTexts(documentOf('shop'), [], [])
    check()
  })
}

test('a site without tools has no texts', () => {
  assert.deepEqual(new SiteTexts(documentOf('shop'), [], []).tools(), [])
})

test('short texts take less memory than their number of characters, long ones one or two bytes per character', () => {
  const bytesOf = (text: string) => new SiteTexts(documentOf('shop'), [text], []).bytes
  assert.ok(bytesOf('Sells things. '.repeat(1_000)) < 1_000)
  const long = bytesOf('x'.repeat(300_000))
  assert.ok(long > 300_000 && long < 301_000, `${long}`)
  assert.ok(bytesOf('…'.repeat(300_000)) > 600_000)
})

test('a document takes a fifth of its tools, whose texts it repeats', () => {
  const scripts = Array.from({length: 10}, (_, tool) =>
    Array.from({length: 60}, (_, line) => `step(${(tool * 60 + line) ** 3})`).join('\n'),
  )
  const tools = scripts.map((executeJs) => JSON.stringify({executeJs}))
  const document = (executeJs: readonly string[]) => ({
    ...documentOf('shop'),
    tools: executeJs.map((executeJs, tool) => ({_id: `tool-${tool}`, _rev: '1', executeJs})),
  })
  const alone = new SiteTexts(document([]), tools, []).bytes
  const both = new SiteTexts(document(scripts), tools, []).bytes
  assert.ok(both < alone * 1.2, `${alone} and ${both}`)
})
