import assert from 'node:assert/strict'
import type {Browser, BrowserContext, Page} from 'playwright-core'
import {sharedBrowsers} from '../../support/browser.ts'
import type {ContentDocument} from '../../support/content.ts'
import {eventually} from '../../support/eventually.ts'
import {type House, type SmallHouse, startSmallHouse} from '../../support/house.ts'
import {type Fault, type FaultyNetwork, startFaultyNetwork} from '../../support/network/network.ts'
import {type Agent, agentOf} from './agent.ts'
import {startWebsite, type Website} from './website.ts'

/**
 * Everything between published documents and an agent: a lake, a service, a network that can be broken, a website,
 * and a browser, which is not closed with them.
 */
export type Stage<Lake extends House | SmallHouse = House | SmallHouse> = {
  house: Lake
  /** Between the browser and the service. */
  network: FaultyNetwork
  website: Website
  browser: Browser
  /** The snippet's tag, for the site `shop-public`. */
  tag(attributes?: string, siteId?: string): string
  /** A new tab, which is closed at the end of `use`. */
  visit(path: string, use: (visit: Visit) => Promise<void>, options?: VisitOptions): Promise<void>
  /** Publishes documents, and waits until the service serves a changed config at a path. */
  publish(documents: ContentDocument[], path?: string): Promise<void>
  /** Makes the network respond to requests for configs. Undefined: the service responds again. */
  answerConfigs(body: unknown, answer?: {status?: number; headers?: Record<string, string>}): void
  /** Requests for configs since they were last forgotten, as `GET /path 200`. */
  configRequests(): string[]
  /** Waits until these are the requests for configs, and forgets them. */
  requested(...expected: string[]): Promise<void>
  forgetRequests(): void
  close(): Promise<void>
}

export type VisitOptions = {
  /** Before the page loads. */
  prepare?: (page: Page, context: BrowserContext) => Promise<unknown>
  /** Does not wait for the snippet. */
  isUnready?: boolean
  /** Another browser than the stage's. */
  browser?: Browser
}

export type Visit = {
  page: Page
  agent: Agent
  /** The page's console messages, as `warning: text`. */
  lines: string[]
  /** The snippet's messages only. */
  said(): string[]
  refresh(): Promise<void>
  /** What the page knows of the site. Undefined before the snippet has loaded. */
  knownSite(): Promise<KnownSite | undefined>
  site(): Promise<KnownSite>
}

type KnownSite = {
  state: string
  path: string
  tools: string[]
  forms: string[]
  problems: Record<string, string>
  changes: number
  error?: string
}

/** @param options another browser than the shared one with WebMCP, and variables of the service. */
export async function startStage(
  documents: ContentDocument[],
  {browser, environment}: {browser?: Browser; environment?: NodeJS.ProcessEnv} = {},
): Promise<Stage<SmallHouse>> {
  return stageOver(() => startSmallHouse(documents, {RATE_LIMIT_MAX: '100000', ...environment}), browser)
}

/** The same over a lake of its own, or another service. */
export async function stageOver<Lake extends House | SmallHouse>(
  start: () => Promise<Lake>,
  chosen?: Browser,
): Promise<Stage<Lake>> {
  // Before the processes of a lake: those that end meanwhile would count as the browser's.
  const browser = chosen ?? (await sharedBrowsers.withWebMcp())
  const house = await start()
  // Later, the service has a config in any case. A lake that is slow at first would be an error in the page's console.
  // A body that is not read keeps its connection open.
  const answered = async (path?: string) => {
    const response = await house.config('shop-public', path)
    await response.arrayBuffer()
    return response
  }
  await eventually(async () => (await answered()).status, 200)
  const network = await startFaultyNetwork(house.serviceAddress)
  const tag: Stage['tag'] = (attributes = '', siteId = 'shop-public') =>
    `<script async src="${network.address}/snippet.js" data-site="${siteId}" ${attributes}></script>`
  const website = await startWebsite(() => tag())

  let forgotten = 0
  const stage: Stage<Lake> = {
    house,
    network,
    website,
    browser,
    tag,
    async visit(path, use, {prepare, isUnready = false, browser = stage.browser} = {}) {
      const context = await browser.newContext()
      try {
        const page = await context.newPage()
        const lines: string[] = []
        page.on('console', (message) => lines.push(`${message.type()}: ${message.text()}`))
        page.on('pageerror', (error) => lines.push(`thrown: ${error.message}`))
        await prepare?.(page, context)
        const agent = await agentOf(page)
        await page.goto(website.address + path)
        const visit: Visit = {
          page,
          agent,
          lines,
          said: () => lines.filter((line) => line.includes('[handrail]')),
          refresh: () => page.evaluate('handrail.refresh()'),
          knownSite: () => page.evaluate('globalThis.handrail?.sites["shop-public"]'),
          site: () => page.evaluate('handrail.sites["shop-public"]'),
        }
        // Not waitForFunction, which fails if the page's policy forbids eval.
        if (!isUnready) await eventually(visit.knownSite, (known) => known?.state === 'ready')
        await use(visit)
      } finally {
        await context.close()
      }
    },
    async publish(changed, path = '/') {
      const tagOf = async () => (await answered(path)).headers.get('etag')
      const before = await tagOf()
      await house.repository.commit(changed)
      await eventually(tagOf, (after) => after !== before)
    },
    answerConfigs(body, {status = 200, headers = {}} = {}) {
      const answer: Fault = {
        kind: 'answer',
        status,
        contentType: 'application/json',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: {...EXPOSED, ...headers},
      }
      network.fault = body === undefined ? {kind: 'none'} : (url) => (isConfig(url) ? answer : {kind: 'none'})
    },
    configRequests() {
      const requests = network.exchanges.slice(forgotten).filter(({url}) => isConfig(url))
      return requests.map(({method, url, status}) => {
        const path = new URL(url, network.address).searchParams.get('path')
        return `${method} ${path} ${status}`
      })
    },
    async requested(...expected) {
      await eventually(
        async () => stage.configRequests(),
        (found) => JSON.stringify(found) === JSON.stringify(expected),
      )
      stage.forgetRequests()
    },
    forgetRequests() {
      forgotten = network.exchanges.length
    },
    async close() {
      await website.close()
      await network.close()
      await house.close()
    },
  }
  return stage
}

/** CORS headers of every response of the service to pages of other origins. */
const EXPOSED = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Age, Date, Retry-After',
}

export function isConfig(url: string): boolean {
  return url.includes('/config?')
}

/** Fails if a page logged anything but the expected messages. */
export function assertQuiet(lines: string[], ...expected: RegExp[]): void {
  const unexpected = lines.filter((line) => !expected.some((pattern) => pattern.test(line)))
  assert.deepEqual(unexpected, [])
}
