import assert from 'node:assert/strict'
import {test} from 'node:test'
import {SiteError} from '../../../service/errors.ts'
import {compileSite} from '../support/compile.ts'
import {siteOfTools} from '../support/entries.ts'

test('a site whose patterns expand to too many paths is refused, however much memory there is', async () => {
  const document = siteOfTools(1, 1_000, (tool) => ({
    pathPattern: `/1?/{a,b}{c,d}{e,f}{g,h}{i,j}{k,l}/${tool}`,
  }))
  await assert.rejects(compileSite(document), (error) => {
    assert.ok(error instanceof SiteError)
    assert.match(error.message, /more than 100,000 path segments.*fewer alternatives in braces/)
    return true
  })
})

test('a site over the memory limit for one site is refused, with advice on what to do', async () => {
  const document = siteOfTools(1, 100, () => ({description: 'd'.repeat(3_000)}))
  assert.ok(await compileSite(document, undefined, 2 ** 20))
  await assert.rejects(compileSite(document, undefined, 2 ** 18), (error) => {
    assert.ok(error instanceof SiteError)
    assert.match(error.message, /0\.3 MB for one site\. Remove tools from it/)
    return true
  })
})
