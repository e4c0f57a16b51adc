import assert from 'node:assert/strict'
import {createServer} from 'node:http'
import {type TestContext, test} from 'node:test'
import type {Page} from 'playwright-core'
import {everywhere} from '../../../../lake/access/rights/rights.ts'
import {sharedBrowsers} from '../../../support/browser.ts'
import {listen} from '../../../support/network/ports.ts'
import {runLake} from '../../support/lake.ts'
import {accountsIn} from '../../support/signIn.ts'

async function lakeWithAda(t: TestContext) {
  const lake = await runLake(t)
  const accounts = accountsIn(lake.stateFolder)
  const {id} = await accounts.addEditor({
    name: 'Ada',
    email: 'ada@example.com',
    rights: everywhere('publisher'),
  })
  const address = lake.address.replace('127.0.0.1', 'localhost')
  return {address, linkPath: async () => `/login?code=${await accounts.makeLink(id)}&to=/v1/users/me`}
}

/** A page on another port that posts a form to `action` when it loads. */
async function postingPage(t: TestContext, action: string, fields: Record<string, string>): Promise<string> {
  const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`)
  const html = `<form method="post" action="${action}">${inputs.join('')}</form><script>document.forms[0].submit()</script>`
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(html),
  )
  return `http://localhost:${await listen(server, t)}/`
}

const me = async (page: Page, address: string) =>
  JSON.parse((await (await page.goto(`${address}/v1/users/me`))?.text()) ?? '{}').email

test('in a browser, only a click on the page that names the account signs in', async (t) => {
  const browser = await sharedBrowsers.withoutWebMcp()
  const {address, linkPath} = await lakeWithAda(t)
  const page = await browser.newPage()
  t.after(() => page.close())

  const path = await linkPath()
  const code = new URL(path, address).searchParams.get('code') ?? ''
  const evil = await postingPage(t, `${address}/login`, {code, to: '/'})
  const refused = page.waitForResponse((response) => response.url() === `${address}/login`)
  await page.goto(evil)
  assert.equal((await refused).status(), 403)
  assert.equal(await me(page, address), undefined)

  await page.goto(address + path)
  assert.match(await page.innerText('main'), /Ada\nada@example\.com/)
  assert.equal(await me(page, address), undefined, 'opening the link is not enough')

  await page.goto(address + path)
  await page.getByRole('button', {name: 'Sign in'}).click()
  await page.waitForURL(`${address}/v1/users/me`)
  assert.equal(await me(page, address), 'ada@example.com')
})
