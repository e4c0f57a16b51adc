import assert from 'node:assert/strict'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import type {BrowserContext, Locator, Page} from 'playwright-core'
import type {Accounts} from '../../../lake/access/accounts.ts'
import {everywhere} from '../../../lake/access/rights/rights.ts'
import {startLake} from '../../../lake/lake.ts'
import {problemOf, TEXT_FILES} from '../../../schemas/index.ts'
import {REVIEW_RULES} from '../../../schemas/review.ts'
import {SITE_RULES} from '../../../schemas/siteRules.ts'
import {UNIQUE_RULES} from '../../../schemas/unique.ts'
import {startService} from '../../../service/service.ts'
import {readServiceSettings} from '../../../service/settings.ts'
import {buildForLake, studioDir} from '../../../studio/build/forLake.ts'
import {pageFor} from '../../../studio/serviceOrigin.ts'
import {gitLauncher} from '../../lake/support/git.ts'
import {accountsIn, CHEAP_SCRYPT, stateFolderOf} from '../../lake/support/signIn.ts'
import {shared} from '../../runner/shared.ts'
import {sharedBrowsers, troubleOf} from '../../support/browser.ts'
import {type ContentRepository, contentRepositoryAt} from '../../support/content.ts'
import {eventually} from '../../support/eventually.ts'
import {scriptsFor} from '../../support/house.ts'
import {listeningLog} from '../../support/log.ts'

export const adaLovelace = {name: 'Ada Lovelace', email: 'ada@example.com', password: 'correct horse battery'}
export const charlesBabbage = {
  name: 'Charles Babbage',
  email: 'charles@example.com',
  password: 'difference engine',
}

/** An author: she may change drafts, and not publish. */
export const graceHopper = {name: 'Grace Hopper', email: 'grace@example.com', password: 'nanoseconds of wire'}

const seedDir = fileURLToPath(new URL('../../../examples/shop/content', import.meta.url))

/** Every frame of a spinner is drawn by the CPU. In a sheet of its own, because a page's policy may forbid elements. */
const NO_ANIMATIONS = `
  const still = new CSSStyleSheet()
  still.replaceSync('*, ::before, ::after { animation: none !important; transition: none !important }')
  document.adoptedStyleSheets = [still]
`

/** Each pixel is drawn by the CPU. A picture shows all of a form. */
export const VIEWPORT = {width: 1500, height: process.env.SCREENSHOTS === undefined ? 1_000 : 1_800}

/** Studio says for three seconds only that it saved. The page keeps it, and whether Studio has said so since `saved`. */
export const KEEP_STATUS = `
  globalThis.saving = {isSaved: false, isNew: false}
  let shown
  new MutationObserver(() => {
    const text = document.querySelector('[data-testid="pane-footer-document-status-pulse"]')?.textContent
    if (text === shown) return
    shown = text
    if (text === undefined) return
    saving.isSaved = text.startsWith('Saved')
    if (saving.isSaved) saving.isNew = true
  }).observe(document, {childList: true, subtree: true, characterData: true})
`

/** Studio's button, once it can be pressed. A press does nothing before: Studio marks it by an attribute of its own. */
export const PUBLISH = '[data-testid="action-publish"]:not([data-disabled="true"])'

/** The real Studio over the demo shop's content, with the service, in the shared browser. */
export type RunningStudio = {
  repository: ContentRepository
  /** The file of editors, as the command line uses it. */
  accounts: Accounts
  serviceAddress: string
  /** What lake and service logged. */
  lines: readonly Record<string, unknown>[]
  /** A page in a new browser context, signed out. */
  newPage(): Promise<Page>
  /** The address of a path in Studio. */
  at(path: string): string
  /** Moves the clock of the service, back if negative. */
  moveServiceClock(milliseconds: number): void
  stopService(): Promise<void>
  /** Stops the lake, until it is started again at the same address. */
  stopLake(): Promise<void>
  startLake(): Promise<void>
  close(): Promise<void>
}

/** The build of Studio, if it is stale. */
const sharedBuild = shared(async () => {
  const build = buildForLake({projectId: 'local', dataset: 'production'}, listeningLog().log)
  await build.done
  return build
})

