import assert from 'node:assert/strict'
import {mkdtemp, readdir, readFile, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {buildHelp, render} from '../../../studio/build/help.ts'
import {HELP_PAGES} from '../../../studio/helpPages.ts'

const DOCS = fileURLToPath(new URL('../../../docs', import.meta.url))

async function built(t: TestContext, ending = '.html'): Promise<ReadonlyMap<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'handrail-help-'))
  t.after(() => rm(folder, {recursive: true}))
  await buildHelp(DOCS, folder)
  const names = await readdir(folder)
  const pages = names
    .filter((name) => name.endsWith(ending))
    .map(async (name) => [name.replace('.html', ''), await readFile(join(folder, name), 'utf8')] as const)
  return new Map(await Promise.all(pages))
}

const hrefsIn = (html: string) => Array.from(html.matchAll(/<a href="([^"]*)"/g), ([, href = '']) => href)

test('the guides of editors link to each other, to headings that exist, and never to the repository', async (t) => {
  const pages = await built(t)
  assert.deepEqual([...pages.keys()].sort(), ['index', ...HELP_PAGES.map(({name}) => name)].sort())
  const inner = [...pages].flatMap(([name, html]) => hrefsIn(html).map((href) => [name, href] as const))
  for (const [name, href] of inner) {
    if (/^https:\/\//.test(href)) continue
    const [, page = name, anchor] = /^(?:\/help\/([a-z-]+))?(?:#(.+))?$/.exec(href) ?? assert.fail(href)
    const target = pages.get(page)
    assert.ok(target, `${name} links to ${href}`)
    if (anchor !== undefined) assert.ok(target.includes(` id="${anchor}"`), `${name} links to ${href}`)
  }
  assert.ok(inner.some(([, href]) => href === '/help/tools#path-patterns'))
  for (const [name, html] of pages) {
    assert.doesNotMatch(html, /<script|\.md"|decisions\//, name)
    assert.match(html, /^<h1/, name)
  }
})

test('a guide becomes plain HTML: a link that editors cannot open is text, and code is escaped', () => {
  const html = render(
    [
      '# Tools & forms',
      '[patterns](tools.md#path-patterns), [why](decisions/0001-x.md), [below](#b), [web](https://a.example)',
      '| A | B |\n|---|---|\n| `<a>` | b |',
      '```js\nif (a < b) return "x"\n```',
      '## B\n\n## B',
      '![A page](making.png)',
    ].join('\n\n'),
  )
  assert.match(html, /^<h1 id="tools--forms">Tools &amp; forms<\/h1>/)
  assert.match(html, /<a href="\/help\/tools#path-patterns">patterns<\/a>, why, <a href="#b">below<\/a>/)
  assert.match(html, /<a href="https:\/\/a\.example" rel="noreferrer">web<\/a>/)
  assert.match(html, /tabindex="0"><table>.*<td><code>&lt;a&gt;<\/code><\/td>/s)
  assert.match(html, /<pre tabindex="0"><code>if \(a &lt; b\) return &quot;x&quot;\n?<\/code>/)
  assert.match(html, /<h2 id="b">B<\/h2>\s*<h2 id="b-1">B<\/h2>/)
  assert.match(html, /<img alt="A page" loading="lazy" src="\/help\/making\.png">/)
  assert.throws(() => render('[x](javascript:alert(1))'), /cannot link/)
})
