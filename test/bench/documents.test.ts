import assert from 'node:assert/strict'
import {test} from 'node:test'
import {documentFor, pageTemplate} from '../../bench/http/content/documents.ts'
import {publicIdOf, type SiteSize} from '../../bench/http/content/siteName.ts'
import {templateOf} from '../../bench/http/template.ts'
import {configFor} from '../../service/site/answer.ts'
import {compileSite} from '../service/support/compile.ts'

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
    test(`a config of a site with ${tools} tools has ${bytes} bytes, within one percent`, async () => {
      const actual = await bytesOf({tools, bytes}, '/')
      assert.ok(Math.abs(actual - bytes) < bytes / 100, `${actual}`)
    })
  }
}

test('every document of a generated site is valid, and each tool that is not on all pages takes about a kilobyte', async () => {
  const size = {tools: 205, bytes: 10_240}
  const site = await siteOf(size)
  assert.deepEqual(site.invalid, [])
  assert.equal(site.count, 205)
  const each = ((await bytesOf(size, undefined)) - (await bytesOf(size, '/'))) / 200
  assert.ok(Math.abs(each - 1_024) < 20, `${each}`)
})

test('each page of a site has the tools of all pages, and some pages one of their section', async () => {
  const size = {tools: 205, bytes: 10_240}
  const site = await siteOf(size)
  const pathOf = templateOf(pageTemplate(size))
  const counts = Array.from({length: 500}, (_, number) => site.paths.match(pathOf(number)).length)
  assert.deepEqual([...new Set(counts)].sort(), [5, 6])
})

test('generated unknown names are unknown public IDs', () => {
  assert.equal(documentFor('unknown-site'), null)
})
