import assert from 'node:assert/strict'
import {test} from 'node:test'
import {documentFor} from '../../bench/service/content/documents.ts'
import {publicIdOf, type SiteSize} from '../../bench/service/content/siteName.ts'
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

test('generated unknown names are unknown public IDs', () => {
  assert.equal(documentFor('unknown-site'), null)
})
