import {existsSync} from 'node:fs'
import type {Browser} from 'playwright-core'
import {errorMessage} from '../../common/errorMessage.ts'
import {CommandError, type Console} from '../command.ts'
import {loadPlaywright} from '../playwright.ts'

/** Where systems install Chromium, the smaller one first. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** The origin counts as secure, so that a staging server without TLS has WebMCP, too. */
function argumentsFor(origin: string): string[] {
  return [
    '--enable-features=WebMCP',
    `--unsafely-treat-insecure-origin-as-secure=${origin}`,
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ]
}

/**
 * Starts Chromium: that of `--browser` or `CHROMIUM`, else that of Playwright, else that of the system.
 * @throws CommandError that says how to install what is missing
 */
export async function launch(
  given: string | undefined,
  origin: string,
  {environment}: Console,
): Promise<Browser> {
  const {chromium} = await loadPlaywright()
  const own = chromium.executablePath()
  const named = given ?? environment.CHROMIUM
  const executablePath = named || [own, ...PLACES].find((path) => path !== '' && existsSync(path))
  if (executablePath === undefined)
    throw new CommandError(
      'There is no Chromium. Run "npx playwright-core install --with-deps chromium", or name one with --browser.',
    )
  if (!existsSync(executablePath)) throw new CommandError(`There is no program ${executablePath}.`)
  try {
    return await chromium.launch({executablePath, args: argumentsFor(origin)})
  } catch (error) {
    const [reason] = errorMessage(error).split('\n')
    throw new CommandError(`${executablePath} does not start: ${reason}`)
  }
}
