import assert from 'node:assert/strict'
import {createServer} from 'node:http'
import {before, describe, type TestContext, test} from 'node:test'
import {build} from 'esbuild'
import type {Browser, Page} from 'playwright-core'
import {sharedBrowsers} from '../../support/browser.ts'
import {listen} from '../../support/network/ports.ts'
import {type RunningLake, runLake} from '../support/lake.ts'

const files = {
  'post/a.json': {_id: 'a', _type: 'post', title: 'A'},
}

// That a browser gets nothing is a matter of headers, which everyRoute.test.ts compares for each route.

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
  async function start(t: TestContext): Promise<{page: Page; lake: RunningLake}> {
    const server = createServer((request, response) => {
      const isScript = request.url === '/client.js'
      response.writeHead(200, {'content-type': isScript ? 'text/javascript' : 'text/html'})
      response.end(isScript ? script : '<!doctype html><script src="/client.js"></script>')
    })
    const port = await listen(server, t)
    const lake = await runLake(t, files)
    const context = await browser.newContext()
    t.after(() => context.close())
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${port}/`)
    return {page, lake}
  }

  test('learns from /check/cors that the lake does not allow it', async (t) => {
    const {page, lake} = await start(t)
    const at = JSON.stringify(lake.address)
    const outcome = await page.evaluate(
      `eventOf(clientOf(${at}).live.events(), ({type}) => type === 'welcome')`,
    )
    assert.deepEqual(outcome, {error: 'CorsOriginError', status: undefined})
    const check = `${lake.address}/v1/check/cors`
    assert.deepEqual(await (await fetch(check)).json(), {result: {allowed: true, withCredentials: true}})
  })
})
