import assert from 'node:assert/strict'
import {after, before, beforeEach, describe, test} from 'node:test'
import {createHandrail} from '../../../deploy/packages/server/handrail.ts'
import {buildSnippet} from '../../../snippet/build/build.ts'
import {MAX_AGE} from '../../../snippet/limits.ts'
import {IS_DEEP} from '../../runner/runs.ts'
import {eventually} from '../../support/eventually.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'
import {assertQuiet, type Stage, startStage, type Visit} from '../support/stage.ts'

describe('a config in the page’s HTML', () => {
  let stage: Stage
  let answer: string
  before(async () => {
    stage = await startStage([
      siteDocument(),
      ...['red', 'blue'].map((name) => toolDocument({_id: name, name, pathPattern: `/${name}`})),
    ])
    answer = await (await stage.house.config('shop-public', '/red')).text()
  })
  after(() => stage?.close())
  beforeEach(() => {
    stage.network.fault = {kind: 'none'}
    stage.forgetRequests()
  })

  const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString()
  const fresh = () => `data-at="${ago(1_000)}"`
  const element = (attributes: string, text = answer, path = '/red', site = 'shop-public') =>
    `<script type="application/json" data-handrail="${site}" data-path="${path}" ${attributes}>${text}</script>`
  const tag = (attributes = '') =>
    `<script crossorigin src="${stage.network.address}/snippet.js" data-site="shop-public" ${attributes}></script>`

  const seen = `<script>addEventListener('DOMContentLoaded', async () => {
    globalThis.seen = (await document.modelContext.getTools()).map(({name}) => name)
  })</script>`

  for (const policy of [
    '',
    "default-src 'none'; script-src HOST 'nonce-a'",
    "require-trusted-types-for 'script'",
  ])
    test(`is there at DOMContentLoaded without a request, with the policy “${policy}”`, async () => {
      const {integrity} = await buildSnippet()
      stage.website.pages.set('/red', {
        head:
          element(fresh()) + seen.replace('<script', '<script nonce="a"') + tag(`integrity="${integrity}"`),
        headers: (policy && {'content-security-policy': policy.replace('HOST', stage.network.address)}) || {},
      })
      await stage.visit('/red', async ({page, agent, site, lines}) => {
        await eventually(() => page.evaluate('globalThis.seen?.join()'), 'red')
        const {state, tools, error} = await site()
        assert.deepEqual([state, tools, error], ['ready', ['red'], undefined])
        assert.deepEqual(stage.configRequests(), [])
        assert.deepEqual(agent.events, ['+red'])
        assertQuiet(lines.filter((line) => !line.includes("'img-src'") && !line.includes('data:,')))
      })
    })

  test('holds until the next poll, for its own path only', async () => {
    stage.website.pages.set('/red', {head: element(fresh()) + tag()})
    const visited = async ({page, agent}: Visit) => {
      await agent.sees('red')
      await page.clock.fastForward(200_000)
      assert.deepEqual(stage.configRequests(), [])
      await page.clock.fastForward(140_000)
      await stage.requested('GET /red 200')
      assert.deepEqual(agent.events, ['+red'])
      await page.evaluate('history.pushState(null, "", "/blue")')
      await stage.requested('GET /blue 200')
      await agent.sees('blue')
    }
    await stage.visit('/red', visited, {prepare: (page) => page.clock.install()})
  })

  for (const [what, attributes] of [
    ['is older than a response may be', () => `data-at="${ago(MAX_AGE + 1_000)}"`],
    ['has no time', () => ''],
    ['is from the future', () => `data-at="${ago(-1e9)}"`],
  ] as const)
    test(`is used and revalidated at once if it ${what}`, async () => {
      const old = answer.replace('"red"', '"old"')
      stage.website.pages.set('/red', {head: element(attributes(), old) + tag()})
      await stage.visit('/red', async ({agent}) => {
        await agent.sees('red')
        await stage.requested('GET /red 200')
        assert.deepEqual(agent.events, ['+old', '-old', '+red'])
      })
    })

  test('is not registered again if the answer has its tag', async () => {
    const etag = (await stage.house.config('shop-public', '/red')).headers.get('etag') ?? ''
    stage.forgetRequests()
    const old = `data-at="${ago(MAX_AGE + 1_000)}" data-tag='${etag}'`
    stage.website.pages.set('/red', {head: element(old) + tag()})
    await stage.visit('/red', async ({agent}) => {
      await agent.sees('red')
      await stage.requested('GET /red 200')
      assert.deepEqual(agent.events, ['+red'])
    })
  })

  test('is revalidated by a reload, and not used by a panel', async () => {
    stage.website.pages.set('/red', {head: element(fresh(), answer.replace('"red"', '"old"')) + tag()})
    await stage.visit('/red', async ({page, agent}) => {
      await agent.sees('old')
      assert.deepEqual(stage.configRequests(), [])
      await page.reload()
      await agent.sees('red')
      await stage.requested('GET /red 200')
    })
    stage.website.pages.set('/red', {
      head: element(fresh(), answer.replace('"red"', '"old"')) + tag('data-panel'),
    })
    await stage.visit('/red', async ({agent}) => {
      await agent.sees('red')
      assert.deepEqual(agent.events, ['+red'])
    })
  })

  for (const [what, html, reason] of [
    ['is broken', () => element(fresh(), answer.slice(0, -1)), /JSON/],
    ['is for another site', () => element(fresh(), answer, '/red', 'other'), /^not a config$/],
    ['is for another path', () => element(fresh(), answer, '/blue'), /^not a config$/],
  ] as const)
    test(`is ignored if it ${what}, and the state says so`, async () => {
      stage.website.pages.set('/red', {head: html() + tag()})
      await stage.visit('/red', async ({agent, site}) => {
        await agent.sees('red')
        assert.deepEqual(stage.configRequests(), ['GET /red 200'])
        assert.match((await site()).error ?? '', reason)
        assert.equal((await site()).state, 'ready')
      })
    })

  test('has the nonce of the tag, if that has one, and no tool whose id leads elsewhere', async () => {
    const strange = answer.replace('"red"', '"strange"')
    const own = answer.replace(/"id":"[^"]+"/, '"id":"../../other-site/tools/x"')
    stage.website.pages.set('/red', {
      head: element(fresh(), strange) + element(`${fresh()} nonce="a"`, own) + tag('nonce="a"'),
      headers: {
        'content-security-policy': `script-src 'nonce-a' 'strict-dynamic'; connect-src ${stage.network.address}`,
      },
    })
    await stage.visit('/red', async ({page, agent}) => {
      await agent.sees('red')
      assert.deepEqual([stage.configRequests(), agent.events], [[], ['+red']])
      assert.match(JSON.stringify(await page.webmcp.callTool('red')), /tools\/null/)
    })
  })

  test('is found among those of other sites and paths', async () => {
    const others = element(fresh(), '{', '/blue') + element(fresh(), '{', '/red', 'other')
    stage.website.pages.set('/red', {head: others + element(fresh()) + others + tag()})
    await stage.visit('/red', async ({agent, site}) => {
      await agent.sees('red')
      assert.deepEqual([stage.configRequests(), (await site()).error], [[], undefined])
    })
  })

  test('is there after a page returns from the back/forward cache', async () => {
    stage.website.pages.set('/red', {head: element(fresh()) + tag()})
    await stage.visit('/red', async ({page, agent}) => {
      await agent.sees('red')
      await page.goto(`${stage.website.address}/other`)
      await page.goBack()
      await agent.sees('red')
    })
  })
})

