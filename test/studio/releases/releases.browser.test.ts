import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import type {Page} from 'playwright-core'
import {everywhere} from '../../../lake/access/rights/rights.ts'
import {configOf} from '../../support/answers.ts'
import {axeMistakes} from '../../support/axe.ts'
import {screenshot} from '../../support/browser.ts'
import {eventually} from '../../support/eventually.ts'
import {fieldOf, goTo, mutate, openStudio, type RunningStudio, saved} from '../support/studio.ts'

/** The life of a release in the unmodified Studio. Each test continues from the previous one. */
describe('an editor publishes several changes as a release', () => {
  let studio: RunningStudio
  let page: Page
  let trouble: string[]
  /** What failed, for the message of the test. */
  const refusals: string[] = []

  before(async () => {
    // Studio draws all of it once more when it knows what the plan has, which would close a dialog.
    ;({studio, page, trouble} = await openStudio('/overview', (page) =>
      page.getByText('Harbour Supply').first(),
    ))
    page.on('response', async (response) => {
      if (response.status() >= 400)
        refusals.push(`${response.request().postData()} → ${await response.text().catch(() => '')}`)
    })
  })

  after(async () => {
    await studio?.close()
  })

  const served = async () => {
    const url = `${studio.serviceAddress}/api/sites/demo-shop/config?path=/cart`
    return (await configOf(fetch(url))).tools.map(({name}) => name)
  }
  const chooseInMenu = async (text: string) => {
    await page.getByTestId('release-menu-button').click()
    await page.getByText(text, {exact: true}).click()
  }
  const confirm = () => page.getByTestId('confirm-button').click()
  const openRelease = async (title: string) => {
    await goTo(page, '/releases')
    await page.getByRole('link', {name: title}).or(page.getByText(title)).first().click()
    await page.getByTestId('release-menu-button').waitFor()
  }

  test('a release is made, and a tool is added to it and changed in it', async () => {
    await goTo(page, '/releases')
    await page.getByRole('button', {name: 'New release'}).click()
    await page.getByTestId('release-form-title').fill('Spring sale')
    await page.getByRole('button', {name: 'Create release'}).click()
    await page.getByRole('button', {name: 'Add document'}).click()
    await page.keyboard.type('placeOrder')
    await page.getByText('placeOrder', {exact: true}).first().waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('link', {name: 'placeOrder'}).first().click()
    const description = page.getByTestId('field-description').locator('textarea')
    await description.waitFor()
    await description.fill('Orders what is in the cart, at the prices of the spring sale.')
    await saved(page)
    await screenshot(page, 'release-version.png', 1_320)
  })

  test('a preview shows it on the page', async () => {
    await page.getByTestId('action-menu-button').click()
    await page.getByText('Open the page with drafts').click()
    await page.getByText('the release “Spring sale”').waitFor()
    await page.keyboard.press('Escape')
  })

  test('a review of it is requested in its menu, and shows all of its changes in one list', async () => {
    await openRelease('Spring sale')
    await page.getByRole('button', {name: 'Add document'}).click()
    await page.keyboard.type('viewCart')
    await page.getByText('viewCart', {exact: true}).first().waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('link', {name: 'viewCart'}).first().click()
    await fieldOf(page, 'name').fill('showCart')
    await saved(page)
    await openRelease('Spring sale')
    await chooseInMenu('Request review')
    await page.getByText('A review is requested').waitFor()
    await chooseInMenu('Show the review (Ada Lovelace has asked)')
    const review = page.getByTestId('review-Spring sale')
    await review.getByText('asks to publish this release').waitFor()
    assert.match(
      await review.getByTestId('review-visitors').innerText(),
      /“placeOrder” .* changes: Description[\s\S]*“showCart”/,
    )
    const change = (name: string) => review.getByTestId(`review-change-${name}`)
    await change('placeOrder').getByTestId('review-field-description').getByText('spring sale').waitFor()
    await change('showCart').getByTestId('review-field-name').getByText('viewCart').waitFor()
    await review.getByText('You requested this review').waitFor()
    await screenshot(page, 'release-review.png')
    assert.deepEqual(await axeMistakes(page, '[data-testid=review-pane]'), [])
  })

  test('it is scheduled as the review has shown it, and unscheduled', async () => {
    await openRelease('Spring sale')
    await chooseInMenu('Schedule release...')
    const time = page.getByRole('dialog').locator('input').first()
    await time.fill('Mar 1, 2031 06:00')
    await time.press('Tab')
    const scheduling = page.waitForRequest((request) => {
      const body = request.postData() ?? ''
      return body.includes('release.schedule') && !body.includes('dryRun')
    })
    await page.getByRole('button', {name: 'Yes, schedule'}).click()
    assert.match((await scheduling).postData() ?? '', /"ifReviewed":"[\w-]{43}"/)
    await page.getByText('Mar 1, 2031').first().waitFor()
    await chooseInMenu('Unschedule release')
    await confirm()
    await page.getByText('Estimated').waitFor()
    await chooseInMenu('Show the review (Ada Lovelace has asked)')
    await page.getByTestId('review-Spring sale').waitFor()
  })

  test('who did not request its review approves it: one commit, and pages have the change', async () => {
    const token = await studio.accounts.tokens.add('Planner', everywhere('author'))
    const id = await page.evaluate('document.querySelector("a[href*=\'/releases/r\']").href.split("/").pop()')
    const review = {actionType: 'handrail.action.review.request', publishedId: `_.releases.${id}`}
    const {status} = await fetch(studio.at('/v2025-02-19/data/actions/production'), {
      method: 'POST',
      headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json'},
      body: JSON.stringify({actions: [review]}),
    })
    assert.equal(status, 200)
    await page.getByText('Planner asks to publish this release').waitFor()
    await page.getByTestId('review-open-page').click()
    await page.getByText('the release “Spring sale”').waitFor()
    await page.keyboard.press('Escape')
    await page.getByTestId('review-approve').click()
    await page.getByText('Nothing waits for a review.').waitFor()
    await goTo(page, `/releases/${id}`)
    await page.getByText('This release is published successfully').waitFor()
    await screenshot(page, 'release-published.png')
    const [subject] = (await studio.repository.git('log', '--format=%s')).split('\n')
    assert.equal(subject, 'Spring sale')
    assert.ok((await served()).includes('placeOrder'))
  })

  test('it is reverted by a new release', async () => {
    await page.getByRole('button', {name: 'Revert release'}).click()
    await page.getByTestId('confirm-button').click()
    await page.getByText('was successfully created').waitFor()
    await goTo(page, '/releases')
    await page
      .getByText(/^Reverting/)
      .first()
      .click()
    await page.getByRole('button', {name: 'Run release'}).click()
    await confirm()
    await page.getByText('This release is published successfully').waitFor()
    const [before, after] = await Promise.all(
      ['HEAD~2', 'HEAD'].map((commit) => studio.repository.git('rev-parse', `${commit}:tool`)),
    )
    assert.equal(after, before)
  })

  test('a release is made of all drafts of a site', async () => {
    for (const [id, name] of [
      ['tool-search-products', 'searchEverything'],
      ['tool-view-cart', 'showCart'],
    ]) {
      const found = await page.request.get(studio.at(`/v2025-02-19/data/doc/production/${id}`))
      const {documents} = await found.json()
      await mutate(page, {create: {...documents[0], _id: `drafts.${id}`, name}})
    }
    await goTo(page, '/overview/shop')
    await page.getByTestId('make-release').click()
    for (const name of ['searchEverything', 'showCart']) await page.getByText(name).first().waitFor()
    await page.getByRole('button', {name: 'Run release'}).click()
    await confirm()
    await page.getByText('This release is published successfully').waitFor()
    await eventually(served, (names) => names.includes('showCart') && names.includes('searchEverything'))
  })

  test('Studio logs no error, and no request fails', () => {
    // A tab that reads a document while it changes skips the event about what it has read.
    assert.deepEqual(
      trouble.filter((text) => !text.includes('Document out of sync')),
      [],
      refusals.join('\n'),
    )
  })
})
