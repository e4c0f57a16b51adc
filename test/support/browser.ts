import {existsSync} from 'node:fs'
import {type Browser, chromium, type Page} from 'playwright-core'

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

/**
 * Starts it headless, and without its own background requests.
 * @param options additional arguments, and whether pages are kept in the back/forward cache.
 */
export function launchChromium(options: {args?: string[]; hasPageCache?: boolean} = {}): Promise<Browser> {
  const {args = [], hasPageCache = false} = options
  const executablePath = (hasPageCache ? undefined : findHeadlessShell()) ?? findChromium()
  if (executablePath === undefined)
    throw new Error('Chromium was not found: install it, or set the variable CHROMIUM to its path')
  return chromium.launch({
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
  })
}

/** Errors in a page, from its console and its network. */
export function troubleOf(page: Page): string[] {
  const trouble: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) trouble.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => trouble.push(`thrown: ${error.message}`))
  page.on('response', (response) => {
    if (response.status() >= 400)
      trouble.push(`${response.status()} ${response.request().method()} ${response.url()}`)
  })
  return trouble
}
