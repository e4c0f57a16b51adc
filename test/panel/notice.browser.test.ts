import assert from 'node:assert/strict'
import {after, before, beforeEach, describe, test} from 'node:test'
import {type Stage, startStage, type Visit} from '../snippet/support/stage.ts'
import {sharedBrowsers} from '../support/browser.ts'
import {eventually} from '../support/eventually.ts'
import {siteDocument, toolDocument} from '../support/shop.ts'

/** In place of the panel: keeps what it was called with. */
const MODULE = 'export const open = (...values) => (globalThis.opened ??= []).push(values)'

describe('the notice of the snippet', () => {
  let stage: Stage
  before(async () => {
    stage = await startStage([siteDocument(), toolDocument()])
  })
  after(() => stage?.close())
  beforeEach(() => {
    const headers = {'access-control-allow-origin': '*'}
    stage.website.pages.clear()
    stage.network.fault = (url) =>
      url === '/preview.js'
        ? {kind: 'answer', status: 200, contentType: 'text/javascript', body: MODULE, headers}
        : {kind: 'none'}
  })

  const isUnready = {isUnready: true}
  const opened = async ({page}: Visit, count = 1) => {
    const found = await eventually(
      () => page.evaluate('globalThis.opened'),
      (calls) => Array.isArray(calls) && calls.length === count,
    )
    assert.ok(Array.isArray(found))
    return found
  }
  const kept = ({page}: Visit) => page.evaluate('sessionStorage["handrail-preview"]')

  test('takes the key out of the address, keeps it for the tab, and passes it to the panel', async () => {
    const site = [`${stage.network.address}/`, 'shop-public', false, null, '']
    await stage.visit(
      '/a?b=c#handrail-preview=shop-public.SECRET',
      async (visit) => {
        const {page, agent} = visit
        assert.deepEqual(await opened(visit), [['shop-public.SECRET', ...site]])
        assert.equal(page.url(), `${stage.website.address}/a?b=c`)
        assert.equal(await page.evaluate('history.length'), 2)
        assert.deepEqual(await agent.names(), [], 'the panel registers the tools')

        await page.goto(`${stage.website.address}/b`)
        assert.deepEqual(await opened(visit), [['shop-public.SECRET', ...site]])
        await page.goto(`${stage.website.address}/b#handrail-preview=shop-public.OTHER`)
        await page.reload()
        assert.equal(await kept(visit), 'shop-public.OTHER')
      },
      isUnready,
    )
    await stage.visit('/a', async ({agent}) => agent.sees('searchProducts'))
  })

  test('keeps the state that the page stored with its address', async () => {
    const body = '<script>history.replaceState({from: "page"}, "")</script>'
    stage.website.pages.set('/state', {body: body + stage.tag().replace('async', ''), head: ' '})
    await stage.visit(
      '/state#handrail-preview=shop-public.SECRET',
      async (visit) => {
        await opened(visit)
        assert.deepEqual(await visit.page.evaluate('history.state'), {from: 'page'})
      },
      isUnready,
    )
  })

  test('with data-panel, the panel is opened by each tag, and a key comes first', async () => {
    stage.website.pages.set('/two', {head: stage.tag('data-panel') + stage.tag('data-debug', 'other')})
    const base = `${stage.network.address}/`
    const visited = async (visit: Visit) => {
      assert.deepEqual(await opened(visit), [['', base, 'shop-public', false, null, '']])
      await visit.page.evaluate('sessionStorage["handrail-preview"] = "panel"')
      await visit.page.reload()
      assert.deepEqual(
        new Set(await opened(visit, 2)),
        new Set([
          ['panel', base, 'shop-public', false, null, ''],
          ['panel', base, 'other', true, null, ''],
        ]),
      )
    }
    await stage.visit('/two', visited, isUnready)
  })

  test('if the module cannot be loaded, the published tools are registered', async () => {
    stage.network.fault = (url) => (url === '/preview.js' ? {kind: 'refuse'} : {kind: 'none'})
    await stage.visit('/#handrail-preview=shop-public.SECRET', async (visit) => {
      await visit.agent.sees('searchProducts')
      assert.equal(await kept(visit), 'shop-public.SECRET')
    })
  })

  test('if a policy blocks the module, the console names the directive, and the published tools are registered', async () => {
    const {address} = stage.network
    const headers = {'content-security-policy': `script-src ${address}/snippet.js; connect-src ${address}`}
    stage.website.pages.set('/', {headers})
    await stage.visit('/#handrail-preview=shop-public.SECRET', async ({agent, said}) => {
      await agent.sees('searchProducts')
      assert.deepEqual(said(), [`warning: [handrail] does script-src allow ${address}/?`])
    })
  })

  test('where the storage is forbidden, the panel gets the key, and visitors their tools', async () => {
    const headers = {'content-security-policy': 'sandbox allow-scripts'}
    stage.website.pages.set('/sandbox', {headers})
    await stage.visit(
      '/sandbox#handrail-preview=shop-public.SECRET',
      async (visit) => {
        const [[key]] = await opened(visit)
        assert.equal(key, 'shop-public.SECRET')
      },
      isUnready,
    )
    await stage.visit('/sandbox', async ({agent}) => agent.sees('searchProducts'))
  })

  test('also in a browser without WebMCP', async () => {
    const browser = await sharedBrowsers.withoutWebMcp()
    const visited = async (visit: Visit) => {
      assert.deepEqual((await opened(visit)).length, 1)
    }
    await stage.visit('/#handrail-preview=shop-public.SECRET', visited, {...isUnready, browser})
  })
})