/** Starts everything over fresh content. Two publishers and an author have accounts. */
export async function startStudio(): Promise<RunningStudio> {
  const browser = await sharedBrowsers.withWebMcp()
  await sharedBuild()
  await gitLauncher()
  const folder = await mkdtemp(join(tmpdir(), 'handrail-studio-'))
  const {log, lines} = listeningLog()
  const contentDir = join(folder, 'content')
  let serviceAddress = ''
  const settings = {
    host: '127.0.0.1',
    contentDir,
    seedDir,
    projectId: 'local',
    dataset: 'production',
    scryptCost: CHEAP_SCRYPT,
    ...(await studioDir({projectId: 'local', dataset: 'production'})),
    studioPage: () => pageFor(serviceAddress),
    siteRules: SITE_RULES,
    textFiles: TEXT_FILES,
    uniqueRules: UNIQUE_RULES,
    reviewRules: REVIEW_RULES,
    documentRule: problemOf,
    logger: log,
  }
  let lake = await startLake({...settings, port: 0})
  const accounts = accountsIn(stateFolderOf({directory: contentDir}))
  for (const {name, email, password} of [adaLovelace, charlesBabbage]) {
    await accounts.addEditor({name, email, rights: everywhere('publisher')}, password)
  }
  const {password, ...grace} = graceHopper
  await accounts.addEditor({...grace, rights: everywhere('author')}, password)
  const port = Number(new URL(lake.address).port)
  let moved = 0
  const clock = () => Date.now() + moved
  const service = await startService(
    readServiceSettings({
      PORT: '0',
      SNAPSHOT_DIR: join(folder, 'snapshots'),
      SANITY_API_HOST: lake.address,
      SANITY_API_TOKEN: lake.serviceToken,
    }),
    log,
    {systemClock: clock, clock, scripts: await scriptsFor()},
  )
  serviceAddress = service.address
  const contexts: BrowserContext[] = []
  return {
    repository: contentRepositoryAt(contentDir),
    accounts,
    serviceAddress,
    lines,
    async newPage() {
      const context = await browser.newContext({viewport: VIEWPORT})
      contexts.push(context)
      await context.addInitScript(NO_ANIMATIONS)
      await context.addInitScript(KEEP_STATUS)
      return context.newPage()
    },
    at: (path) => `http://localhost:${port}${path}`,
    moveServiceClock(milliseconds) {
      moved += milliseconds
    },
    stopService: () => service.close(),
    stopLake: () => lake.close(),
    async startLake() {
      lake = await startLake({...settings, port})
    },
    async close() {
      for (const context of contexts) await context.close()
      await service.close()
      await lake.close()
      await rm(folder, {recursive: true, force: true})
    },
  }
}

/**
 * Starts everything, and signs an editor in at a path of Studio.
 * @param ready what the page shows when it has loaded
 * @param prepare is called before Studio loads
 * @returns also the errors in the page from then on
 */
export async function openStudio(
  path: string,
  ready: (page: Page) => Locator,
  prepare: (page: Page) => Promise<void> = async () => {},
) {
  const studio = await startStudio()
  try {
    const page = await studio.newPage()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await goToSignIn(page, studio, path)
    await prepare(page)
    await signIn(page, adaLovelace)
    // The first load compiles all scripts.
    await ready(page).waitFor({timeout: 60_000})
    return {studio, page, trouble: troubleOf(page)}
  } catch (error) {
    await studio.close()
    throw error
  }
}

/** Chooses the tab with all fields of a tool. One that is chosen while the form still loads is forgotten. */
export async function showAllFields(page: Page): Promise<void> {
  await fieldOf(page, 'name').waitFor()
  await page.getByRole('tab', {name: 'All fields'}).click()
}

/** The input of a field in the form. */
export function fieldOf(page: Page, name: string): Locator {
  return page.getByTestId(`field-${name}`).locator('input, textarea').first()
}

/** Replaces the script in the code editor. */
export async function writeScript(page: Page, script: string): Promise<void> {
  await page.getByTestId('code-javascript').locator('.cm-content').click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.insertText(script)
}

/** Waits until the changes of the form since the last call are saved. */
export async function saved(page: Page): Promise<void> {
  await eventually(() => page.evaluate('saving.isSaved && saving.isNew && !(saving.isNew = false)'), true)
}

/**
 * Waits until Studio marks a field as wrong, before you correct the last mistake. Studio offers to publish what it has not checked yet,
 * and loses a press when it finds a mistake that an earlier state had.
 */
export async function marked(page: Page, field: string): Promise<void> {
  await page.getByTestId(`field-${field}`).getByTestId('input-validation-icon-error').first().waitFor()
}

/** Goes to an address in Studio like its own links, without loading Studio again. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`)
}

/** Changes documents like a program, with the session of a page. */
export async function mutate(page: Page, ...mutations: object[]): Promise<void> {
  const status = await page.evaluate(async (body) => {
    const init = {method: 'POST', headers: {'content-type': 'application/json'}, body}
    return (await fetch('/v2025-02-19/data/mutate/production', init)).status
  }, JSON.stringify({mutations}))
  assert.equal(status, 200)
}

/** Opens the lake's page for signing in, which leads to a path of Studio. At that path, Studio would load twice. */
export async function goToSignIn(page: Page, studio: RunningStudio, path: string): Promise<void> {
  await page.goto(studio.at(`/login?to=${encodeURIComponent(path)}`))
}

/** Signs in at the lake's own page. */
export async function signIn(
  page: Page,
  {email, password}: {email: string; password: string},
): Promise<void> {
  await page.fill('input[name=email]', email)
  await page.fill('input[name=password]', password)
  await page.getByRole('button', {name: 'Sign in'}).click()
}
