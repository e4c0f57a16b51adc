import assert from 'node:assert/strict'
import {createServer, type Server} from 'node:http'
import {after, before, describe, test} from 'node:test'
import type {Page} from 'playwright-core'
import {isRecord, recordsIn} from '../../../schemas/record.ts'
import {axeMistakes} from '../../support/axe.ts'
import {screenshot} from '../../support/browser.ts'
import {eventually} from '../../support/eventually.ts'
import {listen} from '../../support/network/ports.ts'
import {
  fieldOf,
  goTo,
  marked,
  openStudio,
  PUBLISH,
  type RunningStudio,
  saved,
  showAllFields,
} from '../support/studio.ts'

const COMMAND = `curl 'https://library.example/api/events?q=rope&branch=harbour' \\
  -H 'accept: application/json' -b 'session=secret'`

const API = {
  openapi: '3.1.0',
  info: {title: 'Books'},
  servers: [{url: 'https://library.example'}],
  paths: {'/books': {get: {summary: 'Finds books'}}, '/authors': {get: {}}},
}

async function listening(server: Server): Promise<string> {
  return `http://127.0.0.1:${await listen(server)}/openapi.json`
}

/** A person who does not program fills in a request. Each test continues from the previous one. */
describe('a tool that sends a request, made without code', () => {
  let studio: RunningStudio
  let page: Page
  let trouble: string[]
  /** Another website, which lets others read its file. */
  const elsewhere = createServer((_request, response) => {
    response.writeHead(200, {'access-control-allow-origin': '*'}).end(JSON.stringify(API))
  })

  before(async () => {
    ;({studio, page, trouble} = await openStudio('/structure/sites;shop;tools', (page) =>
      page.getByText('searchProducts').first(),
    ))
  })

  after(async () => {
    elsewhere.closeAllConnections()
    elsewhere.close()
    await studio?.close()
  })

  const button = (name: string) => page.getByRole('button', {name, exact: true})
  const part = (path: RegExp) => page.getByTestId(path)
  const add = 'add-single-object-button'
  const closeDialogs = async () => {
    const close = page.getByRole('button', {name: 'Close dialog'})
    while ((await close.count()) > 0) await close.last().click()
  }
  /** The tool of these tests, as a page gets it. */
  const served = async () => {
    const response = await fetch(`${studio.serviceAddress}/api/sites/demo-shop/config?path=/`)
    const body: unknown = await response.json()
    return recordsIn(isRecord(body) ? body.tools : []).find(({name}) => name === 'findEvents')
  }
  const script = async () => String((await served())?.executeJs ?? '')

  test('takes the request from a cURL command, without its cookies', async () => {
    await page.getByTestId('multi-action-intent-button').click()
    await page.getByRole('menuitem', {name: 'Empty tool'}).click()
    await showAllFields(page)
    await fieldOf(page, 'name').fill('findEvents')
    await fieldOf(page, 'description').fill(
      'Finds events of the library by words, and returns title, date and branch.',
    )
    await page.getByText('Sends a request, and returns what comes back').click()
    await button('Fill in from a copied request').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Command').fill(COMMAND)
    await dialog.getByText('Left out: Cookie.').waitFor()
    assert.deepEqual(await axeMistakes(page, '[role=dialog]'), [])
    await screenshot(page, 'curl.png')
    await dialog.getByRole('button', {name: 'Fill in'}).click()
    await eventually(
      () => fieldOf(page, 'request.address').inputValue(),
      'https://library.example/api/events',
    )
    assert.equal(await page.getByTestId('request-row').count(), 2)
    assert.equal(await fieldOf(page, 'name').inputValue(), 'findEvents')
    // The form grows with what was filled in: what stands below moves.
    await saved(page)
  })

  test('renames a parameter in the request, too', async () => {
    const name = page.getByTestId('parameter-query').getByRole('textbox').first()
    await name.fill('words')
    await name.press('Tab')
    await page.getByRole('combobox', {name: 'What is sent as “q”'}).waitFor()
    await eventually(() => page.getByRole('combobox', {name: 'What is sent as “q”'}).inputValue(), 'words')
    await screenshot(page, 'request.png', 1_560)
  })

  test('sends what stands on the page in a header, but not to another website', async () => {
    await page.getByTestId('add-headers').click()
    const row = page.getByTestId('request-row').first()
    await row.getByLabel('Name').fill('X-CSRF-Token')
    const sent = row.getByRole('combobox', {name: 'What is sent as “X-CSRF-Token”'})
    await sent.selectOption('From an element of the page')
    await row.getByLabel('Element that has').fill('meta[name=csrf-token]')
    await row.getByLabel('Attribute that has').fill('content')
    const problem = page.getByText('stands on the page, and is sent to its own website only')
    await problem.filter({visible: true}).first().waitFor()
    await screenshot(page, 'header.png')
    await sent.selectOption('From a cookie of the page')
    await eventually(() => row.getByLabel('Cookie that has').inputValue(), '')
    await row.getByRole('button', {name: 'Remove the row'}).click()
    await eventually(() => page.getByTestId('request-row').count(), 2)
  })

  test('gets tests, whose fields suggest parameters and parts of the result', async () => {
    await page.getByTestId('field-tests').getByTestId(add).click()
    await part(/^field-tests.*\]\.page$/)
      .locator('input')
      .fill('/events')
    await part(/^field-tests.*\]\.arguments$/)
      .getByTestId(add)
      .click()
    const name = part(/^field-tests.*\.arguments.*\.name$/).locator('input')
    await name.focus()
    const suggested = await page.evaluate(
      'Array.from(document.activeElement.list.options, ({value}) => value)',
    )
    assert.deepEqual(suggested, ['words', 'branch'])
    await name.fill('words')
    await part(/^field-tests.*\.arguments.*\.value$/)
      .locator('textarea')
      .fill('rope')
    await marked(page, 'tests')
    await part(/^field-tests.*\]\.title$/)
      .locator('input')
      .fill('Finds ropes')
    await screenshot(page, 'tests.png')
    await closeDialogs()
    await page.getByText('/events, words “rope”: the call succeeds').waitFor()
  })

  test('is published, and pages get a script that sends the request', async () => {
    await saved(page)
    await page.locator(PUBLISH).click()
    const text = await eventually(script, (found) => found !== '')
    assert.match(text, /https:\/\/library\.example.*\/api\/events/s)
    assert.match(text, /\bwords\b/)
    assert.doesNotMatch(text, /secret|session=/)
  })

  test('turns into a script that does the same', async () => {
    const before = await script()
    await button('Turn into a script').click()
    await page.getByTestId('confirm').click()
    await page.getByTestId('code-javascript').getByText('library.example').first().waitFor()
    await saved(page)
    await page.locator(PUBLISH).click()
    await page.getByTestId('action-publish').and(page.locator('[data-disabled=true]')).waitFor()
    const after = await eventually(script, (found) => found !== before)
    assert.match(after, /^const action = \{\n.*\nfunction addressOf\(.*\nreturn runRequest\(\{args,signal,/s)
    assert.deepEqual(trouble, [])
  })

  test('has texts in another language', async () => {
    await page.getByRole('button', {name: 'Languages', exact: true}).click()
    await page.getByTestId('field-texts').getByTestId(add).click()
    await part(/^field-texts.*\]\.description$/)
      .locator('textarea')
      .fill('Findet Veranstaltungen der Bibliothek.')
    await part(/^field-texts.*\.parameters$/)
      .getByTestId(add)
      .click()
    await part(/^field-texts.*\.parameters.*\.name$/)
      .locator('input')
      .fill('words')
    await part(/^field-texts.*\.parameters.*\.description$/)
      .locator('textarea')
      .fill('Die Wörter.')
    await marked(page, 'texts')
    await part(/^field-texts.*\]\.language$/)
      .locator('input')
      .fill('de')
    await closeDialogs()
    await page
      .getByTestId('field-texts')
      .getByRole('button', {name: /^German/})
      .waitFor()
    await saved(page)
    await screenshot(page, 'texts.png')
    await page.locator(PUBLISH).click()
    const texts = await eventually(
      async () => (await served())?.texts,
      (found) => found !== undefined,
    )
    assert.deepEqual(texts, [
      {
        language: 'de',
        description: 'Findet Veranstaltungen der Bibliothek.',
        parameters: [{name: 'words', description: 'Die Wörter.'}],
      },
    ])
    assert.deepEqual(trouble, [])
  })

  test('makes drafts from an OpenAPI file of another website that allows it, and of a text', async () => {
    const open = async () => {
      await goTo(page, '/')
      await page.getByTestId('start-make-tool').first().click()
      await page.getByRole('menuitem', {name: 'From an OpenAPI file'}).click()
    }
    await open()
    const dialog = page.getByRole('dialog')
    const address = dialog.getByLabel('Address of the file')
    await address.fill(await listening(elsewhere))
    await address.press('Enter')
    const operations = dialog.getByTestId('operations')
    await eventually(
      () => operations.locator('label').allTextContents(),
      ['GET /books: Finds books', 'GET /authors'],
    )
    await operations.getByRole('checkbox').first().check()
    await dialog.getByText('Requests go to library.example').waitFor()
    await operations.getByRole('checkbox').last().check()
    assert.deepEqual(await axeMistakes(page, '[role=dialog]'), [])
    await screenshot(page, 'openapi.png')
    await button('Make 2 drafts').click()
    await dialog.waitFor({state: 'detached'})
    for (const name of ['getBooks', 'getAuthors']) await page.getByText(name).first().waitFor()
    await open()
    await dialog.getByLabel('Text').fill(JSON.stringify({...API, paths: {'/branches': {get: {}}}}))
    await dialog.getByText('GET /branches').click()
    await button('Make 1 draft').click()
    await dialog.waitFor({state: 'detached'})
    await page.getByTestId('site-page').getByRole('link', {name: 'getBranches'}).waitFor()
    assert.deepEqual(trouble, [])
  })
})
