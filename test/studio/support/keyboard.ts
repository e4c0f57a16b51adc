import assert from 'node:assert/strict'
import type {Page} from 'playwright-core'
import {eventually} from '../../support/eventually.ts'

/** What a person without a mouse does, and what they can check. */
export type KeyboardUser = {
  readonly page: Page
  press(...keys: readonly string[]): Promise<void>
  /** Presses Tab until an element that a CSS selector finds has the focus. */
  tabTo(selector: string): Promise<void>
  /** Presses Tab until an element with this text has the focus. */
  tabToText(text: string): Promise<void>
  /** Presses Tab through a part of the page, and fails for each control in it that never gets the focus. */
  reachAll(root: string): Promise<void>
  /**
   * Opens a dialog with the button that has the focus, goes through it, and closes it. The focus comes back.
   * @param ready a CSS selector of what the dialog shows once it has loaded
   */
  visitDialog(ready?: string): Promise<void>
  /** Opens a dialog with an item of the menu whose button has the focus, and does the same with it. */
  visitDialogOfMenu(item: string, ready: string): Promise<void>
  /** Closes the open dialog. The focus comes back to what opened it. */
  closeDialog(): Promise<void>
  /** Opens a menu with the button that has the focus, and moves to an item. */
  openMenu(item: string): Promise<void>
  /** Opens the submenu of the focused item, and moves to an item in it. */
  openSubmenu(item: string): Promise<void>
  /** Moves to an item of the open menu, or of its submenu. */
  moveTo(item: string): Promise<void>
  /** Closes the open menu. The focus comes back to its button. */
  closeMenu(): Promise<void>
}

/** Presses of Tab after which a control counts as unreachable. */
const MAX_TABS = 200

/** Presses of Tab between two looks at what they reached. */
const TABS_AT_ONCE = 8

/** Marks the controls of a part of the page that the focus has not reached. Of tabs, one has the focus. */
const MARK_CONTROLS = `(root) => {
  const controls = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]:not(:empty)'
  const isOffered = (element) =>
    element.checkVisibility({visibilityProperty: true}) && !element.matches(':disabled, [aria-hidden=true] *, [inert] *')
  for (const one of document.querySelectorAll('[data-unreached]')) delete one.dataset.unreached
  for (const part of document.querySelectorAll(root))
    for (const control of part.querySelectorAll(controls))
      if (isOffered(control)) (control.closest('[role=tablist]') ?? control).dataset.unreached = ''
  const reach = (target) => { delete target?.closest('[data-unreached]')?.dataset.unreached }
  globalThis.reach ??= document.addEventListener('focusin', ({target}) => reach(target)) ?? true
  reach(document.activeElement)
}`

/** Whether the focus is in the menu that has an item. */
const IS_IN_MENU_WITH = `(item) => {
  const own = document.activeElement.closest('[role=menu]')
  const items = own?.querySelectorAll('[role=menuitem]') ?? []
  return [...items].some((one) => (one.ariaLabel ?? one.innerText.trim()) === item && one.closest('[role=menu]') === own)
}`

/** Resolves when another item has the focus, which a menu moves some frames after the key; an only item keeps it. */
const FOCUS_MOVED = `(before) => new Promise((resolve) => {
  let frames = 0
  const look = () => {
    frames += 1
    if (document.activeElement.innerText !== before || frames > 30) resolve()
    else requestAnimationFrame(look)
  }
  look()
})`

const UNREACHED = `Array.from(document.querySelectorAll('[data-unreached]'), (one) => one.outerHTML.slice(0, 200))`

export function keyboardUser(page: Page): KeyboardUser {
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const isFocused = (selector: string) =>
    page.evaluate<boolean>(`document.activeElement?.closest(${JSON.stringify(selector)}) != null`)
  const markOpener = () =>
    page.evaluate(`{
      for (const one of document.querySelectorAll('[data-opener]')) delete one.dataset.opener
      document.activeElement.dataset.opener = ''
    }`)
  /** Presses Tab until this is true. */
  const tabUntil = async (isThere: () => Promise<boolean>, what: string) => {
    for (let presses = 0; presses < MAX_TABS; presses++) {
      if (await isThere()) return
      await press('Tab')
    }
    assert.fail(`${MAX_TABS} presses of Tab do not lead to ${what}`)
  }
  const becomesFocused = (selector: string) => eventually(() => isFocused(selector), true)

  const user: KeyboardUser = {
    page,
    press,
    async tabTo(selector) {
      await page.locator(selector).first().waitFor()
      await tabUntil(() => isFocused(selector), selector)
    },
    tabToText: (text) =>
      tabUntil(
        () => page.evaluate(`document.activeElement.innerText?.trim() === ${JSON.stringify(text)}`),
        text,
      ),
    async reachAll(root) {
      await user.tabTo(root)
      await page.evaluate(`(${MARK_CONTROLS})(${JSON.stringify(root)})`)
      let unreached: string[] = []
      for (let presses = 0; presses < MAX_TABS; presses += TABS_AT_ONCE) {
        unreached = await page.evaluate<string[]>(UNREACHED)
        if (unreached.length === 0) return
        await press(...Array.from({length: TABS_AT_ONCE}, () => 'Tab'))
      }
      assert.deepEqual(unreached, [], `controls in ${root} that Tab does not reach`)
    },
    async visitDialog(ready = '[role=dialog] button') {
      await markOpener()
      await press('Enter')
      await page.locator(ready).first().waitFor()
      await becomesFocused('[role=dialog]')
      await user.reachAll('[role=dialog]')
      await press('Tab')
      assert.ok(await isFocused('[role=dialog]'), 'Tab stays in the dialog')
      await user.closeDialog()
    },
    async visitDialogOfMenu(item, ready) {
      await user.openMenu(item)
      await press('Enter')
      await page.locator(ready).first().waitFor()
      await user.reachAll('[role=dialog]')
      await user.closeDialog()
    },
    async closeDialog() {
      await press('Escape')
      await page.getByRole('dialog').first().waitFor({state: 'detached'})
      await becomesFocused('[data-opener]')
    },
    async openMenu(item) {
      await markOpener()
      await press('Enter')
      await user.moveTo(item)
    },
    async openSubmenu(item) {
      await press('ArrowRight')
      // A submenu gets the focus after it is shown: before that, an arrow key would close it.
      await eventually(() => page.evaluate<boolean>(`(${IS_IN_MENU_WITH})(${JSON.stringify(item)})`), true)
      await user.moveTo(item)
    },
    async moveTo(item) {
      await page.getByRole('menuitem', {name: item, exact: true}).first().waitFor()
      for (let presses = 0; presses < 30; presses++) {
        const focused = await page.evaluate<string>('document.activeElement.innerText')
        const label = await page.evaluate<string | null>('document.activeElement.ariaLabel')
        if ((label ?? focused.trim()) === item) return
        await press('ArrowDown')
        await page.evaluate(`(${FOCUS_MOVED})(${JSON.stringify(focused)})`)
      }
      assert.fail(`the arrow keys do not lead to “${item}”`)
    },
    async closeMenu() {
      await press('Escape')
      await page.getByRole('menu').first().waitFor({state: 'detached'})
      await becomesFocused('[data-opener]')
    },
  }
  return user
}
