import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import type {Outcome} from '../../../schemas/calls/counts.ts'
import {isCallsReport, parseCalls} from '../../../studio/calls/report.ts'
import {callsByTool, toCsv} from '../../../studio/calls/summary.ts'
import {IS_DEEP} from '../../runner/runs.ts'
import {reportsCodeFor} from '../../service/preview/support.ts'
import {eventually} from '../../support/eventually.ts'
import {type House, startHouse} from '../../support/house.ts'
import {metricsOf} from '../../support/metrics.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'
import {type Stage, stageOver, type Visit} from '../support/stage.ts'

/** Rounds of the calls of one page: 400 of them, if `CI_DEEP` asks for more. */
const ROUNDS = IS_DEEP ? 22 : 1

type Call = {
  readonly tool: string
  readonly outcome: Outcome
  /** Makes the call, and waits until it has ended. */
  readonly make: (visit: Visit) => Promise<unknown>
}

const called = (tool: string, outcome: Outcome, input: {[name: string]: string} = {}): Call => ({
  tool,
  outcome,
  make: ({agent}) => agent.call(tool, input),
})

/** A call of an agent in the page, which it aborts once a script is true. */
const aborted = (tool: string, input: object, until: string): Call => ({
  tool,
  outcome: 'cancelled',
  make: async ({page}) =>
    assert.rejects(
      page.evaluate(`(async () => {
        const calling = new AbortController()
        const tool = (await document.modelContext.getTools()).find(({name}) => name === '${tool}')
        const call = document.modelContext.executeTool(tool, ${JSON.stringify(input)}, {signal: calling.signal})
        const look = setInterval(() => ${until} && calling.abort(), 10)
        return call.finally(() => clearInterval(look))
      })()`),
      /AbortError/,
    ),
})

const asked = (button: string, outcome: Outcome): Call => ({
  tool: 'placeOrder',
  outcome,
  make: async ({page, agent}) => {
    const ended = agent.call('placeOrder')
    await page.getByRole('alertdialog').getByRole('button', {name: button, exact: true}).click()
    await ended
  },
})

/** The calls of a page, and how each ends. */
const CALLS: readonly Call[] = [
  // At once, also if what counts it is not loaded yet.
  called('writeNote', 'error', {message: 'broken'}),
  called('find', 'ok', {query: 'rope'}),
  called('find', 'none', {query: 'none'}),
  called('fail', 'error'),
  called('tell', 'error'),
  // The agent gets an error, too.
  called('tangle', 'error'),
  called('guard', 'error'),
  called('askName', 'refused'),
  aborted('wait', {}, 'globalThis.resolve'),
  asked('Don’t allow', 'declined'),
  asked('Allow', 'ok'),
  called('writeNote', 'ok', {message: 'answered'}),
  called('writeNote', 'none', {message: 'nothing'}),
  called('writeNote', 'error', {message: 'rejected'}),
  called('writeNote', 'refused', {message: ''}),
  aborted('writeNote', {message: 'wait'}, 'isWaiting'),
  {
    tool: 'askUs',
    outcome: 'ok',
    make: async ({page, agent}) => {
      const ended = await agent.begin('askUs', {text: 'Send me'})
      await page.waitForFunction('document.querySelector("#ask input").value')
      await page.getByRole('button', {name: 'Ask'}).dblclick()
      await ended()
      await page.evaluate('document.querySelector("#ask").reset()')
    },
  },
  aborted('askUs', {text: 'Hello'}, 'document.querySelector("#ask input").value'),
]

/** A form that the page ignores, which ends later, and what ends when the page is left by forms that the browser sends. */
const LATER: readonly Pick<Call, 'tool' | 'outcome'>[] = [
  {tool: 'leaveNote', outcome: 'none'},
  {tool: 'wait', outcome: 'cancelled'},
  {tool: 'signUp', outcome: 'ok'},
  {tool: 'keepNote', outcome: 'error'},
]

const PAGE = `<form id="note"><input name="message" required><button>Send</button></form>
  <form id="ask"><input name="text"><button>Ask</button></form>
  <form id="later"><input name="message"><button>Leave</button></form>
  <form id="sign" action="/left" data-sent><input name="email"><button>Sign up</button></form>
  <form id="keep" action="/failed" method="post" data-sent><input name="email"><button>Keep</button></form>
  <script>
    globalThis.isWaiting = false
    const asked = Promise.withResolvers()
    let asks = 0
    const answers = {
      answered: () => 'Sent',
      nothing: () => [],
      rejected: () => Promise.reject(new Error('Closed')),
      wait: () => new Promise(() => { isWaiting = true }),
    }
    addEventListener('submit', (event) => {
      if ('sent' in event.target.dataset) return
      event.preventDefault()
      const {message} = Object.fromEntries(new FormData(event.target))
      const answer = event.target.id === 'ask' ? () => asked.promise : answers[message]
      if (event.target.id === 'ask' && ++asks === 2) asked.resolve('Asked')
      if (answer && event.agentInvoked) event.respondWith(answer())
      if (message === 'broken') fetch('/broken', {method: 'POST'})
    })
  </script>`

const form = (name: string, selector: string, autosubmit: boolean) =>
  formToolDocument({_id: name, name, selector, autosubmit, pagePath: '/calls'})
const tool = (name: string, executeJs: string, more = {}) =>
  toolDocument({_id: name, name, executeJs, ...more})

