import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {rename, rm} from 'node:fs/promises'
import {type TestContext, test} from 'node:test'
import {projectFile} from '../deploy/support/files.ts'
import {temporaryFolder} from '../lake/support/git.ts'
import {startWebsite} from '../snippet/support/website.ts'
import {configOf} from '../support/answers.ts'
import {screenshot, sharedBrowsers, troubleOf} from '../support/browser.ts'
import {eventually} from '../support/eventually.ts'
import {type HostedSanity, startHostedSanity} from '../support/network/hostedSanity.ts'
import {runProgram} from '../support/program.ts'
import {fieldOf, KEEP_STATUS, marked, PUBLISH, saved} from './support/studio.ts'

const [STEPS = ''] = readFileSync(projectFile('docs/sanity.md'), 'utf8').split('\n| ')
const DIST = projectFile('studio/dist')

/** What a page outside of the proxy, such as Sanity's fonts and its list of versions, and a person who is not signed in cause. */
const EXPECTED = /ERR_TUNNEL_CONNECTION_FAILED|Failed to fetch version|\b401\b/

/** The commands of the steps, run as a person does: in one shell, in the root of a clone. */
class Shell {
  readonly #t: TestContext
  readonly #variables: NodeJS.ProcessEnv
  /** The token that the guide writes as TOKEN. */
  #token = ''
  /** The address of the service that runs. */
  service = ''

  constructor(t: TestContext, sanity: HostedSanity, home: string) {
    this.#t = t
    this.#variables = {...sanity.environment, HOME: home, TMPDIR: home, XDG_CONFIG_HOME: home, CI: '1'}
  }

