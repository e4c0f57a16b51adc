import assert from 'node:assert/strict'
import {after, before, beforeEach, describe, test} from 'node:test'
import {configOf} from '../support/answers.ts'
import {siteDocument, toolDocument} from '../support/shop.ts'
import {assertQuiet, type Stage, startStage} from './support/stage.ts'
import {toolAt} from './support/tools.ts'

const served = {siteId: 'shop', tools: [], formTools: [], pollInterval: 300}
const servedTool = {
  id: 'a',
  name: 'good',
  description: 'Does good.',
  inputSchema: {type: 'object', properties: {}},
  executeJs: 'return "good"',
  exposedTo: [],
  title: 'Good',
  annotations: {},
}

describe('the tools of a page', () => {
  let stage: Stage
  before(async () => {
    stage = await startStage([siteDocument(), toolDocument({pathPattern: '/products/*'})])
  })
  after(() => stage?.close())
  beforeEach(() => stage.answerConfigs(undefined))

  test('are listed and called as an agent does, with everything that the config says about them', async () => {
    await stage.visit('/products/7', async ({page, agent, lines, site}) => {
      const [tool, ...more] = await page.webmcp.tools()
      assert.deepEqual(more, [])
      assert.deepEqual(tool, {
        name: 'searchProducts',
        description: 'Searches the shop.',
        inputSchema: {type: 'object', properties: {query: {type: 'string'}}},
        annotations: {readOnly: true},
      })
      const title = '(async () => (await document.modelContext.getTools())[0].title)()'
      assert.equal(await page.evaluate(title), 'Search Products')
      assert.equal(await page.webmcp.callTool('searchProducts', {query: 'rope'}), 'rope')
      assert.deepEqual(await agent.call('searchProducts', {query: 'rope'}), {
        status: 'Completed',
        output: 'rope',
      })
      assert.deepEqual(await site(), {
        state: 'ready',
        path: '/products/7',
        tools: ['searchProducts'],
        forms: [],
        problems: {},
        changes: 1,
        error: undefined,
      })
      assertQuiet(lines)
    })
  })

  test('are found in whatever script the path is written', async () => {
    await stage.publish(
      [toolDocument({_id: 'cheese', name: 'cheese', pathPattern: '/käse & brot/*'})],
      '/käse & brot/1',
    )
    await stage.visit('/käse & brot/50%25?q=/', async ({page, agent}) => {
      assert.equal(await page.evaluate('location.pathname'), '/k%C3%A4se%20&%20brot/50%25')
      assert.deepEqual(await agent.names(), ['cheese'])
    })
  })

  test('keep their registration and run the new script if only the script changed', async () => {
    await stage.publish([toolAt('/script', {executeJs: 'return 1'})], '/script')
    await stage.visit('/script', async ({agent, refresh}) => {
      assert.equal((await agent.call('scriptTool')).output, 1)
      await stage.publish([toolAt('/script', {executeJs: 'return 2'})], '/script')
      await refresh()
      assert.equal((await agent.call('scriptTool')).output, 2)
      assert.deepEqual(agent.events, ['+scriptTool'])
    })
  })

  test('are registered again if anything else changed, and no other is touched', async () => {
    const other = toolAt('/change', {_id: 'other', name: 'otherTool'})
    await stage.publish([toolAt('/change'), other], '/change')
    await stage.visit('/change', async ({page, agent, refresh}) => {
      await agent.sees('changeTool', 'otherTool')
      agent.events.length = 0
      for (const fields of [
        {description: 'Another one.'},
        {inputSchema: '{"type": "object", "properties": {"n": {"type": "number"}}}'},
        {exposedTo: ['https://partner.example']},
        {annotations: {readOnlyHint: 'true', consequentialHint: 'auto', untrustedContentHint: 'auto'}},
      ]) {
        await stage.publish([toolAt('/change', fields)], '/change')
        await refresh()
        assert.deepEqual(agent.events.splice(0), ['-changeTool', '+changeTool'], JSON.stringify(fields))
      }
      const tools = await page.webmcp.tools()
      assert.equal(tools.find(({name}) => name === 'changeTool')?.annotations?.readOnly, true)
    })
  })

  test('are visible to the frames that they are exposed to, and to no others', async () => {
    const frames = stage.website.address.replace('localhost', '127.0.0.1')
    stage.website.pages.set('/exposed', {
      body: `<iframe src="${frames}/frame" allow="tools"></iframe>`,
    })
    stage.website.pages.set('/frame', {head: ''})
    const exposed = toolAt('/exposed', {exposedTo: [frames]})
    const hidden = toolAt('/exposed', {_id: 'hidden', name: 'hiddenTool'})
    await stage.publish([exposed, hidden], '/exposed')
    await stage.visit('/exposed', async ({page, agent}) => {
      await agent.sees('exposedTool', 'hiddenTool')
      const frame = page.frames().find((candidate) => candidate.url() === `${frames}/frame`)
      const ask = `(async () => {
        const tools = await document.modelContext.getTools({fromOrigins: ['${stage.website.address}']})
        return tools.map(({name}) => name)
      })()`
      assert.deepEqual(await frame?.evaluate(ask), ['exposedTool'])
    })
  })

  test('that the browser refuses do not affect the others, and are logged once', async () => {
    const names = ['', 'two words', 'good', 'good']
    const tools = names.map((name, index) => ({...servedTool, id: `${index}`, name}))
    stage.answerConfigs({
      ...served,
      tools: [{...servedTool, id: 'x', name: 'late', exposedTo: ['*']}, ...tools],
    })
    await stage.visit('/refused', async ({agent, said, site, refresh}) => {
      assert.deepEqual(await agent.names(), ['good'])
      await refresh()
      assert.deepEqual(Object.keys((await site()).problems).sort(), ['', 'good', 'late', 'two words'])
      assert.equal(said().length, 4)
      assert.ok(said().every((line) => line.startsWith('warning: [handrail] shop-public: problem with ')))
      assert.deepEqual(agent.events, ['+good'])
    })
  })

  test('that failed are retried at the next poll, even if the config is unchanged', async () => {
    stage.website.pages.set('/taken', {
      body: `<script>
        const registration = new AbortController()
        document.modelContext.registerTool(
          {name: 'takenTool', description: 'The page’s own.', execute: () => 'own'},
          {signal: registration.signal},
        )
      </script>`,
    })
    await stage.publish([toolAt('/taken', {executeJs: 'return "ours"'})], '/taken')
    await stage.visit('/taken', async ({page, agent, site, said, refresh}) => {
      assert.equal((await agent.call('takenTool')).output, 'own')
      assert.deepEqual(await site().then(({problems}) => Object.keys(problems)), ['takenTool'])
      await refresh()
      await page.evaluate('registration.abort()')
      await refresh()
      assert.equal((await agent.call('takenTool')).output, 'ours')
      assert.deepEqual((await site()).problems, {})
      assert.equal(said().length, 1)
    })
    const {names} = await configOf(stage.house.config('shop-public', '/taken'))
    assert.deepEqual(names, ['takenTool'])
  })
})