describe(`${ROUNDS * (CALLS.length + LATER.length)} calls of all outcomes`, () => {
  let stage: Stage<House>
  before(async () => {
    stage = await stageOver(() =>
      startHouse(
        [
          siteDocument({reportCalls: true, askBefore: 'consequential'}),
          tool('find', 'return args.query === "none" ? [] : args.query'),
          tool('fail', 'throw new Error("Closed")'),
          tool('tell', 'return {isError: true, content: [{type: "text", text: "Closed today"}]}'),
          tool('tangle', 'const found = {}; found.found = found; return found'),
          tool('guard', 'return {get isError() { throw new Error("Closed") }}'),
          tool('askName', 'return args.name', {
            inputSchema:
              '{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}',
          }),
          tool('wait', 'await new Promise((resolve) => { globalThis.resolve = resolve })'),
          tool('placeOrder', 'return "ordered"'),
          form('writeNote', '#note', true),
          form('askUs', '#ask', false),
          form('leaveNote', '#later', true),
          form('signUp', '#sign', true),
          form('keepNote', '#keep', true),
        ],
        {RATE_LIMIT_MAX: '100000'},
      ),
    )
    stage.website.pages.set('/calls', {body: PAGE})
    for (const path of ['/broken', '/failed']) stage.website.pages.set(path, {status: 500})
  })
  after(() => stage?.close())

  test('are the same in the page, in the metrics, in Studio and in its CSV', async () => {
    const counted = async () => {
      const {samples} = await metricsOf(stage.house.serviceAddress)
      const found = [...samples].filter(([name]) => name.startsWith('handrail_calls_total'))
      return new Map(found.filter(([, number]) => number > 0))
    }
    const expected = new Map<string, number>()
    const count = ({tool, outcome}: Pick<Call, 'tool' | 'outcome'>) => {
      const key = `${tool} ${outcome}`
      expected.set(key, (expected.get(key) ?? 0) + 1)
    }
    const sumOf = (counts: Iterable<number>) => [...counts].reduce((sum, number) => sum + number, 0)
    const heard: string[] = []
    const prepare: Parameters<Stage['visit']>[2] = {
      prepare: async (page) => {
        await page.exposeBinding('heard', (_, detail) => heard.push(`${detail.tool} ${detail.outcome}`))
        await page.addInitScript(
          'document.addEventListener("handrail:call", ({detail}) => { globalThis.heard(detail) })',
        )
      },
    }
    for (let round = 0; round < ROUNDS; round++) {
      await stage.visit(
        '/calls',
        async (visit) => {
          const {page, agent} = visit
          await agent.sees(...new Set([...CALLS, ...LATER].map(({tool}) => tool)))
          heard.length = 0
          const ended = () => heard.filter((call) => call !== 'leaveNote none')
          for (const [index, call] of CALLS.entries()) {
            await call.make(visit)
            await eventually(async () => ended()[index], `${call.tool} ${call.outcome}`)
            count(call)
            await page.evaluate('globalThis.resolve = undefined')
            // Its page sends nothing from now on.
            if (index === 0) await agent.call('leaveNote', {message: 'ignored'})
          }
          await eventually(async () => heard.length, CALLS.length + 1)
          await agent.begin('wait')
          await eventually(() => page.evaluate('typeof resolve'), 'function')
          await agent.begin('signUp', {email: 'a@example.com'})
          await eventually(async () => heard.at(-1), 'signUp ok')
          await page.goBack()
          await eventually(agent.names, (names) => names.includes('keepNote'))
          await agent.begin('keepNote', {email: 'a@example.com'})
          await eventually(async () => heard.at(-1), 'keepNote error')
          await page.goto('about:blank')
          for (const left of LATER) count(left)
          // What a tab has not sent is lost with its profile.
          await eventually(async () => sumOf((await counted()).values()), sumOf(expected.values()))
        },
        prepare,
      )
    }
    const total = sumOf(expected.values())

    const code = await reportsCodeFor(stage.house)
    const calls = await eventually(
      async () => {
        const answer = await fetch(`${stage.house.serviceAddress}/api/sites/shop-public/calls?days=30`, {
          headers: {authorization: `Bearer ${code}`},
        })
        const body: unknown = await answer.json()
        // A busy service may ask to come back later.
        return isCallsReport(body) ? parseCalls(body) : undefined
      },
      (found) => sumOf((found?.hours ?? []).flatMap(({durations}) => durations)) >= total,
    )
    assert.ok(calls)
    const inStudio = new Map<string, number>()
    for (const {tool, outcome, durations} of calls.hours) {
      const key = `${tool} ${outcome}`
      inStudio.set(key, (inStudio.get(key) ?? 0) + sumOf(durations))
    }
    assert.deepEqual([...inStudio].toSorted(), [...expected].toSorted())
    const tools = [...new Set(calls.hours.map(({tool}) => tool))].map((id) => ({id, type: 'tool', name: id}))
    assert.equal(sumOf(callsByTool(tools, calls.hours).map(({calls}) => calls)), total)

    const rows = toCsv(calls.hours, tools)
      .split('\r\n')
      .slice(1, -1)
      .map((row) => row.split(','))
    const inCsv = new Map<string, number>()
    for (const [, name = '', outcome, count, ...durations] of rows) {
      assert.equal(sumOf(durations.map(Number)), Number(count))
      const key = `${name.slice(1, -1)} ${outcome}`
      inCsv.set(key, (inCsv.get(key) ?? 0) + Number(count))
    }
    assert.deepEqual([...inCsv].toSorted(), [...expected].toSorted())

    const byOutcome = Map.groupBy(expected, ([key]) => `handrail_calls_total{outcome="${key.split(' ')[1]}"}`)
    assert.deepEqual(
      [...(await counted())].toSorted(),
      [...byOutcome]
        .map(([name, some]) => [name, sumOf(some.map(([, number]) => number))] as const)
        .toSorted(),
    )
  })
})
