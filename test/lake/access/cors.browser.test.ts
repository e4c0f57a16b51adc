import assert from 'node:assert/strict'
import {once} from 'node:events'
import {createServer} from 'node:http'
import {before, describe, type TestContext, test} from 'node:test'
import {build} from 'esbuild'
import type {Browser, Page} from 'playwright-core'
import type {Visibility} from '../../../lake/access/access.ts'
import {everywhere} from '../../../lake/access/rights/rights.ts'
import {sharedBrowsers} from '../../support/browser.ts'
import {token} from '../support/app.ts'
import {type RunningLake, runLake} from '../support/lake.ts'
import {accountsIn} from '../support/signIn.ts'

const files = {
  'post/a.json': {_id: 'a', _type: 'post', title: 'A'},
  'post/private.b.json': {_id: 'private.b', _type: 'post', title: 'hidden'},
}

/** Helpers on the page, with Sanity's own client. */
const CODE = `
  import {createClient} from '@sanity/client'
  window.clientOf = (apiHost, config = {}) => createClient({
    projectId: 'local', dataset: 'production', apiVersion: '2025-02-19', apiHost,
    useProjectHostname: false, useCdn: false, maxRetries: 0, ignoreBrowserTokenWarning: true, ...config,
  })
  // The outcome of a request, as the page sees it.
  window.outcome = (work) => work.then((value) => ({value}), (error) => ({error: error.constructor.name, status: error.statusCode}))
  // The first event of a stream that passes, or its error.
  window.eventOf = (events, passes) => outcome(new Promise((resolve, reject) => {
    const subscription = events.subscribe({
      next: (event) => { if (passes(event)) { resolve(event); subscription.unsubscribe() } },
      error: reject,
    })
  }))
`

