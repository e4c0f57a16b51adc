import assert from 'node:assert/strict'
import {createHash} from 'node:crypto'
import {createServer, type Server} from 'node:http'
import {after, before, describe, test} from 'node:test'
import type {Page} from 'playwright-core'
import {bookmarklet} from '../../snippet/previewLink.ts'
import {axeMistakes} from '../support/axe.ts'
import {eventually} from '../support/eventually.ts'
import {listen} from '../support/network/ports.ts'
import {mutate, openStudio, type RunningStudio} from './support/studio.ts'

/** What Studio shows the owner of a site, checked against what the service really does. */
describe('the tab “Install” of a site', () => {
  let studio: RunningStudio
  let page: Page
  let trouble: string[]

  before(async () => {
    ;({studio, page, trouble} = await openStudio('/overview/shop', (page) =>
      page.getByTestId('site-tab-install'),
    ))
  })

  after(() => studio?.close())

  const text = (name: string) => page.getByTestId(`text-${name}`).innerText()

  const copied = (expected: string) =>
    eventually(() => page.evaluate('navigator.clipboard.readText()'), expected)

  /** Goes to the tab of a site through the overview, as an editor does. */
  async function open(site: string): Promise<void> {
    await page.getByRole('link', {name: 'All sites'}).click()
    await page.getByTestId(`start-site-${site}`).getByRole('link', {name: site, exact: true}).click()
    await page.getByTestId('site-tab-install').click()
  }

  test('has an address of its own, and shows the tag of the site', async () => {
    await page.getByTestId('site-tab-install').click()
    await page.waitForURL(/\/overview\/shop\/install$/)
    await page.locator('summary', {hasText: 'Content-Security-Policy'}).click()
    assert.equal(
      await text('tag'),
      `<script async crossorigin src="${studio.serviceAddress}/snippet.js" data-site="demo-shop"></script>`,
    )
    assert.equal(await text('address'), `${studio.serviceAddress}/snippet.js?site=demo-shop`)
    const config = `${studio.serviceAddress}/api/sites/demo-shop/config?path=PATH`
    assert.equal(await text('preload'), `<link rel="preload" as="fetch" crossorigin href="${config}">`)
  })

  test('has a pinned tag for the build that the service serves', async () => {
    const pinned = await text('pinned')
    const [, src = '', integrity] = pinned.match(/\ssrc="([^"]+)"\s+integrity="([^"]+)"/) ?? []
    const response = await fetch(src)
    assert.equal(response.status, 200)
    const bytes = Buffer.from(await response.arrayBuffer())
    assert.equal(integrity, `sha384-${createHash('sha384').update(bytes).digest('base64')}`)
    assert.ok(src.startsWith(`${studio.serviceAddress}/snippet.`))
    assert.match(pinned, /crossorigin="anonymous"\s+data-site="demo-shop"><\/script>$/)
  })

  test('has a tag and a bookmark for the panel', async () => {
    const tag = await text('tag')
    assert.equal(await text('panel'), tag.replace('></script>', ' data-panel></script>'))
    await page.getByTestId('text-bookmarklet-copy').click()
    await page.getByText('Copied').waitFor()
    await copied(bookmarklet())
  })

  test('says that no page has asked, and when one has', async () => {
    const visits = page.getByTestId('install-visits')
    await visits.getByText('No visit yet (previews do not count)').waitFor()
    assert.equal(
      await visits.getByText('The script tag is not on the page.').isVisible(),
      false,
      'nothing was tried',
    )
    await visits.locator('summary').click()
    await visits.getByText('It is above.').waitFor()
    await visits.getByRole('button', {name: 'Copy a message for the web team'}).click()
    await copied(await visits.getByTestId('visits-message').innerText())
    const headers = {origin: 'https://shop.example'}
    await fetch(`${studio.serviceAddress}/api/sites/demo-shop/config?path=/cart`, {headers})
    const opened = page.context().waitForEvent('page')
    await visits.getByTestId('visits-check').click()
    await (await opened).close()
    await visits.getByText('It works: a page has just asked for its tools.').waitFor()
    await visits.getByText(/^Seen (?:just now|\d+ sec)/).waitFor()
    assert.deepEqual(await axeMistakes(page, '[data-testid="install-visits"]'), [])
  })

  test('has tags that work on a page of another origin, under the policy that it recommends', async () => {
    const policy = `default-src 'none'; ${await text('policy')}`
    const loaded = (tag: string) => outcomeOf(studio, tag, policy)
    assert.equal(await loaded(await text('tag')), 'load')
    assert.equal(await loaded(await text('panel')), 'load')
    const pinned = await text('pinned')
    assert.equal(await loaded(pinned), 'load')
    assert.equal(await outcomeOf(studio, pinned, "default-src 'none'"), 'error', 'the policy is checked')
  })

  test('says that the service has no token', async () => {
    await page.getByTestId('install-trial').getByText('This service has no token').waitFor()
  })

  test('reports an unpublished site, and explains what is wrong with an invalid public ID', async () => {
    await mutate(page, {
      create: {_id: 'drafts.books', _type: 'site', name: 'Books', publicId: 'books-site'},
    })
    await open('Books')
    await page.getByTestId('install-pane').getByText('not published yet').waitFor()
    assert.match(await text('tag'), /data-site="books-site"/)
    await mutate(page, {create: {_id: 'drafts.tea', _type: 'site', name: 'Tea', publicId: 'a "site"'}})
    await open('Tea')
    await page.getByText('cannot contain').waitFor()
    assert.equal(await page.getByTestId('text-tag').count(), 0)
  })

  test('caused no error in the console and no failed request', () => {
    assert.deepEqual(trouble, [])
  })

  test('reports that the service cannot be reached', async () => {
    await studio.stopService()
    await open('Harbour Supply')
    await page
      .getByTestId('install-pane')
      .getByText(`is not reachable at ${studio.serviceAddress}`)
      .first()
      .waitFor()
    assert.equal(await page.getByTestId('text-pinned').count(), 0)
    assert.match(await text('tag'), /snippet\.js/)
  })
})

/** The outcome of embedding a script in a real page with a policy: `load` or `error`. */
async function outcomeOf(studio: RunningStudio, tag: string, policy: string): Promise<string> {
  const site = await serve(`<!doctype html><title>A page</title>${tag}`, policy)
  const visitor = await studio.newPage()
  try {
    const outcomes: string[] = []
    await visitor.exposeFunction('outcome', (type: string) => outcomes.push(type))
    // Neither event bubbles; both can be captured.
    await visitor.addInitScript(
      "for (const type of ['load', 'error']) document.addEventListener(type, (event) => outcome(event.type), true)",
    )
    await visitor.goto(site.address)
    const [outcome = ''] = await eventually(
      async () => outcomes,
      ({length}) => length > 0,
    )
    return outcome
  } finally {
    await visitor.context().close()
    site.server.close()
  }
}

async function serve(html: string, policy: string): Promise<{server: Server; address: string}> {
  const server = createServer((_request, response) => {
    response.writeHead(200, {'content-type': 'text/html', 'content-security-policy': policy}).end(html)
  })
  return {server, address: `http://localhost:${await listen(server)}`}
}
