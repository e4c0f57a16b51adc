import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import type {Page} from 'playwright-core'
import {IS_DEEP} from '../../runner/runs.ts'
import {screenshot} from '../../support/browser.ts'
import {eventually} from '../../support/eventually.ts'
import {type Fault, startFault} from '../support/faults.ts'
import {
  adaLovelace,
  fieldOf,
  goTo,
  goToSignIn,
  graceHopper,
  openStudio,
  type RunningStudio,
  showAllFields,
  signIn,
} from '../support/studio.ts'
import {TYPING_PATH, typeWithoutNetwork} from '../support/typing.ts'

const SAVE = /\/data\/actions\//

/** The first edits of published documents, while Studio cannot reach its lake. */
describe('what is typed without a network', () => {
  let studio: RunningStudio
  let ada: Page

  before(async () => {
    ;({studio, page: ada} = await openStudio(TYPING_PATH, (page) => fieldOf(page, 'description')))
  })

  after(() => studio?.close())

  /** Adds a text at the end of a field. */
  async function add(page: Page, field: string, text: string): Promise<void> {
    await fieldOf(page, field).focus()
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.type(text, {delay: 30})
  }

  const notSaved = (page: Page) => page.getByTestId('not-saved')

  /** A field of a draft in the lake; undefined if there is no draft. */
  async function drafted(page: Page, id: string, field: string): Promise<unknown> {
    return page.evaluate(`fetch('/v2025-02-19/data/doc/production/drafts.${id}')
      .then(async (response) => (await response.json()).documents[0]?.${field})`)
  }

  const documents = [
    {path: TYPING_PATH, id: 'tool-search-products', field: 'description', fault: 'reset'},
    {
      path: '/structure/sites;shop;formTools;form-search',
      id: 'form-search',
      field: 'description',
      fault: 'unavailable',
    },
    {path: '/structure/sites;shop;settings', id: 'shop', field: 'name', fault: 'hanging'},
    {
      path: '/structure/sites;shop;tools;tool-view-cart',
      id: 'tool-view-cart',
      field: 'description',
      fault: 'lost',
    },
  ] as const

  for (const {path, id, field, fault} of documents)
    test(`the first edit of ${id} stays in the form, and is saved afterwards: ${fault}`, async () => {
      await keepsFirstEdit(ada, {path, id, field, fault})
    })

  test('an author keeps it, too', async () => {
    const grace = await studio.newPage()
    const path = '/structure/sites;shop;tools;tool-get-product'
    await goToSignIn(grace, studio, path)
    await signIn(grace, graceHopper)
    await keepsFirstEdit(grace, {path, id: 'tool-get-product', field: 'description', fault: 'reset'})
    await grace.context().close()
  })

  async function keepsFirstEdit(
    page: Page,
    {path, id, field, fault}: {path: string; id: string; field: string; fault: Fault},
  ): Promise<void> {
    await goTo(page, path)
    await page.waitForURL((url) => url.pathname === path)
    const input = fieldOf(page, field)
    await eventually(() => input.isEditable(), true)
    const text = `${await input.inputValue()} kept`
    const end = await startFault(page, studio, fault)
    await add(page, field, ' kept')
    await notSaved(page).filter({hasText: 'Not saved: Studio cannot reach the content lake.'}).waitFor()
    await notSaved(page).filter({hasText: 'Your text is still here.'}).waitFor()
    assert.equal(await input.inputValue(), text)
    await end()
    await eventually(() => drafted(page, id, field), text)
    await notSaved(page).waitFor({state: 'detached'})
    assert.equal(await input.inputValue(), text)
  }

  test('Studio does not crash while the browser is offline, and saves what was typed meanwhile', async () => {
    await goTo(ada, '/structure/sites;shop;tools;tool-place-order')
    const input = fieldOf(ada, 'description')
    await eventually(() => input.inputValue(), /order/i)
    await eventually(() => input.isEditable(), true)
    const before = await input.inputValue()
    const end = await startFault(ada, studio, 'offline')
    const words = ' typed while offline'
    await fieldOf(ada, 'description').focus()
    await ada.keyboard.press('ControlOrMeta+End')
    await ada.keyboard.type(words, {delay: 100})
    assert.equal(await input.inputValue(), before + words)
    await screenshot(ada, 'offline.png')
    await end()
    await eventually(() => drafted(ada, 'tool-place-order', 'description'), before + words)
    assert.equal(await input.inputValue(), before + words)
  })

  test('what is not saved is sent after the tab is loaded again, and the form says where it is', async () => {
    const {input, text} = await openList(' reloaded')
    await ada.route(SAVE, (route) => route.fulfill({status: 503}))
    await add(ada, 'description', ' reloaded')
    await notSaved(ada).waitFor()
    await ada.reload()
    await notSaved(ada).filter({hasText: 'This tab keeps what you typed'}).waitFor()
    await ada.unroute(SAVE)
    await eventually(() => input.inputValue(), text)
    assert.equal(await drafted(ada, 'tool-list-reviews', 'description'), text)
    await notSaved(ada).waitFor({state: 'detached'})
  })

  test('the last letters before the tab is loaded again are saved', async () => {
    const {input, text} = await openList(' at once')
    await add(ada, 'description', ' at once')
    await ada.reload()
    await eventually(() => input.inputValue(), text)
    await eventually(() => drafted(ada, 'tool-list-reviews', 'description'), text)
  })

  test('a field that hands over its text when somebody leaves it is saved, too', async () => {
    await goTo(ada, TYPING_PATH)
    await showAllFields(ada)
    const field = ada.getByTestId('parameter-description').first()
    await field.focus()
    await ada.keyboard.press('ControlOrMeta+End')
    await ada.keyboard.type(' in the field')
    await ada.reload()
    await showAllFields(ada)
    await eventually(() => field.inputValue(), / in the field$/)
  })

  test('every character that is typed around short interruptions is saved soon after each', async () => {
    await goTo(ada, '/structure/sites;shop;formTools')
    await goTo(ada, TYPING_PATH)
    await eventually(() => fieldOf(ada, 'description').isEditable(), true)
    const plan = IS_DEEP
      ? {seed: Date.now() % 1_000_000, rounds: 20, edits: 10, longest: 15_000}
      : {seed: 3, rounds: 3, edits: 3, longest: 500}
    await typeWithoutNetwork(ada, studio, plan)
  })

  test('somebody whose session has ended signs in again, and what was typed is saved', async () => {
    const {input} = await openList('')
    await ada.evaluate(`addEventListener('input', ({target}) => { sessionStorage.typed = target.value })`)
    const signInPage = ada.getByRole('link', {name: 'Sign-in page'})
    await add(ada, 'description', ' typed before')
    // Studio leaves the form as soon as a request is refused, while somebody types.
    await ada.context().clearCookies()
    for (let letter = 0; !(await signInPage.isVisible()); letter += 1)
      await ada.keyboard.type('typed while signed out '.charAt(letter % 23), {delay: 20})
    const text = String(await ada.evaluate('sessionStorage.typed'))
    await signInPage.click()
    await signIn(ada, adaLovelace)
    await eventually(() => drafted(ada, 'tool-list-reviews', 'description'), text)
    await eventually(() => input.inputValue(), text)
  })

  /** Opens a tool. Returns what its description will be with a text that is added. */
  async function openList(added: string) {
    await goTo(ada, '/structure/sites;shop;tools;tool-list-reviews')
    const input = fieldOf(ada, 'description')
    await eventually(() => input.inputValue(), /^Lists what customers wrote/)
    await eventually(() => input.isEditable(), true)
    return {input, text: `${await input.inputValue()}${added}`}
  }
})
