import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import type {Page} from 'playwright-core'
import {everywhere} from '../../lake/access/rights/rights.ts'
import {axeMistakes} from '../support/axe.ts'
import {screenshot, troubleOf} from '../support/browser.ts'
import {eventually} from '../support/eventually.ts'
import {siteDocument} from '../support/shop.ts'
import {type KeyboardUser, keyboardUser} from './support/keyboard.ts'
import {adaLovelace, goTo, goToSignIn, type RunningStudio, signIn, startStudio} from './support/studio.ts'

/** A place in Studio that is ours: every control in it is reached with the keyboard, and axe finds no mistake. */
type Stop = {
  readonly name: string
  /** Its address. */
  readonly path: string
  /** A CSS selector of what is ours there. */
  readonly root: string
  /** A CSS selector of what is there once it has loaded. */
  readonly ready: string
  /** What else a person does there. */
  readonly visit?: (user: KeyboardUser) => Promise<void>
}

const testId = (id: string) => `[data-testid="${id}"]`
const button = (name: string) => `button[aria-label="${name}"]`

/** The walk. A new pane, dialog or menu gets a line here. */
const STOPS: readonly Stop[] = [
  {
    name: 'the overview',
    path: '/',
    root: testId('start-page'),
    ready: testId('activity-change'),
    visit: async ({page, press, tabTo, openMenu, closeMenu, openSubmenu}) => {
      await tabTo(testId('start-make-tool'))
      await openMenu('Harbour Supply')
      await closeMenu()
      await openMenu('Books')
      await openSubmenu('Go to a page')
      await press('Enter')
      // Studio loads the name in the field of the site only once that is in view.
      await page.getByRole('link', {name: 'Back to Books'}).waitFor()
    },
  },
  {name: 'your account', path: '/people/account', root: testId('people-page'), ready: testId('own-password')},
  {
    name: 'the list of people',
    path: '/people/people',
    root: testId('people-page'),
    ready: testId('people-list'),
    visit: async ({tabTo, visitDialog}) => {
      await tabTo(testId('invite'))
      await visitDialog()
      for (const name of ['Change role', 'Sign-in link', 'Remove']) {
        await tabTo(button(`${name}: Charles Babbage`))
        await visitDialog()
      }
    },
  },
  {
    name: 'tokens',
    path: '/people/tokens',
    root: testId('people-page'),
    ready: testId('make-token'),
    visit: async ({tabTo, visitDialog}) => {
      await tabTo(testId('make-token'))
      await visitDialog()
    },
  },
  {name: 'the audit log', path: '/people/audit', root: testId('people-page'), ready: testId('audit-events')},
  {
    name: 'the page of a site',
    path: '/overview/shop',
    root: testId('site-page'),
    ready: testId('site-switch'),
    visit: async ({tabTo, visitDialog}) => {
      for (const opener of ['copy-site', 'site-switch']) {
        await tabTo(testId(opener))
        await visitDialog()
      }
    },
  },
  {
    name: 'the pane Reviews',
    path: '/overview/shop/reviews',
    root: testId('site-page'),
    ready: testId('review-pane'),
  },
  {
    name: 'the pane Install',
    path: '/overview/shop/install',
    root: testId('install-pane'),
    ready: testId('text-tag'),
  },
  {
    name: 'the pane On a page',
    path: '/overview/shop/pages',
    root: testId('page-pane'),
    ready: testId('page-open'),
    visit: async ({tabTo, visitDialog}) => {
      await tabTo(testId('page-open'))
      await visitDialog(`${testId('preview-open')}[href]`)
    },
  },
  {
    name: 'the pane Activity',
    path: '/overview/shop/activity',
    root: testId('activity-pane'),
    ready: testId('activity-change'),
  },
  {
    name: 'a tool',
    path: '/structure/tool;tool-list-reviews',
    root: testId('field-name'),
    ready: testId('action-menu-button'),
    visit: async ({tabTo, visitDialogOfMenu}) => {
      await tabTo(testId('action-menu-button'))
      await visitDialogOfMenu('Open the page with drafts', `${testId('preview-open')}[href]`)
    },
  },
  {
    name: 'a form tool',
    path: '/structure/formTool;form-contact',
    root: testId('field-name'),
    ready: testId('action-menu-button'),
    visit: async ({tabTo, visitDialogOfMenu}) => {
      await tabTo(testId('action-menu-button'))
      await visitDialogOfMenu('Copy to another site', testId('choose-site'))
    },
  },
]

