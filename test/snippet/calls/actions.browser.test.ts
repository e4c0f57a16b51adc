import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import {siteDocument} from '../../support/shop.ts'
import {assertQuiet, type Stage, startStage, type Visit} from '../support/stage.ts'
import {toolAt} from '../support/tools.ts'

const NONCE = 'bm9uY2U='

/** A page of a library as people write it: a table without `thead`, and parts that are hidden. */
const PAGE = `<main>
  <h1>Opening hours</h1>
  <p id="note">Closed on <b>24 December</b>.<span hidden> Not yet decided.</span></p>
  <table class="hours">
    <caption>Central library</caption>
    <tr><th>Day<th>From<th>To<th>
    <tr><th rowspan="2">Monday<td>9:00<td>12:00<td>desk
    <tr><td>14:00<td>18:00<td>desk
    <tr hidden><td>Draft<td>0:00<td>0:00<td>
    <tr><th>Sunday<td colspan="2">closed<td>
  </table>
  <table class="plain"><tr><th>Monday<td>9 to 18<tr><th>Saturday<td>10 to 14</table>
  <ul class="news"><li>New <em>books</em><li hidden>Secret<li>Story time</ul>
  <p class="tag">one</p><p class="tag" hidden>two</p><p class="tag">three</p>
  <dl><div><dt>Street<dd>Quay 1<dd>Back door</div><dt>Phone<dt>Fax<dd>123</dl>
  <section hidden><ul class="closed"><li>Inside</ul></section>
  <table class="trains"><tr><th colspan="4">Trains of today<tr><th rowspan="2">Line<th colspan="2">Morning<th rowspan="2">Bikes<tr><th>From<th>To
    <tr><td>7<td>6:00<td>9:00<td><svg role="img" aria-label="yes"></svg></table>
  <table class="linked"><tr><th>Desk<th>Floor<tr><td><a href="/desks/1">Loans</a><td>1<tr><td>None<td></table>
  <details><summary>More</summary><table class="folded"><tr><th>Desk<tr><td>Second floor</table></details>
  <div hidden="until-found"><ul class="found"><li>Parking</ul></div>
  <div style="margin-top: 9000px; content-visibility: auto"><p id="below">Below the fold</p></div>
  <nav><a href="/events?x=1">Events</a> <a href="javascript:void 0">Menu</a> <a href="/old" hidden>Old</a></nav>
  <time hidden datetime="2026-01-01">January</time><time datetime="2026-12-24">24 December</time>
</main>`

const part = (name: string, kind: string, selector: string, more: object = {}) => ({
  _key: name,
  name,
  kind,
  selector,
  ...more,
})

const QUERY = JSON.stringify({
  type: 'object',
  properties: {query: {type: 'string'}, branch: {type: 'string'}},
  required: ['query'],
})

/** A tool of the page without a script. */
const actionAt = (page: string, name: string, fields: object) =>
  toolAt(page, {
    _id: name,
    name,
    executeJs: undefined,
    inputSchema: '{"type": "object", "properties": {}}',
    ...fields,
  })

