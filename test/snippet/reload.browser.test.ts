import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import {IS_DEEP} from '../runner/runs.ts'
import {eventually} from '../support/eventually.ts'
import {siteDocument, toolDocument} from '../support/shop.ts'
import {type Stage, startStage} from './support/stage.ts'

describe('a person who publishes and reloads a page', () => {
  let stage: Stage
  before(async () => {
    stage = await startStage([siteDocument(), toolDocument({name: 'published0'})])
    stage.website.pages.set('/preload', {head: preload('/preload') + stage.tag()})
  })
  after(() => stage?.close())

  function preload(path: string): string {
    const config = `${stage.network.address}/api/sites/shop-public/config?path=${encodeURIComponent(path)}`
    return `<link rel="preload" as="fetch" crossorigin href="${config}">`
  }

  for (const [what, path, letter, rounds] of [
    ['a page', '/', 'a', IS_DEEP ? 10 : 3],
    ['a page that preloads its config', '/preload', 'b', IS_DEEP ? 5 : 2],
  ] as const)
    test(`finds the tool in ${rounds} of ${rounds} rounds on ${what}`, async () => {
      await stage.visit(path, async ({page, agent, knownSite}) => {
        const names = Array.from({length: rounds}, (_, round) => `published${letter}${round}`)
        const found: string[] = []
        for (const name of names) {
          await stage.publish([toolDocument({name})])
          await page.reload()
          await eventually(knownSite, (known) => known?.state === 'ready')
          found.push(...(await agent.names()))
        }
        assert.deepEqual(found, names)
      })
    })

  test('loads other pages from the cache of the browser, as before', async () => {
    await stage.visit('/', async ({page, knownSite}) => {
      await page.goto(`${stage.website.address}/other`)
      await eventually(knownSite, (known) => known?.path === '/other' && known.state === 'ready')
      stage.forgetRequests()
      await page.goto(`${stage.website.address}/`)
      await eventually(knownSite, (known) => known?.path === '/' && known.state === 'ready')
      assert.deepEqual(stage.configRequests(), [])
      await page.reload()
      await stage.requested('GET / 304')
    })
  })
})
