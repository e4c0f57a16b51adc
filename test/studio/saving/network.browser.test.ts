import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import type {Page} from 'playwright-core'
import {IS_DEEP} from '../../runner/runs.ts'
import {eventually} from '../../support/eventually.ts'
import {startFault} from '../support/faults.ts'
import {
  adaLovelace,
  fieldOf,
  goTo,
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
  ] as const

  for (const {path, id, field, fault} of documents)
    test(`the first edit of ${id} stays in the form, and is saved afterwards: ${fault}`, async () => {
      await goTo(ada, path)
      await ada.waitForURL((url) => url.pathname === path)
      const input = fieldOf(ada, field)
      await eventually(() => input.isEditable(), true)
      const text = `${await input.inputValue()} kept`
      const end = await startFault(ada, studio, fault)
      await add(ada, field, ' kept')
      await notSaved(ada).filter({hasText: 'Not saved: Studio cannot reach the content lake.'}).waitFor()
      await notSaved(ada).filter({hasText: 'This tab keeps what you typed.'}).waitFor()
      assert.equal(await input.inputValue(), text)
      await end()
      await eventually(() => drafted(ada, id, field), text)
      await notSaved(ada).waitFor({state: 'detached'})
      assert.equal(await input.inputValue(), text)
    })

  test('what is typed while a save is on its way is kept before the page is left, and sent after the tab is loaded again', async () => {
    const {input, text} = await openList(' first second')
    await ada.route(SAVE, (route) => route.fulfill({status: 503}))
    await input.focus()
    await ada.keyboard.press('ControlOrMeta+End')
    const kept = await ada.evaluate(`(async () => {
      const field = document.activeElement
      for (const word of [' first', ' second']) {
        field.focus()
        document.execCommand('insertText', false, word)
        dispatchEvent(new Event('pagehide'))
      }
      // No task runs between these, as when a page is left.
      for (let turn = 0; turn < 1_000; turn += 1) await undefined
      return JSON.stringify({...sessionStorage})
    })()`)
    assert.match(String(kept), /first.*second/s)
    await notSaved(ada).waitFor()
    await ada.reload()
    await notSaved(ada).filter({hasText: 'This tab keeps what you typed'}).waitFor()
    await ada.unroute(SAVE)
    await eventually(() => input.inputValue(), text)
    await eventually(() => drafted(ada, 'tool-list-reviews', 'description'), text)
    await notSaved(ada).waitFor({state: 'detached'})
  })

  test('what is typed right before the tab is loaded again is saved, also in a field that hands it over later', async () => {
    await goTo(ada, TYPING_PATH)
    await showAllFields(ada)
    const parameter = ada.getByTestId('parameter-description').first()
    const description = fieldOf(ada, 'description')
    const text = `${await description.inputValue()} at once`
    await add(ada, 'description', ' at once')
    await parameter.focus()
    await ada.keyboard.press('ControlOrMeta+End')
    await ada.keyboard.type(' too')
    await ada.reload()
    await showAllFields(ada)
    await eventually(() => description.inputValue(), text)
    await eventually(() => parameter.inputValue(), / too$/)
    await eventually(() => drafted(ada, 'tool-search-products', 'description'), text)
  })

  for (const isLocked of [true, false])
    test(`a text of a parameter is saved if the lake restarts${isLocked ? ', the form is locked,' : ''} and the tab is loaded again before its field is left`, async () => {
      await goTo(ada, TYPING_PATH)
      await showAllFields(ada)
      const parameter = ada.getByTestId('parameter-description').first()
      await eventually(() => parameter.isEditable(), true)
      const text = `${await parameter.inputValue()} away`
      await parameter.focus()
      await ada.keyboard.press('ControlOrMeta+End')
      await ada.keyboard.type(' away')
      await studio.stopLake()
      if (isLocked) await eventually(() => parameter.isEditable(), false)
      await studio.startLake()
      await ada.reload()
      // Also while its field is folded.
      await eventually(
        () => drafted(ada, 'tool-search-products', 'inputSchema'),
        (saved) => String(saved).includes(JSON.stringify(text)),
      )
    })

  test('every character that is typed around short interruptions is saved soon after each', async () => {
    await goTo(ada, '/structure/sites;shop;formTools')
    await goTo(ada, TYPING_PATH)
    await eventually(() => fieldOf(ada, 'description').isEditable(), true)
    const plan = IS_DEEP
      ? {seed: Date.now() % 1_000_000, rounds: 20, edits: 10, longest: 15_000}
      : {seed: 15, rounds: 3, edits: 3, longest: 500}
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
      // People type some seven characters a second.
      await ada.keyboard.type('typed while signed out '.charAt(letter % 23), {delay: 150})
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
