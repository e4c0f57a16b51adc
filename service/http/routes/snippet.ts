import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify'
import {pathParam} from '../../../common/http/pathParam.ts'
import {acceptedEncodings} from '../../encodings/acceptedEncodings.ts'
import {choose} from '../../encodings/representations.ts'
import {errors} from '../../errors.ts'
import type {ServiceEvents} from '../../events.ts'
import {heldEntityTag} from '../conditional.ts'
import {
  askSchema,
  callsSchema,
  latestSnippetSchema,
  makeSchema,
  noticesSchema,
  panelSchema,
  pinnedSnippetSchema,
  reportModuleSchema,
  testsSchema,
} from '../descriptions/scripts.ts'
import {FOREVER, JAVASCRIPT} from '../javascript.ts'
import {refuseOtherMethods} from '../methods.ts'
import type {PageScript, PageScripts} from '../pageScripts.ts'
import type {SnippetBuilds} from '../snippetBuilds.ts'

/**
 * The newest build. Browsers revalidate it after five minutes, and in the background for the following day.
 */
const LATEST_URL = '/snippet.js'
const LATEST_CACHE_CONTROL = 'public, max-age=300, stale-while-revalidate=86400'

/** A fixed build, this one or an earlier one, for pages that use it with a digest (https://www.w3.org/TR/SRI/). */
const PINNED_URL = '/snippet.:hash.js'

/** What the snippet loads on pages with tools, in its newest build. Proxies that forward the pinned URL forward it. */
const CALLS_URL = '/snippet.calls.js'

/** What the snippet loads to ask a visitor, in its newest build. */
const ASK_URL = '/snippet.ask.js'

/** What the snippet loads where a site counts calls, in its newest build. */
const REPORT_URL = '/snippet.report.js'

/** The panel, which the snippet loads for previews, in its newest build. */
const PANEL_URL = '/preview.js'

/** What the panel loads for its tab “Make a tool”. Proxies that forward the pinned URL forward it. */
const MAKE_URL = '/snippet.make.js'

/** What the panel loads to run tests of tools. */
const TESTS_URL = '/snippet.tests.js'

/** The licenses of the packages that the panel contains. */
const NOTICES_URL = '/third-party.txt'
const PLAIN_TEXT = {'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff'}

export type SnippetRouteOptions = {
  readonly scripts: PageScripts
  readonly builds: Pick<SnippetBuilds, 'earlier'>
  readonly events: ServiceEvents
}

/**
 * Serves the script that pages embed, and the panel. They have no rate limit: they belong to no site, need no
 * upstream query and are a few prepared bytes, and a page that is refused the script loses all its tools.
 */
export function snippetRoutes(
  app: FastifyInstance,
  {scripts: {snippet, calls, ask, report, panel, make, tests, notices}, builds, events}: SnippetRouteOptions,
): void {
  const sendSnippet = senderOf(snippet)
  const sendCalls = senderOf(calls)
  const sendAsk = senderOf(ask)
  const sendReport = senderOf(report)
  const sendPanel = senderOf(panel)
  const sendMake = senderOf(make)
  const sendTests = senderOf(tests)
  const sendNotices = senderOf(notices, PLAIN_TEXT)

  app.get(LATEST_URL, {schema: latestSnippetSchema(LATEST_CACHE_CONTROL)}, (request, reply) =>
    sendSnippet(request, reply, LATEST_CACHE_CONTROL),
  )
  app.get(PINNED_URL, {schema: pinnedSnippetSchema()}, async (request, reply) => {
    const hash = pathParam(request, 'hash')
    if (hash === snippet.hash) return sendSnippet(request, reply, FOREVER)
    const earlier = await builds.earlier(hash)
    events.emit('earlierSnippet', earlier !== undefined)
    if (earlier !== undefined) return senderOf(earlier)(request, reply, FOREVER)
    throw new errors.NOT_FOUND(
      'The snippet was updated, and this version is gone: use a new embed tag, or /snippet.js without integrity.',
    )
  })
  app.get(CALLS_URL, {schema: callsSchema(LATEST_CACHE_CONTROL)}, (request, reply) =>
    sendCalls(request, reply, LATEST_CACHE_CONTROL),
  )
  app.get(ASK_URL, {schema: askSchema(LATEST_CACHE_CONTROL)}, (request, reply) =>
    sendAsk(request, reply, LATEST_CACHE_CONTROL),
  )
  app.get(REPORT_URL, {schema: reportModuleSchema(LATEST_CACHE_CONTROL)}, (request, reply) =>
    sendReport(request, reply, LATEST_CACHE_CONTROL),
  )
  app.get(PANEL_URL, {schema: panelSchema(LATEST_CACHE_CONTROL)}, (request, reply) =>
    sendPanel(request, reply, LATEST_CACHE_CONTROL),
  )
  app.get(MAKE_URL, {schema: makeSchema(LATEST_CACHE_CONTROL)}, (request, reply) =>
    sendMake(request, reply, LATEST_CACHE_CONTROL),
  )
  app.get(TESTS_URL, {schema: testsSchema(LATEST_CACHE_CONTROL)}, (request, reply) =>
    sendTests(request, reply, LATEST_CACHE_CONTROL),
  )
  app.get(NOTICES_URL, {schema: noticesSchema(LATEST_CACHE_CONTROL)}, (request, reply) =>
    sendNotices(request, reply, LATEST_CACHE_CONTROL),
  )
  for (const url of [
    LATEST_URL,
    PINNED_URL,
    CALLS_URL,
    ASK_URL,
    REPORT_URL,
    PANEL_URL,
    MAKE_URL,
    TESTS_URL,
    NOTICES_URL,
  ])
    refuseOtherMethods(app, url)
}

/** Returns a function that sends a script, or another text with other headers. */
function senderOf(script: PageScript, headersOfText: Readonly<Record<string, string>> = JAVASCRIPT) {
  const {identity} = script
  return ({headers}: FastifyRequest, reply: FastifyReply, cacheControl: string): FastifyReply => {
    const accepted = acceptedEncodings(headers['accept-encoding'])
    const held = heldEntityTag(headers['if-none-match'], identity.entityTag, accepted)
    const {encoding, entityTag, body} = choose(script, accepted) ?? identity
    reply.headers({
      ...headersOfText,
      'cache-control': cacheControl,
      etag: held ?? entityTag,
      vary: 'Accept-Encoding',
    })
    if (held !== undefined) return reply.code(304).send()
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.send(body)
  }
}
