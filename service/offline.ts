import {evaluate, parse} from 'groq-js'
import {buildModule, buildSnippet} from '../snippet/build/build.ts'
import {fileOf} from '../snippet/build/built.ts'
import {configFor} from './site/answer.ts'
import {SiteCompiler} from './site/compile.ts'
import {scriptModuleOf} from './site/scriptModule.ts'
import {siteQuery} from './upstream/queries.ts'
import {isSiteResponse} from './upstream/responses.ts'

/** A site served from documents in memory, without a server: what pages get is what the service would send. */
export type OfflineSite = {
  /** The body of the config for a page. */
  configOn(path: string): string
  /** Responds to a request of the snippet or for it. Any origin may read that. Undefined: it is for something else. */
  respond(url: URL): {status: number; contentType: string; body: string} | undefined
}

/** The modules that pages load in tests. */
const OFFLINE_MODULES = ['calls', 'conditions'] as const

/** The path of the service, below any base: see `http/routes/`. */
const SITE = /\/api\/sites\/([^/]+)\/(?:config|tools\/([^/]+)\/([^/]+)\.js)$/

const JAVASCRIPT = 'text/javascript; charset=utf-8'

/** Built for the first site: to minify them takes most of a second. */
let built: Promise<ReadonlyMap<string, string>> | undefined

async function buildScripts() {
  const {text, hash} = await buildSnippet()
  const modules = OFFLINE_MODULES.map(async (name) => [fileOf(name), (await buildModule(name)).text] as const)
  return new Map([['snippet.js', text], [`snippet.${hash}.js`, text], ...(await Promise.all(modules))])
}

/**
 * Compiles the published site with a public ID.
 * @param documents all documents, as stored
 * @throws SiteError if the site is too large
 */
export async function serveOffline(
  publicId: string,
  documents: readonly object[],
): Promise<OfflineSite | undefined> {
  const params = {publicId, served: ''}
  const found = await evaluate(parse(siteQuery, {params}), {dataset: documents, params})
  const answer: unknown = await found.get()
  if (!isSiteResponse(publicId, answer) || answer.site === null) return undefined
  const compiler = new SiteCompiler()
  // Calls of tests are no calls of agents, and no visitor is there to be asked.
  const document = {...answer.site, reportCalls: false, askBefore: 'never'}
  const site = await compiler.compile(document).finally(() => compiler.close())
  built ??= buildScripts()
  const scripts = await built
  const configOn = (path: string) => configFor(site, path).encode().toString()

  return {
    configOn,
    respond(url) {
      const file = url.pathname.replace(/^.*\//, '')
      // An earlier build, which a page names with its integrity, comes from the service that has it.
      const body = scripts.get(file)
      if (body !== undefined) return {status: 200, contentType: JAVASCRIPT, body}
      // The panel of a demo: without it, the snippet does what it does for visitors.
      if (file === fileOf('panel')) return NOT_FOUND
      const [, id, toolId, revision] = SITE.exec(url.pathname) ?? []
      if (id !== publicId) return undefined
      const config = configOn(url.searchParams.get('path') ?? '/')
      if (!toolId || !revision) return {status: 200, contentType: 'application/json', body: config}
      const module = scriptModuleOf(site, toolId, revision)
      return module === undefined ? NOT_FOUND : {status: 200, contentType: JAVASCRIPT, body: module}
    },
  }
}

const NOT_FOUND = {status: 404, contentType: 'text/plain', body: ''}
