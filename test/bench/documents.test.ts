import assert from 'node:assert/strict'
import {test} from 'node:test'
import {documentFor, pageTemplate} from '../../bench/http/documents.ts'
import {publicIdOf, type SiteSize} from '../../bench/http/siteName.ts'
import {templateOf} from '../../bench/http/template.ts'
import {configFor} from '../../service/site/answer.ts'
import {compileSite} from '../../service/site/compile.ts'

function siteOf(size: SiteSize) {
  const document = documentFor(publicIdOf(size, 7))
  assert.ok(document)
  return compileSite(document)
}

async function bytesOf(size: SiteSize, path: string | undefined): Promise<number> {
  return configFor(await siteOf(size), path).encode().byteLength
}

for (const tools of [1, 10, 100]) {
  for (const bytes of tools === 1 ? [10_240] : [5_120, 10_240, 102_400]) {
    test(`an answer of a site of ${tools} tools has ${bytes} bytes, give or take a hundredth`, async () => {
      const actual = await bytesOf({tools, bytes}, '/')
      assert.ok(Math.abs(actual - bytes) < bytes / 100, `${actual}`)
    })
  }
}

test('no document of a made-up site breaks a rule, and each tool that not all pages have takes about a kilobyte', async () => {
  const size = {tools: 205, bytes: 10_240}
  const site = await siteOf(size)
  assert.deepEqual(site.invalid, [])
  assert.equal(site.tools.length, 205)
  const each = ((await bytesOf(size, undefined)) - (await bytesOf(size, '/'))) / 200
  assert.ok(Math.abs(each - 1_024) < 20, `${each}`)
})

test('pages of a site have the tools of all pages, and some of them one of their section', async () => {
  const size = {tools: 205, bytes: 10_240}
  const site = await siteOf(size)
  const pathOf = templateOf(pageTemplate(size))
  const counts = Array.from({length: 500}, (_, number) => site.paths.match(pathOf(number)).length)
  assert.deepEqual([...new Set(counts)].sort(), [5, 6])
})

test('names that nobody made up are sites that nobody has', () => {
  assert.equal(documentFor('unknown-site'), null)
})
