import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify'
import {pathParam} from '../../../common/http/pathParam.ts'
import {fileOf} from '../../../snippet/build/built.ts'
import {encodingFor, entityTagIn} from '../../encodings/encodings.ts'
import {errors} from '../../errors.ts'
import {matchesEntityTag} from '../conditional.ts'
import {FOREVER, JAVASCRIPT} from '../javascript.ts'
import type {PageScript} from '../pageScripts.ts'
import type {Parts} from '../parts.ts'

/**
 * The newest build. Browsers revalidate it after five minutes, and in the background for the following day.
 */
const LATEST_URL = '/snippet.js'
const LATEST_CACHE_CONTROL = 'public, max-age=300, stale-while-revalidate=86400'

/** A fixed build, this one or an earlier one, for pages that use it with a digest (https://www.w3.org/TR/SRI/). */
const PINNED_URL = '/snippet.:hash.js'

/** The licenses of the packages that the panel contains. */
const NOTICES_URL = '/third-party.txt'
const PLAIN_TEXT = {'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff'}

/**
 * Serves the script that pages embed, and the panel. They have no rate limit: they belong to no site, need no
 * upstream query and are a few prepared bytes, and a page that is refused the script loses all its tools.
 */
export function snippetRoutes(
  app: FastifyInstance,
  {scripts: {snippet, modules, notices}, builds}: Parts,
): void {
  const sendSnippet = senderOf(snippet)
  const serveLatest = (url: string, send: ReturnType<typeof senderOf>) =>
    app.get(url, (request, reply) => send(request, reply, LATEST_CACHE_CONTROL))
  serveLatest(LATEST_URL, sendSnippet)
  app.get(PINNED_URL, (request, reply) => {
    const hash = pathParam(request, 'hash')
    if (hash === snippet.hash) return sendSnippet(request, reply, FOREVER)
    const earlier = builds.get(hash)
    if (earlier !== undefined) return senderOf(earlier)(request, reply, FOREVER)
    throw new errors.NOT_FOUND(
      'The snippet was updated, and this version is gone: use a new embed tag, or /snippet.js without integrity.',
    )
  })
  // Proxies that forward the pinned URL forward most of them.
  for (const [name, module] of modules) serveLatest(`/${fileOf(name)}`, senderOf(module))
  serveLatest(NOTICES_URL, senderOf(notices, PLAIN_TEXT))
}

/** Returns a function that sends a script, or another text with other headers. */
function senderOf(script: PageScript, headersOfText: Readonly<Record<string, string>> = JAVASCRIPT) {
  return ({headers}: FastifyRequest, reply: FastifyReply, cacheControl: string): FastifyReply => {
    const encoding = encodingFor(headers['accept-encoding'])
    const etag = entityTagIn(encoding, `"${script.hash}"`)
    reply.headers({
      ...headersOfText,
      'cache-control': cacheControl,
      etag,
      vary: 'Accept-Encoding',
    })
    if (matchesEntityTag(headers['if-none-match'], etag)) return reply.code(304).send()
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.send(script[encoding])
  }
}
