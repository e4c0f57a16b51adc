import assert from 'node:assert/strict'
import {once} from 'node:events'
import {createServer} from 'node:http'
import {after, before, beforeEach, describe, test} from 'node:test'
import type {BrowserContext, Page} from 'playwright-core'
import {buildSnippet} from '../../snippet/build/build.ts'
import {eventually} from '../support/eventually.ts'
import {siteDocument, toolDocument} from '../support/shop.ts'
import {assertQuiet, type Stage, startStage, type Visit} from './support/stage.ts'

describe('the tag of the snippet', () => {
  let stage: Stage
  before(async () => {
    const other = {_ref: 'other', _type: 'reference'}
    stage = await startStage([
      siteDocument(),
      siteDocument({_id: 'other', publicId: 'other-public'}),
      toolDocument({executeJs: 'return "first"'}),
      toolDocument({_id: 'same', site: other, executeJs: 'return "second"'}),
      toolDocument({_id: 'more', site: other, name: 'more', executeJs: 'return "more"'}),
    ])
  })
  after(() => stage?.close())
  beforeEach(() => stage.forgetRequests())

  test('names one build by its hash and digest', async () => {
    const {hash, integrity} = await buildSnippet()
    const src = `${stage.network.address}/snippet.${hash}.js`
    const head = (digest: string) =>
      `<script async src="${src}" integrity="${digest}" crossorigin="anonymous" data-site="shop-public"></script>`
    stage.website.pages.set('/', {head: head(integrity)})
    await stage.visit('/', async ({agent, lines}) => {
      await agent.sees('searchProducts')
      assertQuiet(lines)
    })
    stage.website.pages.set('/', {head: head(integrity.replace(/.{8}$/, 'AAAAAAAA'))})
    const refused = {isUnready: true}
    await stage.visit('/', async ({agent}) => assert.deepEqual(await agent.names(), []), refused)
  })

  test('may name a service below a path of its host', async () => {
    const proxy = createServer(async (request, response) => {
      const path = request.url?.replace(/^\/below\/handrail/, '') ?? ''
      const answer = await fetch(stage.network.address + path)
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? '',
        'access-control-allow-origin': '*',
      })
      response.end(path === request.url ? 'not below' : await answer.text())
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const address = proxy.address()
    assert.ok(typeof address === 'object' && address)
    const src = `http://127.0.0.1:${address.port}/below/handrail/snippet.js?from=cms`
    stage.website.pages.set('/', {head: `<script async src="${src}" data-site="shop-public"></script>`})
    await stage.visit('/', async ({agent}) => {
      await agent.sees('searchProducts')
      assert.equal((await agent.call('searchProducts')).output, 'first')
    })
    proxy.closeAllConnections()
    proxy.close()
  })

  for (const attributes of ['', 'data-site=""']) {
    test(`that names no site says in the console what to write, and does nothing else: ${attributes}`, async () => {
      const src = `${stage.network.address}/snippet.js`
      stage.website.pages.set('/', {head: `<script async src="${src}" ${attributes}></script>`})
      const visited = async ({page, lines}: Visit) => {
        await eventually(
          async () => lines,
          ({length}) => length > 0,
        )
        assert.deepEqual(lines, [`warning: [handrail] ${src} names no site: snippet.js?site=PUBLIC_ID`])
        assert.equal(await page.evaluate('"handrail" in window'), false)
        assert.deepEqual(stage.configRequests(), [])
      }
      await stage.visit('/', visited, {isUnready: true})
    })
  }

  test('that a plugin has combined with other scripts is missing, and the console says so', async () => {
    const {text} = await buildSnippet()
    stage.website.pages.set('/combined.js', {script: `var other = 1;\n${text}`})
    const own = `${stage.website.address}/combined.js`
    for (const [head, missing] of [
      ['<script src="/combined.js"></script>', own],
      [`<script>${text}</script>`, 'the page'],
    ] as const) {
      stage.website.pages.set('/', {head})
      await stage.visit(
        '/',
        async ({lines}) =>
          assert.deepEqual(lines, [
            `warning: [handrail] ${missing} names no site: snippet.js?site=PUBLIC_ID`,
          ]),
        {isUnready: true},
      )
    }
  })

  test('works the same when included twice', async () => {
    const {hash} = await buildSnippet()
    const pinned = stage.tag().replace('snippet.js', `snippet.${hash}.js`)
    stage.website.pages.set('/', {head: stage.tag() + stage.tag() + pinned})
    await stage.visit('/', async ({page, agent, lines}) => {
      await page.waitForLoadState()
      await page.evaluate('handrail.refresh()')
      assert.deepEqual(agent.events, ['+searchProducts'])
      await stage.requested('GET / 200', 'GET / 304')
      assertQuiet(lines)
    })
  })

  test('of two sites adds the tools of both, and a shared name goes to the first', async () => {
    stage.website.pages.set('/', {head: stage.tag() + stage.tag('', 'other-public')})
    await stage.visit('/', async ({page, agent, said}) => {
      await agent.sees('searchProducts', 'more')
      await page.evaluate('handrail.refresh()')
      await stage.requested('GET / 200', 'GET / 200', 'GET / 304', 'GET / 304')
      assert.deepEqual(agent.events.toSorted(), ['+more', '+searchProducts'])
      assert.equal(said().length, 1)
      assert.match(said().join(), /problem with searchProducts: Duplicate tool name$/)
      assert.deepEqual(await page.evaluate('Object.keys(handrail.sites).sort()'), [
        'other-public',
        'shop-public',
      ])
    })
  })

  test('leaves no trace: no cookie, no storage, no credentials', async () => {
    stage.website.pages.set('/', {})
    const prepare = (_page: Page, context: BrowserContext) =>
      context.addCookies([{name: 'who', value: 'ada', url: stage.network.address}])
    await stage.visit(
      '/',
      async ({page}) => {
        const request = page.waitForRequest((candidate) => candidate.url().includes('/config'))
        await page.evaluate('handrail.refresh()')
        const headers = await (await request).allHeaders()
        assert.deepEqual(
          Object.keys(headers).filter((name) => /cookie|auth|^x-/.test(name)),
          [],
        )
        const stored = 'document.cookie + localStorage.length + sessionStorage.length'
        assert.equal(await page.evaluate(stored), '00')
        assert.equal((await page.context().cookies()).length, 1)
        assert.deepEqual(await page.evaluate('indexedDB.databases()'), [])
      },
      {prepare},
    )
  })
})

