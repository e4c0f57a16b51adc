import {existsSync} from 'node:fs'
import {chromium, type LaunchOptions} from '@playwright/test'

/** Where systems install Chromium, the smaller one first. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/**
 * Chromium with WebMCP: that of `CHROMIUM`, else that of Playwright, else that of the system.
 * @param origin counts as secure, so that a staging server without TLS has WebMCP, too
 */
export function withWebMcp({args = [], ...given}: LaunchOptions = {}, origin?: string): LaunchOptions {
  const found =
    process.env.CHROMIUM || [chromium.executablePath(), ...PLACES].find((path) => existsSync(path))
  const secure = origin === undefined ? [] : [`--unsafely-treat-insecure-origin-as-secure=${origin}`]
  return {
    ...(found !== undefined && {executablePath: found}),
    ...given,
    args: ['--enable-features=WebMCP', ...secure, ...args],
  }
}
