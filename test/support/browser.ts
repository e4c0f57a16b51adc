import assert from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync} from 'node:fs'
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {type Browser, chromium, type Page} from 'playwright-core'
import {shared} from '../runner/shared.ts'

/** Where to look for Chromium; the setting comes first. */
const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Chromium without windows, tabs and toolbars: a page needs a quarter of the CPU. It has no back/forward cache. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

/** The Chromium of this machine, undefined if there is none. */
export function findChromium(): string | undefined {
  return places.find((place) => place !== undefined && existsSync(place))
}

function findHeadlessShell(): string | undefined {
  return process.env.CHROMIUM === undefined && existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : undefined
}

/** What Chromium is started with: headless, and without its own background requests. */
function chromiumOptions({args = [], hasPageCache = false}: ChromiumChoices = {}) {
  const executablePath = (hasPageCache ? undefined : findHeadlessShell()) ?? findChromium()
  if (executablePath === undefined)
    throw new Error('Chromium was not found: install it, or set the variable CHROMIUM to its path')
  return {
    executablePath,
    ignoreDefaultArgs: hasPageCache ? ['--disable-back-forward-cache'] : [],
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...args,
    ],
  }
}

type ChromiumChoices = {
  /** Additional arguments. */
  readonly args?: readonly string[]
  /** Whether pages are kept in the back/forward cache. */
  readonly hasPageCache?: boolean
}

export function launchChromium(choices?: ChromiumChoices): Promise<Browser> {
  return chromium.launch(chromiumOptions(choices))
}

/**
 * Opens a page without Playwright: Chromium prerenders nothing where DevTools are attached, or if it lacks memory.
 * @returns a function that closes it
 */
export async function openUnattended(url: string): Promise<() => Promise<void>> {
  const profile = await mkdtemp(join(tmpdir(), 'handrail-chromium-'))
  const {executablePath, args} = chromiumOptions({args: [WEB_MCP], hasPageCache: true})
  const memory = ['--memory-pressure-off', '--disable-features=Prerender2MemoryControls']
  const options = ['--headless', ...memory, `--user-data-dir=${profile}`, url]
  const chromium = spawn(executablePath, [...args, ...options], {
    ...{stdio: 'ignore', detached: true},
    env: {...process.env, TMPDIR: profile},
  })
  const exited = once(chromium, 'exit')
  return async () => {
    const {exitCode, signalCode} = chromium
    const isRunning = exitCode === null && signalCode === null
    // Its processes are a group.
    if (isRunning && chromium.pid !== undefined) process.kill(-chromium.pid, 'SIGKILL')
    await exited
    await rm(profile, {recursive: true, force: true, maxRetries: 10})
    assert.ok(isRunning, `Chromium ended by itself: ${exitCode ?? signalCode}`)
  }
}

/** The argument with which Chromium has `document.modelContext`. */
export const WEB_MCP = '--enable-features=WebMCP'

/** The browsers that the test files of a process share. Each file opens contexts of its own, and closes them. */
export const sharedBrowsers = {
  withWebMcp: shared(() => launchChromium({args: [WEB_MCP]}), contextsIn),
  withoutWebMcp: shared(() => launchChromium(), contextsIn),
  /** With WebMCP and the back/forward cache. A page in it needs four times the CPU. */
  withPageCache: shared(() => launchChromium({args: [WEB_MCP], hasPageCache: true}), contextsIn),
}

function contextsIn(browser: Browser): string[] {
  return browser.contexts().map(() => 'a browser context')
}

/**
 * With the variable `SCREENSHOTS`, keeps a picture of the page, and what it says, in the folder that it names.
 * @param height pixels from the top; undefined: the whole window
 */
export async function screenshot(page: Page | undefined, name: string, height?: number): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (folder === undefined || page === undefined) return
  const {width = 0} = page.viewportSize() ?? {}
  const clip = height === undefined ? {} : {clip: {x: 0, y: 0, width, height}}
  await page.screenshot({path: join(folder, name), ...clip})
  await writeFile(join(folder, `${name}.txt`), await page.locator(':root').ariaSnapshot())
}

/** What Sanity says on a machine that is busy with other tests. */
const SLOWNESS = /has taken more than \d+ms to respond$/

/** Errors in a page, from its console and its network. */
export function troubleOf(page: Page): string[] {
  const trouble: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !SLOWNESS.test(message.text()))
      trouble.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => trouble.push(`thrown: ${error.message}`))
  page.on('response', (response) => {
    if (response.status() >= 400)
      trouble.push(`${response.status()} ${response.request().method()} ${response.url()}`)
  })
  return trouble
}
