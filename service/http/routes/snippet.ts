import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify'
import {pathParam} from '../../../common/pathParam.ts'
import {acceptedCodings} from '../../codings/acceptedCodings.ts'
import {choose, compressed, plain} from '../../codings/representations.ts'
import {errors} from '../../errors.ts'
import {heldEntityTag} from '../conditional.ts'
import {latestSnippetSchema, pinnedSnippetSchema} from '../descriptions/scripts.ts'
import {FOREVER, JAVASCRIPT} from '../javascript.ts'
import {refuseOtherMethods} from '../methods.ts'

/**
 * The newest build. Browsers revalidate it after five minutes, and in the background for the following day.
 */
const LATEST_URL = '/snippet.js'
const LATEST_CACHE_CONTROL = 'public, max-age=300, stale-while-revalidate=86400'

/** A fixed build, for pages that use it with a digest (https://www.w3.org/TR/SRI/). */
const PINNED_URL = '/snippet.:hash.js'

/** A build of the snippet. */
export type BuiltSnippet = {
  text: string
  /** Hash of the text. */
  hash: string
}

/**
 * Serves the script that pages embed. It has no rate limit: it belongs to no site, needs no upstream query
 * and is a few prepared bytes, and a page that is refused the script loses all its tools.
 */
export async function snippetRoutes(app: FastifyInstance, {text, hash}: BuiltSnippet): Promise<void> {
  const identity = plain(Buffer.from(text), `"${hash}"`)
  const [br, gzip] = await Promise.all([
    compressed(identity, 'br', 'most'),
    compressed(identity, 'gzip', 'most'),
  ])

  function send({headers}: FastifyRequest, reply: FastifyReply, cacheControl: string): FastifyReply {
    const accepted = acceptedCodings(headers['accept-encoding'])
    const held = heldEntityTag(headers['if-none-match'], identity.entityTag, accepted)
    const {coding, entityTag, body} = choose({identity, br, gzip}, accepted)
    reply.headers({
      ...JAVASCRIPT,
      'cache-control': cacheControl,
      etag: held ?? entityTag,
      vary: 'Accept-Encoding',
    })
    if (held !== undefined) return reply.code(304).send()
    if (coding !== 'identity') reply.header('content-encoding', coding)
    return reply.send(body)
  }

  app.get(LATEST_URL, {schema: latestSnippetSchema(LATEST_CACHE_CONTROL)}, (request, reply) =>
    send(request, reply, LATEST_CACHE_CONTROL),
  )
  app.get(PINNED_URL, {schema: pinnedSnippetSchema()}, (request, reply) => {
    if (pathParam(request, 'hash') === hash) return send(request, reply, FOREVER)
    throw new errors.NOT_FOUND(
      'The snippet was updated, and this version is gone: use a new embed tag, or /snippet.js without integrity.',
    )
  })
  for (const url of [LATEST_URL, PINNED_URL]) refuseOtherMethods(app, url)
}
