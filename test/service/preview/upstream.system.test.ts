import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import {errorOf} from '../../support/answers.ts'
import {eventually} from '../../support/eventually.ts'
import type {House} from '../../support/house.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'
import {bodyOf, preview, runPreviewHouse, tokenFor} from './support.ts'

const KINDS: ('refuse' | 'hang' | 'stall')[] = ['refuse', 'hang', 'stall']

const isListener = (url: string) => url.includes('/data/listen/')
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
  test('all tabs of a site share one listener, which sends no queries while nothing changes, and is closed after the last', async (t) => {
    const house = await runPreviewHouse(t, [siteDocument(), toolDocument()])
    const token = await tokenFor(house)
    await shows(house, token, 'Searches the shop.')
    await setTimeout(1_100) // what was read is shared for a moment
    await preview(house, token)
    const before = house.network.queries.filter(isOfPreview).length
    for (let tab = 0; tab < 50; tab++) assert.equal((await preview(house, token, `/${tab}`)).status, 200)
    await saveDraft(house, 'A draft.')
    await shows(house, token, 'A draft.')
    assert.equal(house.network.queries.filter(isOfPreview).length, before)
    assert.equal(house.network.queries.filter(isListener).length, 1)
    assert.ok(house.network.unanswered > 0, 'the listener is open')
    await eventually(() => house.network.unanswered, 0, 20)
  })

  test('while the listener is down, a change is seen within two seconds, with a query a second at most', async (t) => {
    const house = await runPreviewHouse(t, [siteDocument(), toolDocument()])
    house.network.fault = (url) => ({kind: isListener(url) ? 'refuse' : 'none'})
    const token = await tokenFor(house)
    const began = performance.now()
    for (const description of ['The first draft.', 'The second draft.']) {
      await saveDraft(house, description)
      await shows(house, token, description)
    }
    const isDocuments = (url: string) => isOfPreview(url) && url.includes('siteId') && !isListener(url)
    const queries = house.network.queries.filter(isDocuments).length
    const seconds = (performance.now() - began) / 1_000
    assert.ok(queries <= seconds + 2, `${queries} queries in ${seconds} s`)

    house.network.fault = {kind: 'none'}
    await setTimeout(3_000) // the listener is opened again
    await shows(house, token, 'The second draft.')
    await setTimeout(1_100) // what was read is shared for a moment
    await shows(house, token, 'The second draft.')
    const before = house.network.queries.filter(isDocuments).length
    await saveDraft(house, 'The third draft.')
    await shows(house, token, 'The third draft.')
    assert.ok(house.network.queries.filter(isDocuments).length <= before + 1, 'the listener is back')
  })

  test('a listener whose connection breaks is opened again, and nothing is missed', async (t) => {
    const house = await runPreviewHouse(t, [siteDocument(), toolDocument()])
    const token = await tokenFor(house)
    await shows(house, token, 'Searches the shop.')
    for (const description of ['After the first break.', 'After the second break.']) {
      house.network.cut()
      await saveDraft(house, description)
      await shows(house, token, description)
    }
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
