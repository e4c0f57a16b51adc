import assert from 'node:assert/strict'
import {test} from 'node:test'
import {eventually} from '../../support/eventually.ts'
import {runHouse} from '../../support/house.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

test('a site that claims to be older does not replace the one that is served', async (t) => {
  // Hosted Sanity accepts a second site with the same public ID, and any `_createdAt` of a new document.
  const house = await runHouse(t, [siteDocument(), toolDocument()])
  const served = async () => (await house.config('shop-public', '/')).text()
  assert.match(await served(), /searchProducts/)
  const evil = siteDocument({_id: 'evil', _createdAt: '2001-01-01T00:00:00Z'})
  const tool = toolDocument({_id: 'evil-tool', name: 'evil', site: {_type: 'reference', _ref: 'evil'}})
  await house.client.transaction().create(evil).create(tool).commit()
  await house.client.patch('search').set({description: 'Finds boats.'}).commit()
  const config = await eventually(served, (text) => text.includes('Finds boats.') || text.includes('evil'))
  assert.doesNotMatch(config, /evil/)
  await house.client.transaction().delete('search').delete('shop').commit()
  await eventually(served, /"evil"/)
})
