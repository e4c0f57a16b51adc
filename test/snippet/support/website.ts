import {createServer} from 'node:http'
import {listen} from '../../support/network/ports.ts'

/** The response of a website at a path. */
export type WebPage = {
  /** The content of the body element. */
  body?: string
  /** The head, in place of the snippet's tag. */
  head?: string
  headers?: Record<string, string>
  status?: number
  /** A script in place of a document. */
  script?: string
}

/** A customer's website, on its own origin. */
export type Website = {
  address: string
  /** By path. Any other path is an empty page with the snippet's tag. */
  pages: Map<string, WebPage>
  /** Paths that were requested. */
  requests: string[]
  close(): Promise<void>
}

/** @param head default head of pages. */
export async function startWebsite(head: () => string): Promise<Website> {
  const server = createServer((request, response) => {
    const {pathname} = new URL(request.url ?? '/', 'http://localhost')
    website.requests.push(pathname)
    const page = website.pages.get(pathname) ?? {}
    if (page.script !== undefined) {
      response.writeHead(200, {'content-type': 'text/javascript; charset=utf-8'}).end(page.script)
      return
    }
    response.writeHead(page.status ?? 200, {'content-type': 'text/html; charset=utf-8', ...page.headers})
    response.end(
      `<!doctype html><html lang="en"><head><title>${pathname}</title><link rel="icon" href="data:,">` +
        `${page.head ?? head()}</head><body>${page.body ?? ''}</body></html>`,
    )
  })
  const website: Website = {
    address: '',
    pages: new Map(),
    requests: [],
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  const port = await listen(server)
  // A different host than the service's, so that the two are cross-site, as on the web.
  website.address = `http://localhost:${port}`
  return website
}
