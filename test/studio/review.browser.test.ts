import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import type {Page} from 'playwright-core'
import {startShop} from '../../examples/shop/shop.ts'
import {axeMistakes} from '../support/axe.ts'
import {screenshot, troubleOf} from '../support/browser.ts'
import {listeningLog} from '../support/log.ts'
import {siteDocument, toolDocument} from '../support/shop.ts'
import {keyboardUser} from './support/keyboard.ts'
import {
  fieldOf,
  goTo,
  goToSignIn,
  graceHopper,
  openStudio,
  type RunningStudio,
  saved,
  showAllFields,
  signIn,
  writeScript,
} from './support/studio.ts'

/** An author and a publisher at work on one change. Each test continues from the previous one. */
describe('a change is reviewed in Studio', () => {
  let studio: RunningStudio
  let ada: Page
  let grace: Page
  let trouble: string[]
  let shop: Awaited<ReturnType<typeof startShop>>

  before(async () => {
    ;({
      studio,
      page: ada,
      trouble,
    } = await openStudio('/overview/shop/reviews', (page) => page.getByTestId('review-pane')))
    shop = await startShop({
      host: '127.0.0.1',
      port: 0,
      serviceOrigin: studio.serviceAddress,
      publicId: 'demo-shop',
      logger: listeningLog().log,
    })
    await studio.repository.commit([
      siteDocument({
        name: 'Harbour Supply',
        publicId: 'demo-shop',
        addresses: [shop.address],
        review: 'scripts',
      }),
      toolDocument({
        _id: 'tides',
        name: 'getTides',
        pathPattern: '/**',
        inputSchema: '{"type": "object", "properties": {}}',
        executeJs: 'const first = 1\nreturn first',
        tests: [{_key: 'a', _type: 'test', title: 'Tells the tides', page: '/'}],
      }),
    ])
    grace = await studio.newPage()
    await goToSignIn(grace, studio, '/structure/sites;shop;tools;tides')
    await signIn(grace, graceHopper)
    // Compiles all scripts of Studio a second time.
    await grace.getByTestId('field-name').waitFor({timeout: 120_000})
    trouble.push(...troubleOf(grace))
  })

  after(async () => {
    await shop?.close()
    await studio?.close()
  })

  const request = (label: string) => grace.getByRole('button', {name: label, exact: true})
  const card = () => ada.getByTestId('review-getTides')

  /** Requests a review of the draft as it is. */
  async function ask(label: string, text: string): Promise<void> {
    await request(label).click()
    await grace.getByTestId('review-text').fill(text)
    await keyboardUser(grace).reachAll('[role=dialog]')
    await screenshot(grace, 'review-request.png')
    await grace.getByTestId('review-submit').click()
    await grace.getByRole('button', {name: 'Waiting for review'}).waitFor()
  }

  /** CI tests the change, and Ada, who looked at that in another tab, comes back. */
  async function reportsTests(): Promise<void> {
    const tests = card().getByTestId('review-tests')
    await tests.getByText('The tests have not run on this version yet.').waitFor()
    const query = encodeURIComponent('*[_type == "handrail.review"][0].after')
    const found = await ada
      .context()
      .request.get(studio.at(`/v1/data/query/production?perspective=raw&query=${query}`))
    const {result: revision} = await found.json()
    const token = await studio.accounts.tokens.add('CI', [{role: 'reporter', sites: ['shop']}])
    const counts = {id: 'tides', name: 'getTides', revision, passed: 1, failed: 0, problem: ''}
    const {status} = await fetch(new URL('/v1/tests/shop', studio.at('/')), {
      method: 'PUT',
      headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json'},
      body: JSON.stringify({commit: 'abc1234def', tools: [counts]}),
    })
    assert.equal(status, 204)
    await ada.evaluate("window.dispatchEvent(new Event('focus'))")
    await tests.getByText('Tests passed on this version (abc1234).').waitFor()
  }

  test('the author changes a script and requests a review in place of publishing', async () => {
    await showAllFields(grace)
    await writeScript(grace, 'const first = 1\nreturn first + 1')
    await saved(grace)
    await ask('Request review', 'The tide of tomorrow')
  })

  test('the publisher sees what changes, and tries it on the page', async () => {
    await card().getByText('The tide of tomorrow').waitFor()
    await card().getByText('Grace Hopper asks to publish this tool,').waitFor()
    assert.match(
      await card().getByTestId('review-visitors').innerText(),
      /“getTides” on \/\*\* changes: Script/,
    )
    const script = card().getByTestId('review-field-executeJs')
    assert.deepEqual(await script.locator('[data-change=removed]').allInnerTexts(), ['return first'])
    assert.deepEqual(await script.locator('[data-change=added]').allInnerTexts(), ['return first + 1'])
    await ada.getByTestId('site-tab-reviews').getByText('Reviews (1)').waitFor()
    await reportsTests()
    const box = await script.boundingBox()
    assert.ok((box?.width ?? 0) > 1_200, 'code has the width of the window')
    await keyboardUser(ada).reachAll('[data-testid=review-pane]')
    await screenshot(ada, 'review-pane.png')
    assert.deepEqual(await axeMistakes(ada, '[data-testid=review-pane]'), [])

    await card().getByTestId('review-open-page').click()
    const opening = ada.context().waitForEvent('page')
    await ada.getByTestId('preview-open').click()
    const page = await opening
    await page.getByText('getTides (changed draft, last changed by Grace Hopper)').waitFor()
    await page.getByRole('button', {name: 'Run the drafts'}).click()
    await page.locator('[data-tool=getTides]').getByText('Changed draft').waitFor()
    await page.close()
    await ada.getByRole('button', {name: 'Close dialog'}).click()
  })

  test('a change in between makes the approval fail, until a review is requested again', async () => {
    await writeScript(grace, 'const first = 1\nreturn first + 2')
    await saved(grace)
    await card().getByText('The draft changed after the review was requested').waitFor()
    assert.equal(await card().getByTestId('review-approve').isDisabled(), true)
    await screenshot(ada, 'review-changed.png')
    await ask('Request review again', 'Now for two days')
    await card().getByText('Now for two days').waitFor()
    await card().getByText('The request was replaced while you looked at it.').waitFor()
    assert.equal(await card().getByTestId('review-approve').isDisabled(), true)
    await card().getByTestId('review-seen').click()
  })

  test('the publisher approves, and the commit names both', async () => {
    await card().getByTestId('review-approve').click()
    await ada.getByText('Nothing waits for a review.').waitFor()
    const message = await studio.repository.git('log', '-1', '--format=%an%n%B')
    assert.match(message, /^Ada Lovelace\nPublish tool getTides\n/)
    assert.match(message, /\nCo-authored-by: Grace Hopper <grace@example\.com>\n/)
    assert.match(message, /\nReviewed-by: Ada Lovelace <ada@example\.com>\n/)
    const text = await studio.repository.git('show', 'HEAD:tool/tides.js')
    assert.match(text, /return first \+ 2/)
    await goTo(ada, '/overview/shop/activity')
    await ada.getByTestId('activity-change').first().waitFor()
    const [latest] = await ada.getByTestId('activity-change').allInnerTexts()
    assert.match(
      latest ?? '',
      /^Grace Hopper\n[\s\S]*\nChanged tool getTides: Script\n+Reviewed by Ada Lovelace\n/,
    )
  })

  test('a change without a script is published as before', async () => {
    await goTo(ada, '/structure/sites;shop;tools;tides')
    await fieldOf(ada, 'description').fill('Tells the tides of the next two days.')
    await saved(ada)
    await ada.getByTestId('action-publish').click()
    await ada
      .getByText(/^Published/)
      .first()
      .waitFor()
    assert.deepEqual(trouble, [])
  })
})
