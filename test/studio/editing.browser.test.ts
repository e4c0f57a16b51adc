import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import type {Page} from 'playwright-core'
import {configOf} from '../support/answers.ts'
import {screenshot, troubleOf} from '../support/browser.ts'
import type {ContentRepository} from '../support/content.ts'
import {eventually} from '../support/eventually.ts'
import {
  adaLovelace,
  fieldOf,
  goTo,
  PUBLISH,
  type RunningStudio,
  saved,
  showAllFields,
  signIn,
  startStudio,
  writeScript,
} from './support/studio.ts'

/** The life of a tool in the real Studio in a real browser: each test continues from the previous one. */
describe('an editor in Studio', () => {
  let studio: RunningStudio
  let repository: ContentRepository
  let ada: Page
  let trouble: string[]

  before(async () => {
    studio = await startStudio()
    repository = studio.repository
    ada = await studio.newPage()
    trouble = troubleOf(ada)
  })

  after(() => studio?.close())

  const served = () => configOf(fetch(`${studio.serviceAddress}/api/sites/demo-shop/config?path=/stores`))
  // The delay is measured over a thousand publishes elsewhere; on a busy machine the browser's click alone
  // takes time.
  const isServed = (name: string, is: boolean) => eventually(served, ({names}) => names.includes(name) === is)

  /** Presses Publish, and waits until the page has the change. Studio publishes once it has checked the last edit. */
  async function publish(check: (config: Awaited<ReturnType<typeof served>>) => boolean) {
    await ada.locator(PUBLISH).click()
    return eventually(served, check)
  }

  test('signs in, and is redirected to the requested address', async () => {
    await ada.goto(studio.at('/structure/sites;shop;tools'))
    await signIn(ada, {...adaLovelace, password: 'a wrong password'})
    await ada.getByText('Incorrect email or password.').waitFor()
    await signIn(ada, adaLovelace)
    await ada.getByText('searchProducts').first().waitFor()
    assert.match(ada.url(), /\/structure\/sites;shop;tools$/)
    // So far Studio requested the current user, and got that there is none.
    trouble.length = 0
  })

  test('adds a tool to the site, which opens next to the list of its tools', async () => {
    await ada.getByTestId('multi-action-intent-button').click()
    await ada.getByRole('menuitem', {name: 'Empty tool'}).click()
    await ada.waitForURL(/\/structure\/sites;shop;tools;[^;/]+$/)
    await ada
      .getByTestId('document-panel-scroller')
      .getByRole('link', {name: 'Harbour Supply demo-shop'})
      .waitFor()
  })

  test('sees what is wrong with a tool before publishing it', async () => {
    await showAllFields(ada)
    await fieldOf(ada, 'name').fill('find stores')
    await ada
      .getByTestId('field-name')
      .getByTestId('problem-error')
      .filter({hasText: 'A name cannot contain a space'})
      .waitFor()
    await ada.locator('[data-testid=action-publish][data-disabled=true]').waitFor()
    await screenshot(ada, 'validation.png')
    await fieldOf(ada, 'name').fill('search_products')
    await ada
      .getByTestId('field-name')
      .getByTestId('problem-warning')
      .filter({hasText: 'The site has a tool “searchProducts”'})
      .waitFor()
  })

  test('puts right what has one right answer with a click', async () => {
    await fieldOf(ada, 'pathPattern').fill('/*')
    const fix = ada.getByTestId('field-pathPattern').getByTestId('fix')
    await fix.filter({hasText: 'Use /**'}).click()
    await eventually(() => fieldOf(ada, 'pathPattern').inputValue(), '/**')
    await fix.waitFor({state: 'detached'})
  })

  test('chooses pages in words', async () => {
    const reach = ada.getByTestId('reach')
    assert.equal(await reach.inputValue(), 'every')
    await fieldOf(ada, 'pathPattern').fill('/stores')
    await reach.selectOption({label: 'One page and all below it'})
    assert.equal(await fieldOf(ada, 'pathPattern').inputValue(), '/stores/**')
    await screenshot(ada, 'pages.png')
  })

  test('fills in every field, publishes, and the page has the tool', async () => {
    await fieldOf(ada, 'name').fill('placeOrders')
    const auto = ada.getByTestId('auto-readOnlyHint')
    await auto.filter({hasText: 'Auto: No'}).waitFor()
    await fieldOf(ada, 'name').fill('findStores')
    await auto.filter({hasText: 'Auto: Yes'}).waitFor()
    await fieldOf(ada, 'description').fill('Finds the stores near a place.')
    await fieldOf(ada, 'pathPattern').fill('/{stores,contact}/**')
    await ada.getByTestId('parameter-add').click()
    const parameter = ada.getByTestId('parameter-name').first()
    await parameter.fill('place')
    await parameter.press('Enter')
    await ada.getByTestId('parameter-required').check()
    await ada.getByTestId('parameter-description').fill('A city or a postal code')
    await ada.getByTestId('parameter-add').click()
    await ada.getByTestId('parameter-name').last().fill('openNow')
    await ada.getByTestId('parameter-name').last().press('Enter')
    await ada.getByTestId('parameter-kind').last().selectOption({label: 'Yes or no'})
    await writeScript(ada, 'return {place: args.town}')
    for (const advice of ['no parameter “town”', '“openNow” has no description'])
      await ada.getByTestId('problem-warning').filter({hasText: advice}).waitFor()
    await screenshot(ada, 'advice.png')
    await writeScript(ada, 'return {place: args.place, open: args.openNow}')
    await ada.getByTestId('parameter-description').last().fill('Only stores that are open')
    await ada.getByTestId('parameter-description').last().press('Tab')
    await ada.getByTestId('problem-warning').filter({hasText: 'no description'}).waitFor({state: 'detached'})
    await ada.getByTestId('problem-warning').filter({hasText: 'no parameter'}).waitFor({state: 'detached'})
    await ada.getByRole('button', {name: 'Frames of other sites'}).click()
    await ada.getByTestId('field-exposedTo').getByText('Add item').click()
    await ada.getByTestId('field-exposedTo').locator('input').last().fill('https://partner.example')
    await ada
      .getByTestId('field-annotations.untrustedContentHint')
      .getByRole('radio')
      .nth(1)
      .check({force: true})
    await saved(ada)
    const {tools} = await publish(({names}) => names.includes('findStores'))
    const tool = tools.find(({name}) => name === 'findStores')
    assert.deepEqual(
      [tool?.title, tool?.description, tool?.executeJs, tool?.exposedTo, tool?.annotations],
      [
        'Find Stores',
        'Finds the stores near a place.',
        'return {place: args.place, open: args.openNow}',
        ['https://partner.example'],
        {readOnlyHint: true, untrustedContentHint: true},
      ],
    )
    assert.deepEqual(tool?.inputSchema, {
      type: 'object',
      properties: {
        place: {type: 'string', description: 'A city or a postal code'},
        openNow: {description: 'Only stores that are open', type: 'boolean'},
      },
      required: ['place'],
    })
    await screenshot(ada, 'studio.png')
  })

  test('finds a group of fields open if it has a value, and folded if it has none', async () => {
    const form = new URL(ada.url()).pathname
    await goTo(ada, '/')
    await ada.getByTestId('start-page').waitFor()
    await goTo(ada, form)
    await showAllFields(ada)
    await ada.getByTestId('field-exposedTo').waitFor()
    await ada.getByRole('button', {name: 'Languages', exact: true}).waitFor()
    assert.equal(await ada.getByTestId('field-texts').isVisible(), false)
  })

  test('is the author of the commit in Git', async () => {
    const [author, subject, ...trailers] = (
      await repository.git('log', '-1', '--format=%an <%ae>%n%B')
    ).split('\n')
    assert.equal(author, 'Ada Lovelace <ada@example.com>')
    assert.equal(subject, 'Publish tool findStores')
    assert.match(trailers.join('\n'), /^Document: \S+$/m)
    assert.match(trailers.join('\n'), /^Transaction: \S+$/m)
    await repository.git('fsck', '--strict')
  })

  test('reviews a change of the script in a code font, with its lines', async () => {
    await fieldOf(ada, 'description').fill('Finds the stores near a place, with their opening hours.')
    await writeScript(ada, 'const open = args.openNow\nreturn {place: args.place, open}')
    await saved(ada)
    await ada.getByTestId('pane-context-menu-button').last().click()
    await ada.getByTestId('action-history').click()
    await ada.locator('#changes-tab').click()
    const change = ada.getByTestId('code-diff').filter({hasText: 'const open'})
    await change.waitFor()
    assert.match(await change.innerText(), /args\.openNow\n *return/)
    const fonts = await ada.evaluate(`
      [...document.querySelectorAll('[data-testid="code-diff"] *')].map((part) => getComputedStyle(part).fontFamily)
    `)
    assert.ok(Array.isArray(fonts) && fonts.length > 1)
    for (const font of fonts) assert.match(String(font), /monospace/)
    await screenshot(ada, 'review-changes.png')
    await ada.locator('#history-tab').click()
  })

  test('finds both revisions in the history', async () => {
    await publish(({tools}) => tools.some(({description}) => String(description).endsWith('opening hours.')))
    const revisions = ada.getByTestId('timeline-item-button').filter({hasText: 'Published'})
    await eventually(() => revisions.count(), 2)
    await screenshot(ada, 'history.png')
  })

  test('unpublishes the tool, publishes it again, and deletes it', async () => {
    await ada.getByTestId('document-header-Published-chip').click()
    await ada.getByTestId('action-unpublish').click()
    await ada.getByTestId('confirm-button').click()
    await isServed('findStores', false)
    assert.match(await repository.git('log', '-1', '--format=%s'), /^Unpublish tool findStores/)

    await ada.getByTestId('document-header-Draft-chip').click()
    await publish(({names}) => names.includes('findStores'))
    await ada.getByTestId('action-menu-button').click()
    await ada.getByTestId('action-Delete').click()
    await ada
      .getByTestId('confirm-delete-confirm-button')
      .or(ada.getByRole('button', {name: /^Delete/}).last())
      .first()
      .click()
    await isServed('findStores', false)
    assert.match(await repository.git('log', '-1', '--format=%s'), /^Delete tool findStores/)
  })

  test('caused no error in the console and no failed request', () => {
    assert.deepEqual(trouble, [])
  })
})
