import {existsSync} from 'node:fs'
import {type Browser, chromium, type Page} from 'playwright-core'

/** Where Chromium is looked for, the setting first. */
const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** The Chromium of this machine, undefined where there is none. */
export function findChromium(): string | undefined {
  return places.find((place) => place !== undefined && existsSync(place))
}

/**
 * Starts it without a window, and without calls of its own to the outside.
 * @param options more arguments, and those of Playwright's own that are left out.
 */
export function launchChromium(options: {args?: string[]; without?: string[]} = {}): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined)
    throw new Error('Chromium was not found: install it, or name it in the variable CHROMIUM')
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

/** What went wrong in a page, as its console and its network tell. */
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