  async run(command: string): Promise<void> {
    const set = (pairs: string) =>
      Object.fromEntries(Array.from(pairs.matchAll(/(\w+)=(\S+)/g), ([, name = '', value]) => [name, value]))
    if (command.startsWith('export ')) Object.assign(this.#variables, set(command))
    else if (command.endsWith('npm run service')) {
      const own = {PORT: '0', SNAPSHOT_DIR: await temporaryFolder(this.#t)}
      const env = {...this.#variables, ...own, ...set(command.replace('=TOKEN', `=${this.#token}`))}
      const words = [process.execPath, '--import', 'tsx', 'service/main.ts']
      const program = runProgram(this.#t, words, {cwd: projectFile('.'), env})
      ;[, this.service = ''] = await program.said(/service at (http:\/\/[\w.:]+), content from Sanity/)
    } else {
      const program = runProgram(this.#t, ['sh', '-c', command], {
        cwd: projectFile('.'),
        env: this.#variables,
      })
      assert.equal(await program.ended, 0, `${command}\n${program.output()}${program.errors()}`)
      this.#token ||= /Token: (\S+)/.exec(program.output())?.[1] ?? ''
    }
  }
}

test('the steps of docs/sanity.md lead to a Studio at Sanity, whose tool is on a page', async (t) => {
  const browser = await sharedBrowsers.withWebMcp()
  const website = await startWebsite(() => tag)
  t.after(() => website.close())
  let tag = ''
  const others = {'tools.example.com': () => shell.service, 'www.example.com': () => website.address}
  const sanity = await startHostedSanity(t, others, {'studio.example.com': DIST})
  const shell = new Shell(t, sanity, await temporaryFolder(t))
  await rename(DIST, `${DIST}.kept`).catch(() => undefined)
  t.after(async () => {
    await rm(DIST, {recursive: true, force: true})
    await rename(`${DIST}.kept`, DIST).catch(() => undefined)
  })
  const fences = Array.from(STEPS.matchAll(/^ *```sh\n([^`]*)```/gm), ([, text = '']) => text.split('\n'))
  const commands = fences.flat().map((line) => line.trim())
  const allow = commands.find((command) => command.includes('cors add'))
  assert.ok(allow)
  for (const command of commands)
    if (command !== '' && command !== allow && !command.endsWith('login')) await shell.run(command)

  await using context = await browser.newContext({
    proxy: {server: sanity.proxy},
    ignoreHTTPSErrors: true,
    viewport: {width: 1440, height: 900},
  })
  await context.addInitScript(KEEP_STATUS)
  const page = await context.newPage()
  const trouble = troubleOf(page)
  const link = (name: string) => page.getByRole('link', {name, exact: true})
  const field = (name: string) => fieldOf(page, name)

  await page.goto('https://my-tools.sanity.studio/')
  await page.getByText('Google').click()
  await link('Add a site').click()
  assert.equal(await link('People').count(), 0)
  await field('name').fill('Example')
  const addresses = page.getByTestId('field-addresses')
  await addresses.getByRole('button', {name: 'Add item'}).click()
  await marked(page, 'addresses')
  await addresses.getByRole('textbox').fill('www.example.com')
  await addresses.getByRole('textbox').press('Tab')
  await saved(page)
  await page.locator(PUBLISH).click()
  await page.getByRole('link', {name: 'Next: put the tag into its pages'}).click()
  await page.getByTestId('site-page').waitFor()
  assert.equal(await link('Reviews').count(), 0)
  await screenshot(page, 'hosted-site.png')
  for (const [tab, shown] of [
    ['On a page', 'page-pane'],
    ['Calls', 'calls-pane'],
    ['Activity', 'activity-pane'],
    ['Install', 'install-pane'],
  ] as const) {
    await link(tab).click()
    await page.getByTestId(shown).waitFor()
    await screenshot(page, `hosted-${shown}.png`)
  }
  tag = await page.getByTestId('text-tag').innerText()
  assert.match(tag, /src="https:\/\/tools\.example\.com\/snippet\.js"/)

  await link('Tools').click()
  await page.getByRole('button', {name: 'Make a tool'}).click()
  await page.getByRole('menuitem', {name: 'Empty tool'}).click()
  await field('name').fill('getAnswer')
  await field('description').fill('Returns the answer to the question of the page.')
  await page.getByRole('tab', {name: 'What it does'}).click()
  await marked(page, 'executeJs')
  await page.getByTestId('code-javascript').locator('.cm-content').click()
  await page.keyboard.insertText('return 42')
  await saved(page)
  await page.locator(PUBLISH).click()
  const publicId = /data-site="(.+?)"/.exec(tag)?.[1] ?? ''
  const config = () => configOf(fetch(`${shell.service}/api/sites/${publicId}/config?path=/`))
  await eventually(config, ({names}) => names.includes('getAnswer'))

  const visitor = await context.newPage()
  await visitor.goto('https://www.example.com/')
  await visitor.waitForFunction(`handrail?.sites[${JSON.stringify(publicId)}]?.state === 'ready'`)
  const called = await visitor.evaluate(
    'document.modelContext.getTools().then(([tool]) => document.modelContext.executeTool(tool, {}))',
  )
  assert.equal(called, '42')

  await page.goto('https://my-tools.sanity.studio/')
  await page.getByTestId('start-site-Example').getByRole('link', {name: 'On a page'}).click()
  await page.getByTestId('page-open').click()
  const opening = context.waitForEvent('page')
  await page.getByTestId('preview-open').click()
  await (await opening).locator('[data-tool=getAnswer]').waitFor()

  await page.goto('https://studio.example.com/')
  await page.locator('a[href*="cors=add"]').waitFor()
  await screenshot(page, 'hosted-no-origin.png')
  await shell.run(allow)
  trouble.length = 0
  await page.reload()
  await page.getByText('Google').click()
  await page.getByTestId('start-site-Example').getByText('Seen').waitFor()
  await screenshot(page, 'hosted-own.png')
  assert.deepEqual(
    trouble.filter((each) => !EXPECTED.test(each)),
    [],
  )
  // What "sanity deploy" finds before the first time.
  assert.deepEqual(sanity.missed, ['GET /projects/abc123/user-applications'])
})
