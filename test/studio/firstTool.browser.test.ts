import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {createServer} from 'node:http'
import {after, before, describe, test} from 'node:test'
import type {Locator, Page} from 'playwright-core'
import {configOf} from '../support/answers.ts'
import {axeMistakes} from '../support/axe.ts'
import {screenshot} from '../support/browser.ts'
import {eventually} from '../support/eventually.ts'
import {keyboardUser} from './support/keyboard.ts'
import {fieldOf, goTo, marked, openStudio, PUBLISH, type RunningStudio, saved} from './support/studio.ts'

const GUIDE = readFileSync(new URL('../../docs/getting-started.md', import.meta.url), 'utf8')

/** What a person does in Studio with the keyboard, counted. */
class Person {
  actions = 0
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** In a menu and in tabs, arrows move the focus on. */
  async #keyTo(target: Locator): Promise<string> {
    const isIn = async (role: string) =>
      (await this.page.locator(`[role=${role}]:focus-within`).filter({has: target}).count()) > 0
    return (await isIn('menu')) ? 'ArrowDown' : (await isIn('tablist')) ? 'ArrowRight' : 'Tab'
  }

  async #focus(target: Locator): Promise<void> {
    await target.waitFor()
    const focused = target.and(this.page.locator(':focus, :focus-within'))
    for (let presses = 0; presses < 300; presses++) {
      if ((await focused.count()) > 0) return
      await this.page.keyboard.press(await this.#keyTo(target))
    }
    assert.fail(`the keyboard does not lead to ${target}`)
  }

  /** In Sanity's own lists, which have keys of their own. */
  async click(target: Locator): Promise<void> {
    this.actions += 1
    await target.click()
  }

  async press(target: Locator): Promise<void> {
    this.actions += 1
    await this.#focus(target)
    await this.page.keyboard.press('Enter')
  }

  /** Replaces the text of a field, and leaves the field. */
  async type(target: Locator, text: string): Promise<void> {
    this.actions += 1
    await this.#focus(target)
    await this.page.keyboard.press('ControlOrMeta+A')
    await this.page.keyboard.insertText(text)
    await this.page.keyboard.press('Tab')
  }

  async publish(): Promise<void> {
    await saved(this.page)
    await this.press(this.page.locator(PUBLISH))
  }
}