const LANGUAGES = [
  ['en', ''],
  ['de', ''],
  ['pt-BR', ''],
  ['de', 'defer'],
  ['pt-BR', 'type="module"'],
  ['de', 'async'],
] as const
const COUNT = {script: 12, form: 4, conditional: 4}
const LOADS = IS_DEEP ? 20 : 7

describe('a config in the page’s HTML with tools that the page decides about', () => {
  let stage: Stage
  let tools: string
  const texts = ['de', 'pt-BR'].map((language) => ({language, description: language}))
  const more = {description: 'en', texts}
  const named = (kind: keyof typeof COUNT) =>
    Array.from({length: COUNT[kind]}, (_, index) => `${kind}${String(index).padStart(2, '0')}`)
  const tool = (name: string, fields = {}) =>
    toolDocument({_id: name, name, pathPattern: '/**', ...more, ...fields})
  before(async () => {
    stage = await startStage([
      siteDocument(),
      ...named('script').map((name) => tool(name)),
      ...named('conditional').map((name) => tool(name, {offeredWhile: {has: ['form']}})),
      tool('signOut', {offeredWhile: {has: ['.account']}}),
      ...named('form').map((name) =>
        formToolDocument({_id: name, name, pagePath: '/**', selector: `#${name}`, ...more}),
      ),
    ])
    const {toolsFor} = createHandrail({
      service: stage.network.address,
      site: 'shop-public',
      timeout: 10_000,
    })
    tools = await toolsFor('/')
  })
  after(() => stage?.close())

  const list = `async () => (await document.modelContext.getTools()).map(({name, description}) => name + ' ' + description)`
  const body = named('form')
    .map((name) => `<form id="${name}"><label>A <input name="a"></label></form>`)
    .join('')

  for (const [language, attributes] of LANGUAGES)
    test(`is complete in ${LOADS} of ${LOADS} loads in “${language}” with “${attributes}”, and lists each tool once, in no other language`, async () => {
      const seen = `<script>
        document.documentElement.lang = '${language}'
        const list = ${list}
        addEventListener('DOMContentLoaded', async () => { globalThis.parsed = await list() })
      </script>`
      stage.website.pages.set('/', {head: seen + tools + stage.tag().replace('async', attributes), body})
      await stage.visit('/', async ({page, agent}) => {
        for (let load = 0; load < LOADS; load++) {
          agent.events.length = 0
          await page.goto(stage.website.address, {waitUntil: 'load'})
          const listed = (await page.webmcp.tools()).map(({name, description}) => `${name} ${description}`)
          const expected = [...named('conditional'), ...named('form'), ...named('script')]
          assert.deepEqual(
            listed.toSorted(),
            expected.map((name) => `${name} ${language}`),
            `load ${load}`,
          )
          const parsed = [await page.evaluate('parsed')].flat().map(String)
          const early = expected.filter((name) => !name.startsWith('form'))
          if (attributes !== 'async')
            assert.deepEqual(
              parsed.filter((name) => !name.startsWith('form')).toSorted(),
              early.map((name) => `${name} ${language}`),
              `load ${load}`,
            )
          assert.deepEqual(
            agent.events.filter((event) => !event.startsWith('-')).toSorted(),
            expected.map((name) => `+${name}`),
          )
        }
      })
    })
})
