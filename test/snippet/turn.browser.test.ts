import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import type {Page} from 'playwright-core'
import {IS_DEEP} from '../runner/runs.ts'
import {eventually} from '../support/eventually.ts'
import {siteDocument, toolDocument} from '../support/shop.ts'
import {FORM} from './support/forms.ts'
import {type Stage, startStage, type Visit} from './support/stage.ts'

const COUNT = 40
const LOADS = IS_DEEP ? 20 : 6

/** Tools of the pages below a path, named after it. */
const toolsOf = (page: string) =>
  Array.from({length: COUNT}, (_, index) => {
    const name = `${page}${String(index).padStart(2, '0')}`
    return toolDocument({_id: name, name, pathPattern: `/${page}/**`})
  })

/** Keeps every list of tools that the page sees, as how many there are of each page. */
const OBSERVE = `
  globalThis.lists = new Set()
  const look = async () => {
    const names = (await document.modelContext.getTools()).map(({name}) => name)
    lists.add(names.filter((name) => /^red/.test(name)).length + ' red, ' + names.filter((name) => /^blue/.test(name)).length + ' blue')
  }
  document.modelContext.addEventListener('toolchange', look)
  // As often as the browser runs tasks: between them, another one may ask.
  const {port1, port2} = new MessageChannel()
  port1.onmessage = () => { void look(); setTimeout(() => port2.postMessage(0)) }
  port2.postMessage(0)`

describe(`${COUNT} tools of a page`, () => {
  let stage: Stage
  before(async () => {
    stage = await startStage([siteDocument(), ...toolsOf('red'), ...toolsOf('blue')])
  })
  after(() => stage?.close())

  test('come and go in one turn: no listener and no list sees a part of them', async () => {
    const visited = async ({page, agent}: Visit) => {
      await page.evaluate('history.pushState(null, "", "/blue/2")')
      await eventually(
        () => agent.names(),
        (names) => names[0] === 'blue00' && names.length === COUNT,
      )
      await page.evaluate('history.pushState(null, "", "/")')
      await agent.sees()
      assert.deepEqual(await page.evaluate('[...lists]'), [
        '0 red, 0 blue',
        `${COUNT} red, 0 blue`,
        `0 red, ${COUNT} blue`,
      ])
    }
    await stage.visit('/red/1', visited, {prepare: (page: Page) => page.addInitScript(OBSERVE)})
  })

  test(`are complete in the first list of an agent, in ${LOADS} of ${LOADS} loads`, async () => {
    await stage.visit('/', async ({page}) => {
      for (let load = 0; load < LOADS; load++) {
        const name = load % 2 ? 'red' : 'blue'
        await page.goto(`${stage.website.address}/${name}/${load}`, {waitUntil: 'commit'})
        const list = await eventually(
          () => page.webmcp.tools(),
          ({length}) => length > 0,
        )
        assert.equal(list.filter((tool) => tool.name.startsWith(name)).length, COUNT, `load ${load}`)
        assert.equal(list.length, COUNT)
      }
    })
  })

  test('leave their names to forms, and take them from forms, at the same time', async () => {
    stage.website.pages.set('/form', {body: FORM})
    const about = {name: 'swap', description: 'Swaps.'}
    const asTool = {tools: [{...about, id: 'a', executeJs: 'return 1'}], formTools: []}
    const asForm = {tools: [], formTools: [{...about, selector: 'form#contact'}]}
    await stage.visit('/form', async ({agent, site, refresh}) => {
      for (const config of [asForm, asTool, asForm, asTool]) {
        stage.answerConfigs({siteId: 'shop', pollInterval: 300, ...config})
        await refresh()
        const {tools, forms, problems} = await site()
        const expected = config === asTool ? [['swap'], []] : [[], ['swap']]
        assert.deepEqual([tools, forms, problems], [...expected, {}])
        await agent.sees('swap')
      }
    })
  })
})