/** Buttons and links without a name, of Sanity's bars, too; if they have no text. */
const UNNAMED = ':is(button, a[href]):visible:not([aria-label], [aria-labelledby])'

/** All that is ours in Studio, without a mouse. */
describe('Studio with the keyboard alone', () => {
  let studio: RunningStudio
  let page: Page
  let user: KeyboardUser
  let trouble: string[]

  before(async () => {
    studio = await startStudio()
    await studio.accounts.setRights(adaLovelace.email, everywhere('administrator'))
    await studio.repository.commit([siteDocument({_id: 'books', name: 'Books', publicId: 'books-public'})])
    page = await studio.newPage()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await goToSignIn(page, studio, '/people/people')
    await signIn(page, adaLovelace)
    await page.getByTestId('people-list').waitFor({timeout: 60_000})
    trouble = troubleOf(page)
    user = keyboardUser(page)
    await page.emulateMedia({colorScheme: 'dark'})
    await page.setViewportSize({width: 390, height: 900})
  })

  after(() => studio?.close())

  for (const {name, path, root, ready, visit} of STOPS) {
    test(`on a phone, in the dark and in the light: ${name}`, async () => {
      await goTo(page, path)
      await page.locator(ready).first().waitFor()
      await user.reachAll(root)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({colorScheme})
        await eventually(
          () => page.evaluate('document.querySelector("[data-scheme]").dataset.scheme'),
          colorScheme,
        )
        assert.deepEqual(await axeMistakes(page, root), [])
        await eventually(() => page.locator(UNNAMED).filter({hasNotText: /./}).count(), 0)
        for (const width of process.env.SCREENSHOTS === undefined ? [] : [1440, 1024, 390]) {
          await page.setViewportSize({width, height: 900})
          await page.evaluate('for (const each of document.querySelectorAll("*")) each.scrollTop = 0')
          await screenshot(page, `${name} ${width} ${colorScheme}.png`.replaceAll(' ', '-'))
        }
      }
      await visit?.(user)
    })
  }

  test('on a phone, the menu of the bar leads to every part of Studio, and to help', async () => {
    await goTo(page, '/people/people')
    await page.getByTestId('people-list').waitFor()
    for (const [item, there] of [
      ['Content', 'a[href="/structure/sites"]'],
      ['People', `main ${testId('people-list')}`],
      ['Overview', `main${testId('start-page')}`],
      ['Help', testId('guides')],
    ] as const) {
      await user.tabTo('button[aria-label=Menu]')
      await user.press('Enter')
      await user.tabToText(item)
      await user.press('Enter')
      await page.locator(there).first().waitFor()
      await page.locator('[data-open=true]').first().waitFor({state: 'detached'})
    }
    await user.reachAll('[role=dialog]')
    await user.press('Escape')
    await page.getByRole('dialog').waitFor({state: 'detached'})
  })

  test('help, and a guide that it links to', async () => {
    await page.setViewportSize({width: 1500, height: 1200})
    await goTo(page, '/people/account')
    await page.getByRole('button', {name: 'Help'}).focus()
    await user.visitDialog(testId('guides'))
    await page.goto(studio.at('/help/tools'))
    await user.reachAll('body')
    assert.deepEqual(await axeMistakes(page), [])
    await page.emulateMedia({colorScheme: 'light'})
    await page.setViewportSize({width: 390, height: 900})
    assert.deepEqual(await axeMistakes(page), [])
    await screenshot(page, 'guide.png')
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
    await user.tabTo('a[href="/help"]')
    await user.press('Enter')
    await page.getByRole('heading', {name: 'Help'}).waitFor()
  })

  test('caused no error in the console, no failed request, and no request that the log calls refused', () => {
    assert.deepEqual(trouble, [])
    assert.deepEqual(
      studio.lines.filter(({msg}) => msg === 'request refused'),
      [],
    )
  })
})
