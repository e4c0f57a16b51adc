import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import {errorOf} from '../../support/answers.ts'
import {eventually} from '../../support/eventually.ts'
import type {House} from '../../support/house.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'
import {bodyOf, preview, runPreviewHouse, tokenFor} from './support.ts'

const KINDS: ('refuse' | 'hang' | 'stall')[] = ['refuse', 'hang', 'stall']

const isOfPreview = (url: string) => url.includes('tag=handrail.preview')

async function saveDraft({client}: House, description: string): Promise<void> {
  await client.createOrReplace({...toolDocument(), _id: 'drafts.search', description})
}

function shows(house: House, token: string, description: string, seconds?: number): Promise<unknown> {
  return eventually(
    () => bodyOf(preview(house, token)),
    ({text}) => text.includes(description),
    seconds,
  )
}

describe('previews and upstream', {concurrency: 2}, () => {
  test('all tabs of a site share one query a second, which shows a draft within two seconds', async (t) => {
    const house = await runPreviewHouse(t, [siteDocument(), toolDocument()])
    const token = await tokenFor(house)
    await shows(house, token, 'Searches the shop.')
    const isDocuments = (url: string) => isOfPreview(url) && url.includes('siteId')
    const sent = () => house.network.queries.filter(isDocuments).length
    const [before, began] = [sent(), performance.now()]
    for (let tab = 0; tab < 50; tab++) assert.equal((await preview(house, token, `/${tab}`)).status, 200)
    for (const description of ['The first draft.', 'The second draft.']) {
      await saveDraft(house, description)
      await shows(house, token, description)
    }
    const seconds = (performance.now() - began) / 1_000
    assert.ok(sent() - before <= seconds / 0.9 + 1, `${sent() - before} queries in ${seconds} s`)
  })

  test('while upstream is down or hangs, the response is an error with Retry-After, in time', async (t) => {
    const house = await runPreviewHouse(t, [siteDocument(), toolDocument()])
    const token = await tokenFor(house)
    await shows(house, token, 'Searches the shop.')
    for (const kind of KINDS) {
      house.network.fault = {kind}
      house.network.cut()
      await setTimeout(1_100) // what was read is shared for a moment
      const began = performance.now()
      const response = await preview(house, token)
      const {status, code} = await errorOf(response)
      assert.deepEqual([status, code], [500, 'INTERNAL_ERROR'], kind)
      assert.match(response.headers.get('retry-after') ?? '', /^\d+$/)
      assert.ok(performance.now() - began < 10_000, `${kind} took too long`)
      house.network.fault = {kind: 'none'}
      await eventually(async () => (await preview(house, token)).status, 200, 10)
    }
    const warnings = house.lines.filter(({msg}) => msg === 'cannot read drafts for a preview')
    assert.equal(warnings.length, 1, 'once a minute')
  })

  test('a token for upstream that may not read drafts is an error, and harms no visitor', async (t) => {
    const house = await runPreviewHouse(t, [siteDocument(), toolDocument()])
    const token = await tokenFor(house)
    house.network.fault = (url) =>
      url.includes('perspective=raw')
        ? {kind: 'answer', status: 403, contentType: 'application/json', body: '{"message":"no"}'}
        : {kind: 'none'}
    for (let number = 0; number < 5; number++) {
      await setTimeout(1_010) // failures are remembered for a second
      assert.equal((await preview(house, token)).status, 500)
    }
    assert.equal((await house.config('shop-public')).status, 200)
    assert.match(await (await fetch(`${house.serviceAddress}/readyz`)).text(), /"status":"ready"/)
  })
})