describe('a first tool, made by an editor who does not program', () => {
  let studio: RunningStudio
  let page: Page
  let trouble: string[]

  before(async () => {
    ;({studio, page, trouble} = await openStudio('/structure', (page) =>
      page.getByRole('link', {name: 'Sites', exact: true}),
    ))
  })

  after(() => studio?.close())

  const field = (name: string) => fieldOf(page, name)
  const warning = (text: string) => page.getByTestId('problem-warning').filter({hasText: text})
  const served = async (publicId: string, name: string) => {
    const config = () => configOf(fetch(`${studio.serviceAddress}/api/sites/${publicId}/config?path=/`))
    await eventually(config, ({names}) => names.includes(name))
  }

  const isFocused = (testId: string) =>
    page.locator(`[data-testid="${testId}"]:focus, [data-testid="${testId}"] :focus`).waitFor()

  test('is made from a recipe without code, with a warning about what is left of it', async () => {
    const ada = new Person(page)
    await ada.click(page.getByRole('link', {name: 'Sites', exact: true}))
    await ada.click(page.getByRole('link', {name: 'Harbour Supply'}).first())
    await ada.click(page.getByRole('link', {name: 'Tools', exact: true}))
    await ada.click(page.getByTestId('multi-action-intent-button'))
    await screenshot(page, 'recipes.png')
    await ada.click(page.getByRole('menuitem', {name: 'Look something up'}))
    const box = await page.getByTestId('field-name').boundingBox()
    assert.ok(box && box.y < 300, `the first field begins at ${box?.y}`)
    await ada.type(field('name'), 'findProducts')
    await ada.type(
      field('description'),
      'Searches the products of Harbour Supply by words. Returns the ID and the page of up to 10.',
    )
    await ada.press(page.getByRole('tab', {name: 'What it does'}))

    await warning('“your-search” is from the recipe').waitFor()
    await screenshot(page, 'warning.png')
    await ada.type(field('request.address'), '/api/products')
    await warning('“your-search” is from the recipe').waitFor({state: 'detached'})
    await ada.type(field('request.result.path'), 'products')
    await ada.publish()
    assert.ok(ada.actions <= 12, `${ada.actions} clicks and fields`)

    await served('demo-shop', 'findProducts')
    await field('request.result.path').fill('products.found')
    await saved(page)
    await page.getByRole('button', {name: 'More actions'}).last().click()
    await page.getByTestId('action-history').click()
    await page.locator('#changes-tab').click()
    const change = page.getByTestId('action-diff')
    await change.waitFor()
    await screenshot(page, 'action-changes.png')
    const [, ...cells] = (await change.getByRole('row').last().innerText()).split('\t')
    assert.deepEqual(cells, [
      'id, title, url (of products, at most 10)',
      'id, title, url (of products.found, at most 10)',
    ])
  })

  test('docs/getting-started.md leads to a tool on a page of your own, with the keyboard alone', async (t) => {
    const ada = new Person(page)
    await page.evaluate('addEventListener("pointerdown", () => { globalThis.pointed = true }, true)')
    await goTo(page, '/')
    // A form that takes no text yet has no cursor, however long the lake needs.
    const toSite = page.getByRole('link', {name: quoted('Click "(.+?)"\\.')})
    await toSite.waitFor()
    const answering = Promise.withResolvers<void>()
    await page.route(/\/data\/query\//, (route) => answering.promise.then(() => route.continue()))
    await ada.press(toSite)
    await field('name').waitFor()
    await page.keyboard.insertText('lost')
    assert.equal(await page.locator('form :focus').count(), 0)
    answering.resolve()
    await isFocused('field-name')
    assert.ok(await field('name').isEditable())
    await page.unroute(/\/data\/query\//)
    await screenshot(page, 'new-site.png')
    await ada.type(field('name'), quoted('such as "(.+?)"'))
    await ada.press(page.getByTestId('field-addresses').getByRole('button', {name: 'Add item'}))
    await marked(page, 'addresses')
    await ada.type(
      page.getByTestId('field-addresses').getByRole('textbox'),
      quoted('where your page will be: `(.+?)`'),
    )
    await ada.publish()
    await isFocused('action-menu-button')
    await ada.press(page.getByRole('link', {name: quoted('Above the form, click "(.+?)"')}))
    await isFocused('site-page')
    const step = (id: string) => page.getByTestId(`next-step-${id}`)
    for (const done of ['publish', 'address']) await step(done).getByLabel('Done').waitFor()
    assert.deepEqual(await axeMistakes(page, '[data-testid="site-page"]'), [])
    await screenshot(page, 'next-steps.png')
    await ada.press(step('tag').getByRole('link', {name: quoted('Click "(.+?)" there')}))
    const tag = await page.getByTestId('text-tag').innerText()
    await page.getByTestId('install-trial').waitFor()
    const publicId = /data-site="(.+?)"/.exec(tag)?.[1] ?? ''

    const [html = ''] = codeIn('html')
    assert.match(
      html,
      /<script async crossorigin src="http:\/\/127\.0\.0\.1:3000\/snippet\.js" data-site="YOUR_SITE_ID"><\/script>/,
    )
    const website = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      response.end(html.replace(/<script.+<\/script>/, tag))
    })
    t.after(() => website.close())
    const address = await new Promise<string>((resolve) =>
      website.listen(0, '127.0.0.1', () => {
        const bound = website.address()
        assert.ok(typeof bound === 'object' && bound !== null)
        resolve(`http://127.0.0.1:${bound.port}`)
      }),
    )

    await ada.press(page.getByRole('link', {name: 'Tools', exact: true}))
    await ada.press(page.getByRole('button', {name: quoted('click "Tools", then "(.+?)"')}))
    await ada.press(page.getByRole('menuitem', {name: quoted('choose "(.+?)"')}))
    await isFocused('field-name')
    const name = quoted('\\*\\*Name\\*\\*: `(.+?)`')
    await ada.type(field('name'), name)
    await ada.type(field('description'), quoted('\\*\\*Description\\*\\*: `(.+?)`'))
    await ada.press(page.getByRole('tab', {name: 'What it does'}))
    await marked(page, 'executeJs')
    const [script = '', consoleLines = ''] = codeIn('js')
    await ada.type(page.getByTestId('code-javascript').locator('.cm-content'), script)
    await ada.publish()
    await served(publicId, name)
    assert.equal(await page.evaluate('globalThis.pointed'), undefined)

    const visitor = await studio.newPage()
    await visitor.goto(address)
    await visitor.waitForFunction(`handrail?.sites[${JSON.stringify(publicId)}]?.state === 'ready'`)
    // The console evaluates these lines one after the other, as an async function does.
    const result = await visitor.evaluate(
      `(async () => { ${consoleLines.replace(/await (.+)$/, 'return await $1')} })()`,
    )
    assert.deepEqual(typeof result === 'string' ? JSON.parse(result) : result, [
      ['Monday to Friday', '9 to 18'],
      ['Saturday', '10 to 14'],
    ])
    await visitor.context().close()
  })

  test('is changed with the keyboard alone, in inputs in which axe finds no mistake', async () => {
    const tabTo = (testId: string) => keyboardUser(page).tabTo(`[data-testid="${testId}"]`)
    await page.getByTestId('parameter-add').focus()
    await page.keyboard.press('Enter')
    await isFocused('parameter-name')
    await page.keyboard.insertText('day')
    for (const [next, key] of [
      ['parameter-kind', 'o'],
      ['parameter-required', 'Space'],
    ] as const) {
      await tabTo(next)
      await page.keyboard.press(key)
    }
    await tabTo('parameter-description')
    await page.keyboard.insertText('The day of the week, such as Monday')
    await tabTo('parameter-add')
    // Removing a parameter leaves the focus in the table.
    const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")')
    await page.keyboard.press('Enter')
    await isFocused('parameter-name')
    await page.keyboard.insertText('extra')
    await page.keyboard.press('Tab')
    await page.getByRole('button', {name: 'Remove extra'}).press('Enter')
    await eventually(focused, 'Remove day')
    await tabTo('parameter-add')
    await tabTo('code-javascript')
    await page.keyboard.press('Control+Home')
    await page.keyboard.insertText('// For one day.\n')
    await saved(page)
    assert.deepEqual(await axeMistakes(page, '[data-testid="parameters"]'), [])
    assert.deepEqual(await axeMistakes(page, '[data-testid="code-javascript"]'), [])
    await warning('never reads args.day').waitFor()
    await page.locator(PUBLISH).waitFor()
    await tabTo('action-publish')
    await page.keyboard.press('Enter')
    await eventually(
      () => studio.repository.git('log', '-1', '--format=%s%n', '-p'),
      (commit) => commit.startsWith('Publish tool getOpeningHours') && /For one day/.test(commit),
    )
  })

  test('caused no error in the console and no failed request', () => {
    assert.deepEqual(trouble, [])
  })
})

/** What the guide says in place of the group of a pattern. */
function quoted(pattern: string): string {
  const [, text] = new RegExp(pattern).exec(GUIDE) ?? []
  assert.ok(text !== undefined, `docs/getting-started.md does not say ${pattern}`)
  return text
}

/** The guide's code blocks in a language, without their indentation. */
function codeIn(language: string): string[] {
  return [...GUIDE.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([^]*?)\\n *\`\`\`$`, 'gm'))].map(
    ([, indentation = '', code = '']) => code.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
  )
}
