import assert from 'node:assert/strict'
import {after, before, beforeEach, describe, test} from 'node:test'
import type {Page} from 'playwright-core'
import {eventually} from '../support/eventually.ts'
import type {Fault} from '../support/network/network.ts'
import {siteDocument, toolDocument} from '../support/shop.ts'
import {isConfig, type Stage, startStage, type Visit} from './support/stage.ts'

const EXPOSED = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Age, Date, Retry-After',
}

function answer(status: number, body: string, headers: Record<string, string> = {}): Fault {
  return {kind: 'answer', status, contentType: 'application/json', body, headers: {...EXPOSED, ...headers}}
}

/** A response that browsers hide from other origins. */
const unreadable: Fault = {kind: 'answer', status: 200, contentType: 'application/json', body: '{}'}

/** Every way in which fetching a config can fail, and what the page learns. */
const failures: [name: string, fault: Fault, error: RegExp][] = [
  ['nothing listens', {kind: 'refuse'}, /^Failed to fetch$/],
  ['the connection is reset', {kind: 'reset'}, /^(Failed to fetch|network error)$/],
  ['the response breaks off', {kind: 'truncate'}, /^(Failed to fetch|network error)$/],
  ['the response is not HTTP', {kind: 'bytes', bytes: Buffer.from('SSH-2.0-x\r\n')}, /^Failed to fetch$/],
  ['there is no site', answer(404, '{"error": {"code": "NOT_FOUND", "message": "No."}}'), /^status 404$/],
  [
    'the service fails',
    answer(500, '{"error": {"code": "INTERNAL_ERROR", "message": "No."}}'),
    /^status 500$/,
  ],
  ['there were too many requests', answer(429, '{}'), /^status 429$/],
  ['another server returns a page', answer(200, '<!doctype html><p>Sign in'), /JSON/],
  ['the body is empty', answer(200, ''), /JSON/],
  ['the body is null', answer(200, 'null'), /^not a config$/],
  ['the body is another object', answer(200, '{"tools": {}, "formTools": []}'), /^not a config$/],
  ['no other origin may read it', unreadable, /^Failed to fetch$/],
]

describe('while the config is unavailable', () => {
  let stage: Stage
  before(async () => {
    stage = await startStage([siteDocument(), toolDocument()])
  })
  after(() => stage?.close())
  beforeEach(() => {
    stage.network.fault = {kind: 'none'}
  })

  /** Time passes only when the test says so, and random numbers are constant. */
  async function prepare(page: Page): Promise<void> {
    await page.clock.install()
    await page.addInitScript(`Math.random = () => 0
      globalThis.waits = []
      const {setTimeout} = globalThis
      globalThis.setTimeout = (callback, wait, ...more) => {
        if (wait >= 1000) waits.push(wait)
        return setTimeout(callback, wait, ...more) // records what the page asks for
      }`)
  }

  function failWith(fault: Fault): void {
    stage.network.fault = (url) => (isConfig(url) ? fault : {kind: 'none'})
  }

  const isState = (state: string) => (known: {state: string} | undefined) => known?.state === state

  test('the tools stay, and one line is logged in the console', async (t) => {
    const visited = async ({page, agent, lines, said, site, refresh}: Visit) => {
      for (const [name, fault, error] of failures) {
        await t.test(name, async () => {
          lines.length = 0
          failWith(fault)
          await refresh()
          await refresh()
          const known = await site()
          assert.equal(known.state, 'failed')
          assert.match(known.error ?? '', error)
          assert.deepEqual(known.tools, ['searchProducts'])
          assert.equal(await page.webmcp.callTool('searchProducts', {query: 'x'}), 'x')
          assert.equal(said().length, 1)
          assert.match(said().join(), /^info: \[handrail\] shop-public: no config: /)

          stage.network.fault = {kind: 'none'}
          await refresh()
          assert.equal((await site()).state, 'ready')
          assert.equal((await site()).error, undefined)
          assert.deepEqual(agent.events, ['+searchProducts'])
          assert.equal(said().length, 1)
        })
      }
    }
    await stage.visit('/', visited, {prepare})
  })

  for (const fault of [answer(404, '{}'), {kind: 'refuse'}] satisfies Fault[]) {
    test(`the tools appear once the config is available: ${JSON.stringify(fault)}`, async () => {
      failWith(fault)
      const visited = async ({page, agent, knownSite}: Visit) => {
        await eventually(knownSite, isState('failed'))
        assert.deepEqual(await agent.names(), [])
        stage.network.fault = {kind: 'none'}
        await page.clock.fastForward(5_000)
        await agent.sees('searchProducts')
      }
      await stage.visit('/', visited, {prepare, isUnready: true})
    })
  }

  test('a fetch without a response times out after ten seconds', async () => {
    failWith({kind: 'hang'})
    const visited = async ({page, agent, knownSite}: Visit) => {
      await eventually(knownSite, isState('loading'))
      await page.clock.fastForward(10_000)
      const known = await eventually(knownSite, isState('failed'))
      assert.equal(known?.error, 'timeout')
      stage.network.fault = {kind: 'none'}
      await page.clock.fastForward(5_000)
      await agent.sees('searchProducts')
    }
    await stage.visit('/', visited, {prepare, isUnready: true})
  })

  /**
   * Seconds that the snippet waits after its nth failure: the second of two timers for each check. The first timer of
   * all is that for missing forms.
   */
  async function pauseAfter(page: Page, failures: number): Promise<number> {
    const waits = () => page.evaluate('waits')
    const all = await eventually(waits, (found) => Array.isArray(found) && found.length > 2 * failures)
    return Array.isArray(all) ? Math.ceil(all[2 * failures] / 1_000) : 0
  }

  test('it is retried with growing delays, of at most five minutes', async () => {
    const visited = async ({page, said}: Visit) => {
      const pauses: number[] = []
      for (let failure = 1; failure <= 8; failure++) {
        const pause = await pauseAfter(page, failure)
        pauses.push(pause)
        await page.clock.fastForward(pause * 1_000)
      }
      assert.deepEqual(pauses, [5, 10, 20, 40, 80, 160, 300, 300])
      assert.equal(said().length, 1)
    }
    failWith(answer(500, ''))
    await stage.visit('/', visited, {prepare, isUnready: true})
  })

  test('it waits as long as "Retry-After" says, at most an hour, and otherwise as after any failure', async () => {
    const expected = [
      ['120', 120],
      ['999999', 3_600],
      ['soon', 20],
      ['0', 40],
      ['-5', 80],
      [new Date(0).toUTCString(), 160],
    ] as const
    const [[first]] = expected
    const visited = async ({page}: Visit) => {
      const pauses: [string, number][] = []
      for (const [index, [retryAfter]] of expected.entries()) {
        const pause = await pauseAfter(page, index + 1)
        pauses.push([retryAfter, pause])
        const next = expected[index + 1]?.[0] ?? ''
        failWith(answer(429, '{}', {'retry-after': next}))
        await page.clock.fastForward(pause * 1_000)
      }
      assert.deepEqual(pauses, expected)
    }
    failWith(answer(429, '{}', {'retry-after': first}))
    await stage.visit('/', visited, {prepare, isUnready: true})
  })
})
