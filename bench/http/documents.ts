import type {SiteDocument} from '../../service/upstream/siteDocument.ts'
import {type SiteSize, sizeOf} from './siteName.ts'
import {prose, script} from './words.ts'

type ToolDocument = SiteDocument['tools'][number]

/** Tools that every page of a site has. They share the bytes of its smallest answer. */
const EVERYWHERE = 5

/** Bytes of any other tool in an answer. */
const TYPICAL = 1_024

/** Bytes of a tool in an answer beside its description and script, and of an answer beside its tools. */
const AROUND_TEXT = 333
const AROUND_TOOLS = 96

const INPUT_SCHEMA = JSON.stringify({
  type: 'object',
  properties: {
    search: {type: 'string', description: 'What to look for.'},
    limit: {type: 'integer', minimum: 1},
  },
})

/** The published site with this public identifier, as Content Lake answers for it: made up from its name alone. */
export function documentFor(publicId: string): SiteDocument | null {
  const size = sizeOf(publicId)
  if (!size) return null
  const everywhere = Math.min(size.tools, EVERYWHERE)
  const share = Math.floor((size.bytes - AROUND_TOOLS) / everywhere)
  const tools = Array.from({length: size.tools}, (_, number) =>
    number < everywhere
      ? toolOf(publicId, number, '/**', share)
      : toolOf(publicId, number, patternOf(number - everywhere), TYPICAL),
  )
  return {_id: `site-${publicId}`, _rev: 'revision', publicId, pollInterval: 60, tools, formTools: []}
}

/** The patterns of tools that only some pages have: 60 % name one page, 25 % pages of a section, 15 % all below it. */
function patternOf(section: number): string {
  const kind = section % 20
  if (kind < 12) return `/section-${section}/page-${section}`
  return kind < 17 ? `/section-${section}/*` : `/section-${section}/**`
}

/** The path of a page, as a template of its number: one in a section of its own as long as there are tools for it. */
export function pageTemplate({tools}: Pick<SiteSize, 'tools'>): string {
  return `/section-{n%${Math.max(1, tools - EVERYWHERE)}}/page-{n}`
}

function toolOf(publicId: string, number: number, pathPattern: string, bytes: number): ToolDocument {
  const text = bytes - AROUND_TEXT
  const described = Math.min(250, Math.floor(text / 2))
  return {
    _id: `tool-${number}-${publicId}`,
    _rev: 'revision',
    name: `searchProducts${String(number).padStart(5, '0')}`,
    description: prose(described, number),
    pathPattern,
    inputSchema: INPUT_SCHEMA,
    executeJs: script(text - described, number),
    exposedTo: null,
    annotations: null,
  }
}
