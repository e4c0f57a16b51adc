import assert from 'node:assert/strict'
import {createServer, type RequestListener} from 'node:http'
import {type TestContext, test} from 'node:test'
import Provider from 'oidc-provider'
import {sharedBrowsers} from '../../../support/browser.ts'
import {listen} from '../../../support/network/ports.ts'
import {CLIENT} from './support/lyingProvider.ts'
import {lakeWith} from './support/signIn.ts'

/** A real provider, on another site than the lake: browsers treat `localhost` and `127.0.0.1` as two sites. */
async function startProvider(t: TestContext) {
  let listener: RequestListener = (_request, response) => response.writeHead(503).end()
  const server = createServer((request, response) => listener(request, response))
  const port = await listen(server, t)
  const issuer = `http://localhost:${port}`
  const accounts = new Set(['ada'])
  const claims = {email: 'ada@example.com', email_verified: true, name: 'Ada', groups: ['editors']}
  /** Starts it for a client, whose address must be known. */
  const start = (lake: string) => {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.clientId,
          client_secret: CLIENT.clientSecret,
          redirect_uris: [`${lake}/login/oidc/callback`],
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
        },
      ],
      cookies: {keys: ['only for this test']},
      claims: {openid: ['sub'], email: ['email', 'email_verified', 'name', 'groups']},
      issueRefreshToken: async () => true,
      findAccount: async (_context: unknown, id: string) =>
        accounts.has(id) ? {accountId: id, claims: async () => ({sub: id, ...claims})} : undefined,
    })
    listener = provider.callback()
  }
  return {issuer, accounts, start}
}

test('an editor signs in with a real provider in Chromium, until their account is switched off', async (t) => {
  const browser = await sharedBrowsers.withoutWebMcp()
  const provider = await startProvider(t)
  const lake = await lakeWith(t, provider.issuer, {checkEvery: 0})
  provider.start(lake.address)
  const page = await browser.newPage()
  t.after(() => page.close())
  // The provider's pages load a font.
  await page.route(/^https:/, (route) => route.abort())

  const user = `${lake.address}/v1/users/me`
  await page.goto(`${lake.address}/login?to=/v1/users/me`)
  await page.getByRole('link', {name: /^Sign in with /}).click()
  await page.locator('[name=login]').fill('ada')
  await page.locator('[name=password]').fill('any')
  await page.getByRole('button', {name: 'Sign-in'}).click()
  await page.getByRole('button', {name: 'Continue'}).click()
  await page.waitForURL(user)
  const {email, role} = JSON.parse(await page.locator('body').innerText())
  assert.deepEqual([email, role], ['ada@example.com', 'publisher'])
  // Each of these asks the provider, and its refresh tokens are used once.
  assert.equal((await page.goto(user))?.status(), 200)
  assert.equal((await page.goto(user))?.status(), 200)

  provider.accounts.delete('ada')
  assert.equal((await page.goto(user))?.status(), 401)
})