describe('window.handrail', () => {
  let stage: Stage
  before(async () => {
    stage = await startStage([siteDocument(), toolDocument({pathPattern: '/products/**'})])
  })
  after(() => stage?.close())

  test('lists what is registered, and notifies the page when that changes', async () => {
    const listen = `globalThis.told = []
      addEventListener('handrail', ({detail}) => told.push(detail))`
    const prepare = (page: Page) => page.addInitScript(listen)
    await stage.visit(
      '/products',
      async ({page, agent, refresh}) => {
        const common = {path: '/products', forms: [], problems: {}, site: 'shop-public', error: undefined}
        const expected = [
          {...common, state: 'loading', tools: [], changes: 0},
          {...common, state: 'ready', tools: ['searchProducts'], changes: 1},
        ]
        assert.deepEqual(await page.evaluate('told'), expected)
        await refresh()
        assert.deepEqual(await page.evaluate('told.splice(0)'), expected, 'nothing changed')

        await page.evaluate('history.pushState(null, "", "/")')
        await agent.sees()
        await eventually(
          () => page.evaluate('told.map(({state, tools, path}) => [path, state, ...tools])'),
          (told) => Array.isArray(told) && told.length === 2,
        )
        assert.deepEqual(await page.evaluate('told.map(({state, tools, path}) => [path, state, ...tools])'), [
          ['/', 'loading', 'searchProducts'],
          ['/', 'ready'],
        ])
      },
      {prepare},
    )
  })

  test('reports a replaced script and a changed description', async () => {
    await stage.visit('/products/1', async ({page, refresh, site}) => {
      const changes = async () => (await site()).changes
      assert.equal(await changes(), 1)
      await stage.publish([toolDocument({pathPattern: '/products/**', executeJs: 'return 1'})], '/products')
      await refresh()
      assert.equal(await changes(), 2)
      await stage.publish([toolDocument({pathPattern: '/products/**', description: 'Other.'})], '/products')
      await refresh()
      assert.equal(await changes(), 4, 'removed and registered')
      assert.equal(await page.evaluate('Object.keys(handrail).join()'), 'sites,refresh,reportCalls')
    })
  })

  for (const own of ['<script>var handrail = {brand: "oak"}</script>', '<div id="handrail"></div>']) {
    test(`leaves the page’s own value alone: ${own}`, async () => {
      stage.website.pages.set('/products', {head: `${own}${stage.tag()}`})
      const visited = async ({page, agent}: Visit) => {
        await agent.sees('searchProducts')
        assert.equal(
          await page.evaluate('handrail.brand ?? handrail.id'),
          own.includes('oak') ? 'oak' : 'handrail',
        )
      }
      await stage.visit('/products', visited, {isUnready: true})
    })
  }

  test('logs each state in the console if data-debug is set', async () => {
    stage.website.pages.set('/products', {head: stage.tag('data-debug')})
    await stage.visit('/products', async ({page, lines, agent}) => {
      await page.evaluate('history.pushState(null, "", "/")')
      await agent.sees()
      const states = () =>
        lines.map((line) => {
          const {state, path, tools} = JSON.parse(line.replace('info: [handrail] shop-public: ', ''))
          return [state, path, ...tools].join(' ')
        })
      await eventually(states, [
        'loading /products',
        'ready /products searchProducts',
        'loading / searchProducts',
        'ready /',
      ])
    })
  })
})