describe('a tool without a script, on a page with a nonce and Trusted Types', () => {
  let stage: Stage
  before(async () => {
    stage = await startStage([
      siteDocument(),
      actionAt('/hours', 'readHours', {
        action: 'reading',
        reading: {
          parts: [
            part('title', 'text', 'h1'),
            part('note', 'text', '#note'),
            part('hours', 'table', 'table.hours'),
            part('days', 'table', '.hours td', {columns: ['Day', 'From'], limit: 2}),
            part('plain', 'table', '.plain'),
            part('news', 'list', '.news'),
            part('tags', 'list', '.tag'),
            part('closed', 'list', '.closed'),
            part('trains', 'table', '.trains'),
            part('folded', 'table', '.folded'),
            part('linked', 'table', '.linked', {columns: ['Desk', 'Desk (address)']}),
            part('unlinked', 'table', '.linked'),
            part('found', 'list', '.found'),
            part('below', 'text', '#below'),
            part('address', 'definitions', 'dl'),
            part('links', 'links', 'nav'),
            part('date', 'attribute', 'time', {attribute: 'datetime'}),
            part('missing', 'text', '.missing'),
          ],
        },
      }),
      actionAt('/hours', 'readNothing', {
        action: 'reading',
        reading: {
          parts: [
            part('a', 'table', '.missing'),
            part('b', 'table', '.hours', {columns: ['Gone']}),
            part('c', 'list', '.missing'),
            part('d', 'definitions', 'main h1'),
          ],
        },
      }),
      actionAt('/hours', 'findBooks', {
        action: 'request',
        request: {
          address: '/catalogue/{query}',
          result: {
            kind: 'parts',
            parts: [
              part('books', 'items', 'article', {
                fields: [
                  {_key: 't', name: 'title', selector: 'h2', kind: 'text'},
                  {_key: 'a', name: 'address', selector: 'a', kind: 'address'},
                  {_key: 's', name: 'shelf', selector: '.shelf', kind: 'text'},
                ],
              }),
              part('table', 'table', 'table'),
            ],
          },
        },
        inputSchema: QUERY,
      }),
      actionAt('/hours', 'openEvent', {
        action: 'link',
        link: {address: '/events/{query}?from=tools&branch={branch}#{query}'},
        inputSchema: QUERY,
      }),
      actionAt('/hours', 'findEvents', {
        action: 'request',
        request: {
          address: '/api/events',
          query: [
            {_key: 'q', name: 'q', parameter: 'query'},
            {_key: 'b', name: 'branch', parameter: 'branch'},
          ],
          result: {kind: 'list', path: 'data.items', members: [{_key: 't', path: 'title'}]},
        },
        inputSchema: QUERY,
      }),
    ])
    const loaded = `<script>top.document.title = 'run'</script><img src="/catalogue/loaded.png">`
    const article = (title: string) =>
      `<article><h2>${title}</h2><div class="shelf"><p>Row</p><p>7</p></div><a href="?id=${title}">More</a></article>`
    stage.website.pages.set('/catalogue/rope', {
      body: `${loaded}${article('Knots')}${article('Sails')}<article hidden>x</article><details><table><tr><th>Copy</th></tr><tr><td>one</td></tr></table></details>`,
    })
    stage.website.pages.set('/catalogue/none', {body: loaded})
    stage.website.pages.set('/catalogue/member', {body: '<input type="password">'})
    stage.website.pages.set('/hours', {
      head: stage.tag(`nonce="${NONCE}"`),
      body: PAGE,
      headers: {
        'content-security-policy': `default-src 'none'; script-src 'nonce-${NONCE}'; connect-src 'self' ${stage.network.address}; require-trusted-types-for 'script'; trusted-types 'none'; img-src data:`,
      },
    })
  })
  after(() => stage?.close())

  const visit = (use: (visit: Visit) => Promise<void>) =>
    stage.visit('/hours', async (visit) => {
      await visit.agent.sees('findBooks', 'findEvents', 'openEvent', 'readHours', 'readNothing')
      await use(visit)
      // The snippet tries to make a function, which the policy forbids, and logs the failures of tools.
      assertQuiet(
        visit.lines,
        /Content Security Policy|Trusted/i,
        /^info: \w+ (?:Abort)?Error: |^error: WebMCP tool execution failed: Uncaught $/,
      )
    })
  const failure = (text: string) => ({isError: true, content: [{type: 'text', text}]})

  test('reads what visitors see of tables, lists, definitions, links and attributes', async () => {
    await visit(async ({page}) => {
      assert.deepEqual(await page.webmcp.callTool('readHours'), {
        title: 'Opening hours',
        note: 'Closed on 24 December.',
        hours: [
          {Day: 'Monday', From: '9:00', To: '12:00', 'Column 4': 'desk'},
          {Day: 'Monday', From: '14:00', To: '18:00', 'Column 4': 'desk'},
          {Day: 'Sunday', From: 'closed', To: 'closed', 'Column 4': ''},
        ],
        days: [{Day: 'Monday', From: '9:00'}, {Day: 'Monday', From: '14:00'}, '1 more not shown'],
        plain: [
          ['Monday', '9 to 18'],
          ['Saturday', '10 to 14'],
        ],
        news: ['New books', 'Story time'],
        tags: ['one', 'three'],
        closed: ['Inside'],
        trains: [{Line: '7', 'Morning From': '6:00', 'Morning To': '9:00', Bikes: 'yes'}],
        linked: [{Desk: 'Loans', 'Desk (address)': `${stage.website.address}/desks/1`}, {Desk: 'None'}],
        unlinked: [
          {Desk: 'Loans', Floor: '1'},
          {Desk: 'None', Floor: ''},
        ],
        folded: [{Desk: 'Second floor'}],
        found: ['Parking'],
        below: 'Below the fold',
        address: {Street: 'Quay 1; Back door', Phone: '123', Fax: '123'},
        links: [{text: 'Events', address: `${stage.website.address}/events?x=1`}],
        date: '2026-12-24',
        missing: null,
      })
      assert.deepEqual(
        await page.webmcp.callTool('readNothing'),
        failure('This page does not have what the tool reads. Try another page.'),
      )
    })
  })

  test('reads a page that is not open, without running or loading anything of it', async () => {
    await visit(async ({page}) => {
      stage.website.requests.length = 0
      const {address} = stage.website
      assert.deepEqual(await page.webmcp.callTool('findBooks', {query: 'rope'}), {
        books: ['Knots', 'Sails'].map((title) => ({
          title,
          address: `${address}/catalogue/rope?id=${title}`,
          shelf: 'Row 7',
        })),
        table: [{Copy: 'one'}],
      })
      assert.deepEqual(await page.webmcp.callTool('findBooks', {query: 'none'}), {
        found: 0,
        message: 'Nothing was found for “none”.',
      })
      assert.deepEqual(
        await page.webmcp.callTool('findBooks', {query: 'member'}),
        failure('The website led to a page to sign in. The visitor may have to sign in first.'),
      )
      assert.deepEqual(stage.website.requests, ['/catalogue/rope', '/catalogue/none', '/catalogue/member'])
      assert.equal(await page.title(), '/hours')
    })
  })

  test('sends a request, says what failed, and stops it when the agent cancels the call', async () => {
    await visit(async ({page}) => {
      const asked: string[] = []
      await page.route('**/api/events?*', async (route) => {
        const {search, searchParams} = new URL(route.request().url())
        asked.push(search)
        if (searchParams.get('q') === 'slow') return
        const items = [{title: 'Knots', secret: 'x'}]
        await route.fulfill({json: {data: {items: searchParams.get('q') === 'none' ? [] : items}}})
      })
      assert.deepEqual(await page.webmcp.callTool('findEvents', {query: 'rope & sail'}), [{title: 'Knots'}])
      assert.deepEqual(await page.webmcp.callTool('findEvents', {query: 'none', branch: 'a/b'}), {
        found: 0,
        message: 'Nothing was found for “none”.',
      })
      assert.deepEqual(asked, ['?q=rope+%26+sail', '?q=none&branch=a%2Fb'])

      const begun = page.waitForRequest(/q=slow/)
      const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('q=slow'))
      const call = page.evaluate(`(async () => {
        const tools = await document.modelContext.getTools()
        const tool = tools.find(({name}) => name === 'findEvents')
        globalThis.calling = new AbortController()
        return document.modelContext.executeTool(tool, {query: 'slow'}, {signal: calling.signal})
      })()`)
      const rejected = assert.rejects(call, /AbortError/)
      await begun
      await page.evaluate('calling.abort()')
      await rejected
      assert.equal((await failed).failure()?.errorText, 'net::ERR_ABORTED')
    })
  })

  test('opens a page, and the agent has the result before the page is left', async () => {
    await visit(async ({page, agent}) => {
      assert.deepEqual(await agent.call('openEvent', {query: '..'}), {
        status: 'Completed',
        output: failure('“..” for “query” cannot be a part of an address.'),
      })
      const address = `${stage.website.address}/events/a%2Fb%3F?from=tools#a%2Fb%3F`
      assert.deepEqual(await page.webmcp.callTool('openEvent', {query: 'a/b?'}), {opening: address})
      await page.waitForURL(address)
    })
  })
})
