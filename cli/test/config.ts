import {availableParallelism} from 'node:os'
import {basename, dirname} from 'node:path'
import {fileURLToPath} from 'node:url'
import {defineConfig} from '@playwright/test'
import {withWebMcp} from './browser.ts'
import {settings} from './settings.ts'
import {TEST_TIMEOUT} from './visit.ts'

const {baseUrl, ignoreHttpsErrors, output, visitors} = settings()
const {origin, username, password} = new URL(baseUrl)
const tests = fileURLToPath(new URL('./tests.ts', import.meta.url))
const signIn = fileURLToPath(new URL('./signIn.ts', import.meta.url))
const [visitor] = visitors.filter(({name}) => name === '')

/** The configuration of Playwright for `content test`. */
export default defineConfig({
  testDir: dirname(tests),
  respectGitIgnore: false,
  outputDir: output,
  fullyParallel: true,
  timeout: TEST_TIMEOUT,
  workers: availableParallelism() + 1,
  reporter: process.env.GITHUB_ACTIONS === 'true' ? 'github' : [],
  use: {
    baseURL: origin,
    ignoreHTTPSErrors: ignoreHttpsErrors,
    // Scripts of the page choose which other hosts it asks, and each of them may answer 401.
    ...(username !== '' && {
      httpCredentials: {
        origin,
        username: decodeURIComponent(username),
        password: decodeURIComponent(password),
      },
    }),
    launchOptions: withWebMcp({}, origin),
  },
  projects: [
    {name: 'sign in', testMatch: basename(signIn)},
    {
      name: '',
      testMatch: basename(tests),
      dependencies: visitors.some(({module}) => module !== undefined) ? ['sign in'] : [],
      use: {...(visitor !== undefined && {storageState: visitor.state})},
    },
  ],
})
