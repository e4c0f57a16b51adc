import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'

import {LOAD_CALLS_AFTER} from '../../snippet/limits.ts'
import {siteDocument} from '../support/shop.ts'
import {assertQuiet, type Stage, startStage, type Visit} from './support/stage.ts'
import {toolAt} from './support/tools.ts'

/** Calls a tool as a script of the page does. */
function inPage(name: string, input = '{}', options = '{}'): string {
  return `(async () => {
    const tools = await document.modelContext.getTools()
    return document.modelContext.executeTool(tools.find(({name}) => name === '${name}'), ${input}, ${options})
  })()`
}

describe('the calls of a tool', () => {
  let stage: Stage
  before(async () => {
    stage = await startStage([siteDocument()])
  })
  after(() => stage?.close())

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
      assert.ok(lines.some((line) => line.startsWith('info: errorTool RangeError: out of stock\n    at')))
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
        setTimeout(() => calling.abort(), 100) // the call must have begun
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
      assert.match(await textOf('{}'), /"isError":true.*Invalid input: .* lacks .*size/)
      assert.match(await textOf('{size: "xl"}'), /"isError":true.*Invalid input\.size: .*xl.* must match/)
      assert.match(await textOf('{size: "m", limit: "3"}'), /"isError":true.*Invalid input\.limit/)
      assert.equal(await page.evaluate('globalThis.runs'), undefined)
      assert.equal(await textOf('{size: "m", limit: 50, more: 1}'), '{"size":"m","limit":50,"more":1}')
    })
  })

  test('work while the service does not, and say why if the part that calls has not loaded yet', async () => {
    await stage.publish([toolAt('/early', {executeJs: 'return "called"'})], '/early')
    const {address} = stage.network
    const visited = async ({page, agent}: Visit) => {
      stage.network.fault = () => ({kind: 'refuse'})
      const {output} = await agent.call('earlyTool')
      assert.match(JSON.stringify(output), /"isError":true.*Failed to fetch dynamically imported module/)
      stage.network.fault = {kind: 'none'}
      assert.equal((await agent.call('earlyTool')).output, 'called')

      await page.reload()
      await agent.sees('earlyTool')
      const loaded = page.waitForResponse(/snippet\.calls\.js/)
      await page.clock.fastForward(LOAD_CALLS_AFTER)
      await loaded
      await page.evaluate(`import('${address}/snippet.calls.js')`)
      stage.network.fault = () => ({kind: 'refuse'})
      assert.equal((await agent.call('earlyTool')).output, 'called')
      stage.network.fault = {kind: 'none'}
    }
    await stage.visit('/early', visited, {prepare: (page) => page.clock.install()})
  })
})
