import assert from 'node:assert/strict'
import {after, before, beforeEach, describe, test} from 'node:test'
import type {Locator} from 'playwright-core'
import {handedIn} from '../../making/studioLink.ts'
import type {ToolTest} from '../../schemas/fields/tests.ts'
import type {Visit, VisitOptions} from '../snippet/support/stage.ts'
import {siteDocument, toolDocument} from '../support/shop.ts'
import {aboutTool, type ConfigTool, configTool, offer} from './support/drafts.ts'
import {LINK, PREVIEW_ID, type PreviewStage, startPreviewStage} from './support/previewStage.ts'

describe('tests in the panel of a preview', () => {
  let stage: PreviewStage
  before(async () => {
    stage = await startPreviewStage([
      siteDocument(),
      toolDocument(),
      toolDocument({_id: 'cart', name: 'viewCart', pathPattern: '/cart'}),
    ])
  })
  after(() => stage?.close())
  beforeEach(() => {
    stage.website.pages.clear()
    offer(stage, configTool())
  })

  const preview = (path: string, use: (visit: Visit) => Promise<void>, options?: VisitOptions) =>
    stage.visit(path + LINK, use, options)
  const READS = {readOnlyHint: true}
  const call = (title: string, fields: Partial<ToolTest> = {}): ToolTest => ({
    title,
    page: '/',
    arguments: [{name: 'query', value: 'rope'}],
    expect: [],
    ...fields,
  })
  /** Offers tools, each with tests. */
  function offerTested(...tools: [tool: ConfigTool, tests: ToolTest[]][]): void {
    offer(stage, ...tools.map(([one]) => one))
    stage.drafts.about = tools.map(([{name}, tests]) => aboutTool({id: name, name, tests}))
  }
  const posts = () => stage.website.requests.filter((path) => path === '/cart-api').length

  test('runs tests of tools that only read at a click, and of others after a question that names them', async () => {
    const titled = (member: string) => [{kind: 'exists', member, value: ''} as const]
    offerTested(
      [
        configTool({
          annotations: READS,
          executeJs: 'await (await fetch("/gone")).text(); return [{title: args.query}]',
        }),
        [
          call('Finds ropes', {expect: titled('[0].title')}),
          call('Has names', {expect: titled('[0].name')}),
          call('Finds them elsewhere', {page: '/events'}),
        ],
      ],
      [
        configTool({
          id: '6f2cbe0e-4b39-4f5c-9f0e-000000000002',
          name: 'addToCart',
          description: 'Adds a product to the cart.',
          executeJs: 'await fetch("/cart-api", {method: "POST"}); return "Added."',
        }),
        [call('Adds a rope')],
      ],
    )
    stage.website.pages.set('/gone', {status: 410})
    const before = posts()
    await preview('/', async ({page}) => {
      await page.getByRole('tab', {name: 'Tests 4'}).click()
      const asked: string[] = []
      page.once('dialog', (dialog) => {
        asked.push(dialog.message())
        void dialog.dismiss()
      })
      await page.getByRole('button', {name: 'Run tests'}).click()
      await page.getByText('1 passed, 1 failed').waitFor()
      assert.match(asked.join(), /\naddToCart \(1 test\): Adds a product to the cart\.$/)
      const bargains = page.locator('[data-tests=findBargains]')
      await bargains.getByText('The first entry has no member “name”: it is {title: “rope”}.').waitFor()
      await bargains.getByText('/gone returned 410.').waitFor()
      assert.equal(posts(), before)
      await bargains.getByText('Arguments and result').click()
      await bargains.getByText('"title": "rope"').waitFor()
      assert.equal(
        await bargains.getByText('on /events: open it').getAttribute('href'),
        `${stage.website.address}/events`,
      )

      page.once('dialog', (dialog) => dialog.accept())
      await page.getByRole('button', {name: 'Run tests'}).click()
      await page.getByText('2 passed, 1 failed').waitFor()
      assert.equal(posts(), before + 1)
    })
  })

  /** What a link hands to Studio. */
  const handed = async (link: Locator): Promise<unknown> =>
    handedIn(new URL((await link.getAttribute('href')) ?? '').hash)?.value

  test('keeps a call of an agent as a test, with nothing of the result but what the test expects', async () => {
    offer(stage, configTool({executeJs: 'return {items: [{title: "SECRET", price: 9}]}'}))
    await preview('/?tab=1', async ({page, agent}) => {
      await agent.sees('findBargains')
      await page.webmcp.callTool('findBargains', {query: 'rope'})
      await page.getByRole('tab', {name: 'Calls 1'}).click()
      const item = page.locator('[data-call=findBargains]')
      await item.locator('summary').click()
      await item.getByRole('button', {name: 'Keep this call as a test'}).click()
      await item
        .getByText(
          '/?tab=1, query “rope”: “items” has at least 1 entry; the result has “title” of the first entry of “items”',
        )
        .waitFor()
      const link = item.getByRole('link', {name: 'Add the test in Studio'})
      assert.deepEqual(await handed(link), {
        id: 'bargains',
        preview: PREVIEW_ID,
        test: call('With query “rope”', {
          page: '/?tab=1',
          expect: [
            {kind: 'atLeast', member: 'items', value: '1'},
            {kind: 'exists', member: 'items[0].title', value: ''},
          ],
        }),
      })
      stage.drafts.about = [aboutTool({tests: [call('Kept', Object(await handed(link)).test)]})]
      await item.getByText('The draft has this test.').waitFor()
    })
  })

  test('judges a test that leads to another page there', async () => {
    const goesTo = (value: string) => [{kind: 'goesTo', member: '', value} as const]
    offerTested([
      configTool({executeJs: 'location.assign("/cart?from=tool")', annotations: READS}),
      [call('Shows the cart', {expect: goesTo('/cart')}), call('Shows orders', {expect: goesTo('/orders')})],
    ])
    await preview('/', async ({page}) => {
      for (const [title, verdict] of [
        ['Shows the cart', 'passed.'],
        ['Shows orders', 'The page went to /cart?from=tool, and not to /orders.'],
      ] as const) {
        await page.getByRole('tab', {name: 'Tests 2'}).click()
        await page.getByRole('button', {name: `Run it: it may leave this page: ${title}`}).click()
        await page.waitForURL('**/cart?from=tool')
        await page.getByText(verdict).waitFor()
        assert.equal(await page.evaluate('"handrail-panel-test" in sessionStorage'), false)
        await page.getByRole('link', {name: '/', exact: true}).click()
        await page.waitForURL(({pathname}) => pathname === '/')
      }
    })
  })
})
