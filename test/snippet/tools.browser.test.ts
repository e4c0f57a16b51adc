import assert from 'node:assert/strict'
import {after, before, beforeEach, describe, test} from 'node:test'
import {configOf} from '../support/answers.ts'
import type {ContentDocument} from '../support/content.ts'
import {siteDocument, toolDocument} from '../support/shop.ts'
import {assertQuiet, type Stage, startStage} from './support/stage.ts'

/** A tool of one page, so that tests do not affect each other. */
function toolAt(page: string, fields: Partial<ContentDocument> = {}): ContentDocument {
  const name = `${page.slice(1)}Tool`
  return toolDocument({_id: page.slice(1), name, pathPattern: page, ...fields})
}

/** Calls a tool as a script of the page does. */
function inPage(name: string, input = '{}', options = '{}'): string {
  return `(async () => {
    const tools = await document.modelContext.getTools()
    return document.modelContext.executeTool(tools.find(({name}) => name === '${name}'), ${input}, ${options})
  })()`
}

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

describe('the tools of a page', {timeout: 120_000}, () => {
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

  test('are those of its path only', async () => {
    await stage.visit('/about', async ({agent}) => assert.deepEqual(await agent.names(), []))
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

  test('run as strict code with the arguments and a signal, and may await', async () => {
    const script = 'await null\nreturn {args, aborted: signal.aborted, self: typeof this} // no newline'
    await stage.publish([toolAt('/strict', {executeJs: script})], '/strict')
    await stage.visit('/strict', async ({agent}) => {
      const {output} = await agent.call('strictTool', {query: 'x'})
      assert.deepEqual(output, {args: {query: 'x'}, aborted: false, self: 'undefined'})
    })
  })

  test('return errors as results, so that every agent gets the message, whatever was thrown', async () => {
    const thrown = {
      errorTool: ['throw new RangeError("out of stock")', 'out of stock'],
      domTool: ['throw new DOMException("gone", "NotFoundError")', 'gone'],
      emptyTool: ['throw new DOMException("", "NotFoundError")', 'NotFoundError'],
      textTool: ['throw "plain words"', 'plain words'],
      objectTool: ['throw {code: 7}', '{"code":7}'],
      messageTool: ['throw {message: "of its own"}', 'of its own'],
      nothingTool: ['throw undefined', 'undefined'],
      rejectedTool: ['return Promise.reject(new TypeError("later"))', 'later'],
      timeoutTool: ['await fetch("/", {signal: AbortSignal.timeout(0)})', 'signal timed out'],
    } as const
    const documents = Object.entries(thrown).map(([name, [executeJs]]) =>
      toolAt('/errors', {_id: name, name, executeJs}),
    )
    await stage.publish(documents, '/errors')
    await stage.visit('/errors', async ({page, agent, lines}) => {
      for (const [name, [, text]] of Object.entries(thrown)) {
        const result = {isError: true, content: [{type: 'text', text}]}
        assert.deepEqual(await agent.call(name), {status: 'Completed', output: result}, name)
        assert.deepEqual(await page.webmcp.callTool(name), result, name)
        assert.equal(await page.evaluate(inPage(name)), JSON.stringify(result), name)
      }
      assert.ok(lines.some((line) => line.startsWith('error: errorTool RangeError: out of stock\n    at')))
    })
  })

  test('reject what an agent has cancelled, and a result that JSON cannot represent', async () => {
    const waits = `await new Promise((resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))`
    const circle = 'const circle = {}; circle.circle = circle; return circle'
    await stage.publish(
      [
        toolAt('/cancel', {executeJs: waits}),
        toolAt('/cancel', {_id: 'circle', name: 'circleTool', executeJs: circle}),
      ],
      '/cancel',
    )
    await stage.visit('/cancel', async ({page, agent, lines}) => {
      const cancel = `(() => {
        const calling = new AbortController()
        setTimeout(() => calling.abort(), 100)
        return ${inPage('cancelTool', '{}', '{signal: calling.signal}')}
      })()`
      await assert.rejects(page.evaluate(cancel), /AbortError/)
      assertQuiet(lines)
      const {status, error} = await agent.call('circleTool')
      assert.equal(status, 'Error')
      assert.match(String(error), /circular structure/)
    })
  })

  test('are not run with arguments that break their schema', async () => {
    const properties = {size: {enum: ['s', 'm']}, limit: {type: 'integer', maximum: 50}}
    const inputSchema = JSON.stringify({type: 'object', properties, required: ['size']})
    const executeJs = 'globalThis.runs = (globalThis.runs ?? 0) + 1; return args'
    await stage.publish([toolAt('/checked', {inputSchema, executeJs})], '/checked')
    await stage.visit('/checked', async ({page}) => {
      const textOf = async (input: string) => String(await page.evaluate(inPage('checkedTool', input)))
      assert.match(await textOf('{}'), /"isError":true.*Invalid input: it must match .*required.*size/)
      assert.match(await textOf('{size: "xl"}'), /"isError":true.*Invalid input\.size: it must match/)
      assert.match(await textOf('{size: "m", limit: "3"}'), /"isError":true.*Invalid input\.limit/)
      assert.equal(await page.evaluate('globalThis.runs'), undefined)
      assert.equal(await textOf('{size: "m", limit: 50, more: 1}'), '{"size":"m","limit":50,"more":1}')
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

  test('are removed when disabled and added when published, without a reload', async () => {
    await stage.publish([toolAt('/switch')], '/switch')
    await stage.visit('/switch', async ({agent, refresh}) => {
      await stage.publish(
        [toolAt('/switch', {enabled: false}), toolAt('/switch', {_id: 'fresh', name: 'freshTool'})],
        '/switch',
      )
      await refresh()
      assert.deepEqual(await agent.names(), ['freshTool'])
    })
  })

  test('can swap their names', async () => {
    const named = (first: string, second: string) => [
      toolAt('/names', {_id: 'one', name: first, executeJs: 'return 1'}),
      toolAt('/names', {_id: 'two', name: second, executeJs: 'return 2'}),
    ]
    await stage.publish(named('left', 'right'), '/names')
    await stage.visit('/names', async ({agent, lines, refresh}) => {
      await stage.publish(named('right', 'left'), '/names')
      await refresh()
      assert.deepEqual(await agent.names(), ['left', 'right'])
      assert.equal((await agent.call('left')).output, 2)
      assertQuiet(lines)
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

  test('survive config entries that are not tools', async () => {
    const broken = [null, 7, 'text', [], {}, {...servedTool, name: 7}, {...servedTool, executeJs: null}]
    stage.answerConfigs({...served, tools: [...broken, servedTool], formTools: [null, {name: 'x'}]})
    await stage.visit('/broken', async ({agent, lines}) => {
      assert.deepEqual(await agent.names(), ['good'])
      assertQuiet(lines)
    })
  })

  test('have no null members', async () => {
    stage.answerConfigs({
      ...served,
      tools: [{...servedTool, title: null, inputSchema: null, annotations: null, exposedTo: null}],
    })
    await stage.visit('/nulls', async ({page, lines}) => {
      assert.deepEqual(await page.webmcp.tools(), [{name: 'good', description: 'Does good.'}])
      const title = '(async () => (await document.modelContext.getTools())[0].title)()'
      assert.equal(await page.evaluate(title), '')
      assert.equal(await page.webmcp.callTool('good'), 'good')
      assertQuiet(lines)
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
