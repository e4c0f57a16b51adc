import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import type {Page} from 'playwright-core'
import {everywhere} from '../../lake/access/rights/rights.ts'
import type {Role} from '../../lake/access/rights/role.ts'
import {axeMistakes} from '../support/axe.ts'
import {screenshot, troubleOf} from '../support/browser.ts'
import {adaLovelace, goTo, type RunningStudio, signIn, startStudio} from './support/studio.ts'

/** Each pane: its address, what it shows once it has loaded, and who sees it, if not everyone. */
const PANES: readonly {path: string; ready: string; roles?: readonly Role[]}[] = [
  {path: '/', ready: 'start-page'},
  {path: '/overview/shop', ready: 'site-page'},
  {path: '/overview/shop/pages', ready: 'page-pane'},
  {path: '/overview/shop/install', ready: 'install-pane'},
  {path: '/overview/shop/activity', ready: 'activity-pane'},
  {path: '/overview/shop/agents', ready: 'agents-pane'},
  {path: '/overview/shop/reviews', ready: 'review-pane'},
  {path: '/structure/sites;shop;tools', ready: 'document-list-pane'},
  {path: '/structure/tool;tool-list-reviews', ready: 'field-name'},
  {path: '/structure/formTool;form-contact', ready: 'field-name'},
  {path: '/structure/sites;shop;settings', ready: 'field-name'},
  {path: '/people/account', ready: 'own-password'},
  {path: '/people/people', ready: 'people-list', roles: ['administrator']},
  {path: '/people/tokens', ready: 'make-token', roles: ['administrator']},
  {path: '/people/audit', ready: 'audit-events', roles: ['administrator']},
]

/** What Studio itself shows around our parts is not searched for mistakes. */
const STUDIO_OWN = /^(?:document-list-pane|field-.*|make-token)$/

describe('every pane of Studio', () => {
  let studio: RunningStudio
  let page: Page

  before(async () => {
    studio = await startStudio()
    page = await studio.newPage()
  })

  after(() => studio?.close())

  for (const role of ['administrator', 'viewer'] as const)
    test(`opens for the role ${role} without an error, and axe finds no mistake`, async () => {
      await studio.accounts.setRights(adaLovelace.email, everywhere(role))
      // A change of rights ends the sessions.
      await page.goto(studio.at('/login'))
      await signIn(page, adaLovelace)
      await page.getByTestId('start-page').waitFor({timeout: 60_000})
      const trouble = troubleOf(page)
      for (const {path, ready, roles} of PANES) {
        if (roles && !roles.includes(role)) continue
        await goTo(page, path)
        await page.getByTestId(ready).first().waitFor()
        if (!STUDIO_OWN.test(ready))
          // The walk with the keyboard checks the colours.
          assert.deepEqual(await axeMistakes(page, `[data-testid="${ready}"]`, true), [], path)
        await screenshot(page, `${role}${path}.png`.replaceAll(/[/;]/g, '-'))
      }
      await goTo(page, '/overview/shop')
      await page.getByRole('link', {name: 'viewCart'}).waitFor()
      assert.equal(await page.getByTestId('start-make-tool').count(), role === 'viewer' ? 0 : 1)
      assert.deepEqual(trouble, [])
    })
})
