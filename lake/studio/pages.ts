import {createHash} from 'node:crypto'
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import fastifyStatic from '@fastify/static'
import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify'
import {pathParam} from '../../common/http/pathParam.ts'
import {refuse} from '../http/errors.ts'
import type {PageAdditions} from '../lakeSettings.ts'
import {escapeHtml, htmlPage, PAGE_HEADERS, PAGE_STYLE} from '../page.ts'

/** File names with a content hash: their content never changes. */
const HASHED = /-[\w-]{8}\.(?:js|css|woff2?)$/
const YEAR = '365d'

const NOT_BUILT_YET = htmlPage('Studio is being built', {
  // Without an icon of its own, browsers ask for one that is not built yet either.
  head: '\n<meta http-equiv="refresh" content="2">\n<link rel="icon" href="data:,">',
  style: `${PAGE_STYLE}body { display: grid; place-content: center; min-height: 100vh; text-align: center }`,
  body: `<h1>Studio is being built</h1>
<p>This takes a few seconds, and then this page loads Studio. If it does not, the log says why.</p>`,
})

/**
 * Serves a built Studio at `/`: its files, and its page for every address that a person can open in it. The
 * folder may be empty until Studio is built.
 */
export function studioPages(
  app: FastifyInstance,
  directory: string,
  additions: () => PageAdditions = () => ({meta: {}, connectTo: []}),
): void {
  app.register(fastifyStatic, {root: directory, serve: false, preCompressed: true, dotfiles: 'ignore'})
  app.get('/*', {config: {access: 'open'}}, (request, reply) => {
    const path = pathParam(request, '*')
    reply.headers({'referrer-policy': 'same-origin', 'content-security-policy': "frame-ancestors 'none'"})
    // HTML needs the complete policy, also when it is requested by file name.
    if (/\.[a-z\d]+$/i.test(path) && !/\.html?$/i.test(path)) {
      return HASHED.test(path)
        ? reply.sendFile(path, {maxAge: YEAR, immutable: true})
        : reply.sendFile(path, {maxAge: 0})
    }
    if (!isNavigation(request, path)) throw refuse.notFound()
    return sendPage(request, reply, directory, additions())
  })
}

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  directory: string,
  {meta, connectTo}: PageAdditions,
): Promise<FastifyReply> {
  const html = await readFile(join(directory, 'index.html'), 'utf8').catch(() => undefined)
  const page = html === undefined ? NOT_BUILT_YET : withMeta(html, meta)
  if (html === undefined) reply.code(503).header('retry-after', 2)
  return reply
    .headers({
      ...PAGE_HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': contentSecurityPolicy(page, request.headers.host, connectTo),
    })
    .send(page)
}

/**
 * Whether a person opens an address, as opposed to a program that requests an API route that does not exist.
 */
function isNavigation(request: FastifyRequest, path: string): boolean {
  return !/^v[\dX][^/]*\//.test(path) && (request.headers.accept ?? '').includes('text/html')
}

function withMeta(html: string, meta: PageAdditions['meta']): string {
  const tags = Object.entries(meta).map(
    ([name, content]) => `<meta name="${escapeHtml(name)}" content="${escapeHtml(content)}">`,
  )
  return html.replace(/<head(?:\s[^>]*)?>/i, (head) => head + tags.join(''))
}

const INLINE_SCRIPT = /<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g

/**
 * The Content-Security-Policy of Studio's page: this host, and the added origins. Inline scripts are allowed
 * by their digests, so no others run; styled-components needs inline styles. https://www.w3.org/TR/CSP3/
 */
export function contentSecurityPolicy(
  html: string,
  host: string | undefined,
  connectTo: readonly string[],
): string {
  const digests = [...html.matchAll(INLINE_SCRIPT)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
  return [
    "default-src 'self'",
    `script-src ${["'self'", ...digests].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    // Some browsers do not treat a WebSocket to the page's own host as 'self'.
    `connect-src ${["'self'", ...sockets(host), ...connectTo].join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function sockets(host: string | undefined): string[] {
  // The client chooses this header, so it must not be able to add directives.
  return host !== undefined && /^[\w.-]+(?::\d+)?$|^\[[\da-f:]+\](?::\d+)?$/i.test(host)
    ? [`ws://${host}`, `wss://${host}`]
    : []
}
