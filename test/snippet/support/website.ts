import {createServer} from 'node:http'

/** What a website answers at a path. */
export type WebPage = {
  /** The document between its head and its end. */
  body?: string
  /** The head, instead of the tag of the snippet. */
  head?: string
  headers?: Record<string, string>
  /** A script instead of a document. */
  script?: string
}

/** Somebody's website, on an origin of its own. */
export type Website = {
  address: string
  /** By path. Any other path is an empty page with the snippet's tag. */
  pages: Map<string, WebPage>
  /** Paths that were asked for. */
  requests: string[]
  close(): Promise<void>
}

/** @param head of pages that say nothing else. */
export async function startWebsite(head: () => string): Promise<Website> {
  const server = createServer((request, response) => {
    const {pathname} = new URL(request.url ?? '/', 'http://localhost')
    website.requests.push(pathname)
    const page = website.pages.get(pathname) ?? {}
    if (page.script !== undefined) {
      response.writeHead(200, {'content-type': 'text/javascript; charset=utf-8'}).end(page.script)
      return
    }
    response.writeHead(200, {'content-type': 'text/html; charset=utf-8', ...page.headers})
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on TCP')
  // Another host than the service's, so that the two are as far apart as they are on the web.
  website.address = `http://localhost:${address.port}`
  return website
}
