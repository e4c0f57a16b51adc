import {existsSync} from 'node:fs'
import {type Browser, chromium, type Page} from 'playwright-core'

/** Where to look for Chromium; the setting comes first. */
const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** The Chromium of this machine, undefined if there is none. */
export function findChromium(): string | undefined {
  return places.find((place) => place !== undefined && existsSync(place))
}

/**
 * Starts it headless, and without its own background requests.
 * @param options additional arguments, and Playwright's default arguments to omit.
 */
export function launchChromium(options: {args?: string[]; without?: string[]} = {}): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined)
    throw new Error('Chromium was not found: install it, or set the variable CHROMIUM to its path')
  return chromium.launch({
    executablePath,
    ignoreDefaultArgs: options.without ?? [],
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...(options.args ?? []),
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
