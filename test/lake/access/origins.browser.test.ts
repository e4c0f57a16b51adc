import assert from 'node:assert/strict'
import {mkdir, writeFile} from 'node:fs/promises'
import {createServer} from 'node:http'
import {join} from 'node:path'
import {before, describe, type TestContext, test} from 'node:test'
import type {Browser, Page} from 'playwright-core'
import {everywhere} from '../../../lake/access/rights/rights.ts'
import {sharedBrowsers} from '../../support/browser.ts'
import {listen} from '../../support/network/ports.ts'
import {temporaryFolder} from '../support/git.ts'
import {type RunningLake, runLake} from '../support/lake.ts'
import {accountsIn} from '../support/signIn.ts'

const ada = {name: 'Ada', email: 'ada@example.com', password: 'correct horse battery'}
const API = '/v2025-02-19/data/query/production?perspective=raw&query='
/** One query succeeds and the other fails: an attacker wants to distinguish them. */
const PROBES = [
  `${API}${encodeURIComponent('*[_id == "drafts.secret"]')}`,
  `${API}${encodeURIComponent('*[')}`,
]

/** A lake with a one-page Studio, and an editor. */
async function startLake(t: TestContext): Promise<RunningLake> {
  const studioDir = join(await temporaryFolder(t), 'studio')
  await mkdir(studioDir)
  await writeFile(join(studioDir, 'index.html'), '<!doctype html><head></head><h1>A Studio</h1>')
  const lake = await runLake(t, {'post/a.json': {_id: 'a', _type: 'post'}}, {studioDir})
  const {password, ...editor} = ada
  await accountsIn(lake.stateFolder).addEditor({...editor, rights: everywhere('publisher')}, password)
  return lake
}

/** Code that runs on a foreign page. */
const ATTACK = `
  const element = (name, attributes) => new Promise((resolve) => {
    const added = document.createElement(name)
    for (const event of ['load', 'error']) added.addEventListener(event, () => resolve(name + ' ' + event))
    for (const [key, value] of Object.entries(attributes)) added.setAttribute(key, value)
    document.body.append(added)
  })
  // The outcome of requests to an address, as far as a page can observe it.
  const probe = (url) => Promise.all([
    element('link', {rel: 'prefetch', href: url}),
    element('object', {data: url}),
    element('script', {src: url}),
    element('img', {src: url}),
    fetch(url, {mode: 'no-cors', credentials: 'include'}).then(() => 'fetch resolved', () => 'fetch rejected'),
  ])
  const frame = (src) => {
    document.body.replaceChildren()
    return element('iframe', {src})
  }
`

/** A foreign page on its own port. @returns its port */
async function startAttacker(t: TestContext): Promise<number> {
  const server = createServer((_request, response) => {
    response.writeHead(200, {'content-type': 'text/html'})
    response.end(`<!doctype html><title>Attack</title><body><script>${ATTACK}</script>`)
  })
  return listen(server, t)
}

describe('a page on another origin', () => {
  let browser: Browser
  before(async () => {
    browser = await sharedBrowsers.withoutWebMcp()
  })

  async function signedIn(t: TestContext, lake: RunningLake): Promise<Page> {
    const context = await browser.newContext()
    t.after(() => context.close())
    const page = await context.newPage()
    await page.goto(`${lake.address}/login`)
    await page.fill('input[name=email]', ada.email)
    await page.fill('input[name=password]', ada.password)
    await page.getByRole('button', {name: 'Sign in'}).click()
    await page.getByText('A Studio').waitFor()
    const me = "fetch('/v1/users/me').then(({status}) => status)"
    assert.equal(await page.evaluate(me), 200, 'the lake’s own page may use the session')
    assert.equal(
      (await page.goto(lake.address + PROBES[0]))?.status(),
      200,
      'so may an address that is typed',
    )
    return page
  }

  test('learns nothing from another port of the lake’s host, even with an editor’s session', async (t) => {
    const lake = await startLake(t)
    const page = await signedIn(t, lake)
    const statuses = new Set<number>()
    page.on('response', (response) => {
      if (response.url().startsWith(lake.address)) statuses.add(response.status())
    })
    await page.goto(`http://127.0.0.1:${await startAttacker(t)}/`)
    const [succeeding = '', failing = ''] = PROBES
    const probe = (path: string) => page.evaluate(`probe('${lake.address}${path}')`)
    assert.deepEqual(await probe(succeeding), await probe(failing))
    assert.deepEqual([...statuses], [403])
    const cookies = await page.context().cookies(lake.address)
    assert.equal(cookies.length, 1, 'the session is still there')
  })

  test('keeps no hold of a window in which it opened Studio or the sign-in page', async (t) => {
    const lake = await startLake(t)
    const page = await signedIn(t, lake)
    await page.goto(`http://localhost:${await startAttacker(t)}/`)
    for (const path of ['/', '/login']) {
      const opening = page.context().waitForEvent('page')
      await page.evaluate(`window.opened = window.open('${lake.address}${path}'); undefined`)
      const opened = await opening
      // Before the page arrives, the window shows an empty one that belongs to its opener.
      await opened.waitForURL(lake.address + path)
      await page.waitForFunction('window.opened.closed')
      await page.evaluate("window.opened.location = 'about:blank'; undefined")
      assert.equal(opened.url(), lake.address + path)
      assert.equal(await opened.evaluate('window.opener'), null)
      await opened.close()
    }
  })

  test('cannot frame Studio at any address', async (t) => {
    const lake = await startLake(t)
    const page = await signedIn(t, lake)
    await page.goto(`http://127.0.0.1:${await startAttacker(t)}/`)
    for (const path of ['/', '/index.html', '/INDEX.HTML', '/structure']) {
      await page.evaluate(`frame('${lake.address}${path}')`)
      const [, frame] = page.frames()
      assert.ok(frame)
      const text = await frame.evaluate('document.body.textContent')
      assert.ok(!String(text).includes('A Studio'), path)
      assert.match(frame.url(), /^chrome-error:/, path)
    }
  })
})