describe('a page on another origin', () => {
  let browser: Browser
  let script = ''
  before(async () => {
    browser = await sharedBrowsers.withoutWebMcp()
    const stdin = {contents: CODE, resolveDir: import.meta.dirname}
    const {outputFiles} = await build({
      stdin,
      bundle: true,
      write: false,
      platform: 'browser',
      format: 'iife',
    })
    script = outputFiles[0]?.text ?? ''
  })

  /** A page on its own port, and a lake. */
  async function start(t: TestContext, visibility: Visibility): Promise<{page: Page; lake: RunningLake}> {
    const server = createServer((request, response) => {
      const isScript = request.url === '/client.js'
      response.writeHead(200, {'content-type': isScript ? 'text/javascript' : 'text/html'})
      response.end(isScript ? script : '<!doctype html><script src="/client.js"></script>')
    })
    server.listen(0, '127.0.0.1')
    t.after(() => server.close().closeAllConnections())
    await once(server, 'listening')
    const lake = await runLake(t, files, {visibility})
    const context = await browser.newContext()
    t.after(() => context.close())
    const page = await context.newPage()
    const address = server.address()
    assert.ok(typeof address === 'object' && address)
    await page.goto(`http://127.0.0.1:${address.port}/`)
    return {page, lake}
  }

  test('reads published documents of a public lake with Sanity’s client', async (t) => {
    const {page, lake} = await start(t, 'public')
    await lake.client.create({_id: 'drafts.a', _type: 'post', title: 'draft'})
    const at = JSON.stringify(lake.address)
    const run = (code: string): Promise<unknown> => page.evaluate(code)
    assert.deepEqual(await run(`clientOf(${at}).fetch('*.title')`), ['A'])
    assert.deepEqual(await run(`clientOf(${at}, {apiVersion: '2021-10-21'}).fetch('*.title')`), ['A'])
    assert.equal(await run(`clientOf(${at}).getDocument('a').then(({title}) => title)`), 'A')
    assert.deepEqual(await run(`clientOf(${at}).getDocuments(['drafts.a', 'private.b'])`), [null, null])
    const long = `'*[_id != "' + 'x'.repeat(12000) + '"].title'`
    assert.deepEqual(await run(`clientOf(${at}).fetch(${long})`), ['A'], 'posted')
    const withToken = `clientOf(${at}, {token: '${token}', perspective: 'drafts'})`
    assert.deepEqual(await run(`${withToken}.fetch('*[_id == "a"].title')`), ['draft'])
    assert.deepEqual(await run(`outcome(clientOf(${at}, {token: 'wrong'}).fetch('*'))`), {
      error: 'ClientError',
      status: 401,
    })
  })

  test('follows live events and listens, and hears of no draft', async (t) => {
    const {page, lake} = await start(t, 'public')
    const at = JSON.stringify(lake.address)
    await page.evaluate(`
      window.seen = []
      clientOf(${at}).live.events().subscribe((event) => seen.push(event.type))
      clientOf(${at}).listen('*', {}, {events: ['welcome', 'mutation']})
        .subscribe((event) => seen.push(event.type + ' ' + (event.documentId ?? '')))
    `)
    const sees = (what: string) => page.waitForFunction(`seen.includes('${what}')`)
    await Promise.all([sees('welcome'), sees('welcome ')])
    await lake.client.create({_id: 'drafts.a', _type: 'post', title: 'draft'})
    await lake.client.patch('a').set({title: 'A2'}).commit()
    await Promise.all([sees('message'), sees('mutation a')])
    const seen: unknown = await page.evaluate('seen.sort()')
    assert.deepEqual(seen, ['message', 'mutation a', 'welcome', 'welcome '])
  })

  test('changes nothing, with or without a token', async (t) => {
    const {page, lake} = await start(t, 'public')
    const at = JSON.stringify(lake.address)
    for (const config of ['{}', `{token: '${token}'}`]) {
      for (const write of [
        `create({_id: 'b', _type: 'post'})`,
        `patch('a').set({title: 'B'}).commit()`,
        `action({actionType: 'sanity.action.document.delete', publishedId: 'a', includeDrafts: []})`,
      ]) {
        const outcome: unknown = await page.evaluate(`outcome(clientOf(${at}, ${config}).${write})`)
        assert.equal(Object(outcome).value, undefined)
        assert.ok(Object(outcome).error, write)
      }
    }
    assert.deepEqual(await lake.client.fetch('*[_id in ["a", "b"]].title', {}, {perspective: 'raw'}), ['A'])
  })

  test('cannot use the session of an editor', async (t) => {
    const {page, lake} = await start(t, 'public')
    const editor = {name: 'Ada', email: 'ada@example.com', rights: everywhere('publisher')}
    await accountsIn(lake.editorsFile).addEditor(editor, 'correct horse battery')
    const own = await page.context().newPage()
    await own.goto(`${lake.address}/login`)
    await own.fill('input[name=email]', editor.email)
    await own.fill('input[name=password]', 'correct horse battery')
    const [response] = await Promise.all([
      own.waitForResponse((one) => one.request().method() === 'POST'),
      own.getByRole('button', {name: 'Sign in'}).click(),
    ])
    assert.equal(response.status(), 303)
    const path = '/v2025-02-19/data/query/production?query=*'
    // The other port is the same site: the browser sends the cookie.
    for (const search of ['', '&perspective=raw', '&perspective=drafts']) {
      const url = JSON.stringify(lake.address + path + search)
      assert.equal(
        await page.evaluate(`fetch(${url}, {credentials: 'include'}).then(() => 'read', () => 'blocked')`),
        'blocked',
        search,
      )
    }
  })

  test('learns from /check/cors that a private lake does not allow it', async (t) => {
    const {page, lake} = await start(t, 'private')
    const at = JSON.stringify(lake.address)
    const outcome = await page.evaluate(
      `eventOf(clientOf(${at}).live.events(), ({type}) => type === 'welcome')`,
    )
    assert.deepEqual(outcome, {error: 'CorsOriginError', status: undefined})
    const check = `${lake.address}/v1/check/cors`
    assert.deepEqual(await (await fetch(check)).json(), {result: {allowed: true, withCredentials: true}})
  })
})
