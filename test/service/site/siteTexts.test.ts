import assert from 'node:assert/strict'
import {test} from 'node:test'
import {type ServedTool, SiteTexts} from '../../../service/site/siteTexts.ts'

for (const [kind, description] of [
  ['short', 'Sells “things”.\nBuys\r\n\u2028 them back: \ud800 \u{1f6d2}'],
  ['long', 'Sells things.\n'.repeat(50_000)],
] as const) {
  test(`${kind} texts are returned unchanged, whatever they contain`, () => {
    const tools = [JSON.stringify({description}), JSON.stringify({description: ''})]
    const served: ServedTool[] = [
      {documentId: 'a\nb', revision: '1', name: 'sell'},
      {documentId: 'b', revision: '"', name: 'buy'},
    ]
    const texts = new SiteTexts(tools, served)
    assert.deepEqual(texts.tools(), tools)
    assert.deepEqual(texts.served(), served)
  })
}

test('a site without tools has no texts', () => {
  assert.deepEqual(new SiteTexts([], []).tools(), [])
})

test('short texts take less memory than their number of characters, long ones one or two bytes per character', () => {
  const bytesOf = (text: string) => new SiteTexts([text], []).bytes
  assert.ok(bytesOf('Sells things. '.repeat(1_000)) < 1_000)
  const long = bytesOf('x'.repeat(300_000))
  assert.ok(long >= 300_000 && long < 301_000, `${long}`)
  assert.ok(bytesOf('…'.repeat(300_000)) > 599_999)
})
