import {createServer, type IncomingMessage} from 'node:http'
import {pino} from 'pino'
import {startShop} from '../../../examples/shop/shop.ts'
import {listen} from '../../support/network/ports.ts'

/** A response that replaces that of the website. Undefined: its own. */
export type Break = (path: string, own: OwnResponse) => Broken | undefined | Promise<Broken | undefined>

type OwnResponse = {
  readonly text: string
  readonly type: string
  /** Of the request. */
  readonly url: string
  readonly cookie: string
}
type Broken = {
  readonly status?: number
  readonly type?: string
  readonly body?: string
  readonly location?: string
}

/** A website behind a server that changes what it returns. */
export type BrokenSite = {
  readonly url: URL
  /** Changes what the website returns from now on. */
  breakWith(change: Break): void
  /** The requests that changed something at the website. */
  readonly changes: string[]
  close(): Promise<void>
}

/** The service that pages name. It does not run. */
export const SERVICE = 'http://127.0.0.1:9'

type Website = {readonly address: string; close(): Promise<void>}

function startDemoShop(): Promise<Website> {
  const site = {serviceOrigin: SERVICE, publicId: 'demo-shop'}
  return startShop({host: '127.0.0.1', port: 0, ...site, logger: pino({level: 'silent'})})
}

/** Starts a website, by default the demo shop. */
export async function startBrokenSite(
  policy?: (own: string) => string | undefined,
  start: () => Promise<Website> = startDemoShop,
): Promise<BrokenSite> {
  const website = await start()
  let change: Break = () => undefined
  const changes: string[] = []
  const server = createServer(async (request, response) => {
    const {
      method = 'GET',
      url = '/',
      headers: {cookie = ''},
    } = request
    if (method !== 'GET') changes.push(`${method} ${url}`)
    const own = await fetch(website.address + url, {
      method,
      headers: {cookie, 'content-type': request.headers['content-type'] ?? ''},
      redirect: 'manual',
      ...(method === 'GET' ? {} : {body: await bodyOf(request)}),
    })
    const text = await own.text()
    const type = own.headers.get('content-type') ?? 'text/plain'
    const broken = await change(url.replace(/\?.*/, ''), {text, type, url, cookie})
    const rules = own.headers.get('content-security-policy') ?? ''
    const headers = {
      'content-type': broken?.type ?? type,
      ...(own.headers.has('set-cookie') && {'set-cookie': own.headers.getSetCookie()}),
      ...(broken?.location !== undefined && {location: broken.location}),
      'content-security-policy': policy?.(rules) ?? rules,
    }
    response.writeHead(broken?.status ?? own.status, headers)
    response.end(broken?.body ?? text)
  })
  const port = await listen(server)
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    changes,
    breakWith(next) {
      change = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await website.close()
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}
