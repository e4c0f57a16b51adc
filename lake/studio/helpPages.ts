import {createHash} from 'node:crypto'
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import type {FastifyInstance, FastifyReply} from 'fastify'
import {pathParam} from '../../common/http/pathParam.ts'
import {htmlPage, PAGE_HEADERS, PAGE_STYLE} from '../page.ts'

const STYLE = `${PAGE_STYLE}
  nav, main { box-sizing: border-box; width: min(52rem, calc(100vw - 2rem)); margin: 1rem auto }
  nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; font-size: .875rem }
  main { padding: 1rem 2rem 2rem; overflow-wrap: anywhere }
  h1 { font-size: 1.5rem }
  h2 { margin-top: 2rem; font-size: 1.125rem }
  h3 { font-size: 1rem }
  code { font: .875em/1.5 ui-monospace, Menlo, Consolas, monospace; background: light-dark(#f2f3f5, #1f2029); border-radius: 3px; padding: .1em .25em }
  pre { overflow-x: auto; padding: .75rem 1rem; border-radius: 4px; background: light-dark(#f2f3f5, #1f2029) }
  pre code { padding: 0; background: none }
  img { max-width: 100% }
  .scroll { overflow-x: auto }
  table { border-collapse: collapse; font-size: .875rem; overflow-wrap: normal }
  th, td { padding: .4rem .6rem; border: 1px solid light-dark(#e3e4e8, #272a36); text-align: left; vertical-align: top }
  @media (max-width: 30rem) { main { padding: .5rem 1rem 1rem } }
`

const STYLE_DIGEST = createHash('sha256').update(STYLE).digest('base64')

/** The guides run no scripts and cannot be framed. */
const HEADERS = {
  ...PAGE_HEADERS,
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy': `default-src 'none'; img-src 'self'; style-src 'sha256-${STYLE_DIGEST}'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const

/**
 * Serves the guides for editors, which the build of Studio renders. Without a session: they contain nothing of the lake.
 * @param directory the folder with the rendered guides, which may be empty until Studio is built
 */
export function helpPages(app: FastifyInstance, directory: string): void {
  app.get('/help', {config: {access: 'open'}}, (_request, reply) => send(reply, directory, 'index'))
  app.get('/help/:page', {config: {access: 'open'}}, (request, reply) => {
    const page = pathParam(request, 'page')
    if (/^[\w-]+\.png$/.test(page)) return sendPicture(reply, directory, page)
    return /^[a-z-]+$/.test(page) && page !== 'index'
      ? send(reply, directory, page)
      : reply.redirect('/help', 302)
  })
}

async function send(reply: FastifyReply, directory: string, name: string): Promise<FastifyReply> {
  const content = await readFile(join(directory, `${name}.html`), 'utf8').catch(() => undefined)
  if (content !== undefined) return reply.headers(HEADERS).send(pageOf(content))
  if (name !== 'index') return reply.redirect('/help', 302)
  const waiting =
    '<h1>Help</h1>\n<p>The guides are being built, together with Studio. Load this page again in a minute.</p>\n'
  return reply
    .code(503)
    .headers({...HEADERS, 'retry-after': 10})
    .send(pageOf(waiting))
}

async function sendPicture(reply: FastifyReply, directory: string, file: string): Promise<FastifyReply> {
  const content = await readFile(join(directory, file)).catch(() => undefined)
  if (content === undefined) return reply.redirect('/help', 302)
  return reply.headers({...HEADERS, 'content-type': 'image/png'}).send(content)
}

function pageOf(content: string): string {
  const [, title = 'Help'] = /<h1[^>]*>(.*?)<\/h1>/.exec(content) ?? []
  return htmlPage(title, {
    style: STYLE,
    body: `<nav aria-label="Help"><a href="/help">All guides</a> <a href="/">Studio</a></nav>
<main>
${content}</main>`,
  })
}
