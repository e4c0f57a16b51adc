import assert from 'node:assert/strict'
import {after, before, beforeEach, describe, test} from 'node:test'
import {eventually} from '../support/eventually.ts'
import {siteDocument, toolDocument} from '../support/shop.ts'
import {type Stage, startStage, type Visit} from './support/stage.ts'

const NONCE = 'bm9uY2U='

/**
 * Content security policies, and whether they allow functions to be made from text. HOST is the service's.
 */
const policies: [policy: string, allowsEval: boolean][] = [
  ['', true],
  ["script-src 'self' HOST 'unsafe-eval'; connect-src HOST", true],
  ["default-src 'none'; img-src data:; script-src HOST; connect-src HOST", false],
  [`script-src 'nonce-${NONCE}'; connect-src HOST`, false],
  ["require-trusted-types-for 'script'; trusted-types 'none'; connect-src HOST", false],
]

const add = toolDocument({_id: 'add', name: 'add', executeJs: 'return args.a + args.b // both'})
const fail = toolDocument({_id: 'fail', name: 'fail', executeJs: 'throw new RangeError("no more of them")'})

describe('on a page with the policy', () => {
  let stage: Stage
  before(async () => {
    stage = await startStage([siteDocument(), add, fail])
  })
  after(() => stage?.close())
  beforeEach(() => {
    stage.network.fault = {kind: 'none'}
  })

  const modules = () => stage.network.exchanges.filter(({url}) => url.includes('/tools/'))

  /** A visit to a page with a policy. `violations` lists the policy's violations. */
  function under(policy: string, use: (visit: Visit) => Promise<void>): Promise<void> {
    const value = policy.replaceAll('HOST', stage.network.address)
    stage.website.pages.set('/', {
      head: stage.tag(`nonce="${NONCE}"`),
      headers: value === '' ? {} : {'content-security-policy': value},
    })
    const prepare: NonNullable<Parameters<Stage['visit']>[2]>['prepare'] = (page) =>
      page.addInitScript(`globalThis.violations = []
        addEventListener('securitypolicyviolation', (event) => violations.push(event.blockedURI))`)
    stage.network.exchanges.length = 0
    return stage.visit('/', use, {prepare})
  }

  for (const [policy, allowsEval] of policies) {
    const how = allowsEval ? 'from the config' : 'as modules of the service'
    test(`${policy || 'none'}: tools are registered, and scripts come ${how}`, async () => {
      await under(policy, async ({page, agent, said}) => {
        await agent.sees('add', 'fail')
        assert.deepEqual(await page.evaluate('violations'), [], 'no tool was called')
        assert.deepEqual(modules(), [])

        assert.equal(await page.webmcp.callTool('add', {a: 1, b: 2}), 3)
        assert.equal(await page.webmcp.callTool('add', {a: 3, b: 4}), 7)
        assert.match(JSON.stringify(await agent.call('fail')), /"isError":true.*"no more of them"/)

        assert.deepEqual(
          modules().map((exchange) => exchange.status),
          allowsEval ? [] : [200, 200],
        )
        const violations = await page.evaluate('violations')
        assert.ok(Array.isArray(violations) && violations.length <= (allowsEval ? 0 : 1), String(violations))
        assert.deepEqual(said(), [])
      })
    })
  }

  const strict = "default-src 'none'; img-src data:; script-src HOST; connect-src HOST"

  test(`${strict}: after a script is replaced, the new one is fetched`, async () => {
    const soon = (executeJs: string) => [toolDocument({_id: 'soon', name: 'soon', executeJs})]
    await stage.publish(soon('return "before"'))
    await under(strict, async ({page, agent}) => {
      await agent.sees('add', 'fail', 'soon')
      await stage.publish(soon('return "after"'))
      assert.equal(await page.webmcp.callTool('soon'), 'after')
      assert.deepEqual(
        modules().map((exchange) => exchange.status),
        [404, 200],
      )
      await stage.publish(soon('return "later"'))
      await page.evaluate('handrail.refresh()')
      assert.equal(await page.webmcp.callTool('soon'), 'later')
    })
  })

  test(`${strict}: a script that cannot be loaded is an error for the agent, and is retried with the next call`, async () => {
    await under(strict, async ({page, agent}) => {
      stage.network.fault = (url) => (url.includes('/tools/') ? {kind: 'refuse'} : {kind: 'none'})
      const outcome = JSON.stringify(await agent.call('add'))
      assert.match(outcome, /"isError":true.*"its script did not load: .*\/tools\//)
      stage.network.fault = {kind: 'none'}
      assert.equal(await page.webmcp.callTool('add', {a: 1, b: 1}), 2)
    })
  })

  test('a script imports a file of the website, with and without a policy', async () => {
    const executeJs = "return (await import(new URL('js/helper.js', document.baseURI))).default"
    await stage.publish(
      [toolDocument({_id: 'h', name: 'help', pathPattern: '/shop/*', executeJs})],
      '/shop/a',
    )
    stage.website.pages.set('/shop/js/helper.js', {script: 'export default "helped"'})
    for (const policy of ['', "script-src 'self' HOST"]) {
      const headers = {'content-security-policy': policy.replace('HOST', stage.network.address)}
      stage.website.pages.set('/shop/a', {headers})
      await stage.visit('/shop/a', async ({page, agent}) => {
        await agent.sees('add', 'fail', 'help', 'soon')
        assert.equal(await page.webmcp.callTool('help'), 'helped', policy)
      })
    }
  })

  test("connect-src 'self': the config cannot be fetched, which logs one line and registers no tool", async () => {
    stage.website.pages.set('/', {headers: {'content-security-policy': "connect-src 'self'"}})
    await stage.visit('/', refused, {isUnready: true})
    async function refused({agent, said, knownSite}: Visit): Promise<void> {
      await eventually(knownSite, (known) => known?.state === 'failed')
      assert.deepEqual(await agent.names(), [])
      assert.deepEqual(said(), ['info: [handrail] shop-public: no config: Failed to fetch'])
    }
  })
})
