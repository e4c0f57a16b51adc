import {uuidOf} from '../../../service/site/uuid.ts'
import type {SiteDocument} from '../../../service/upstream/siteDocument.ts'
import {sizeOf} from './siteName.ts'
import {prose, script} from './words.ts'

type ToolDocument = SiteDocument['tools'][number]

/** Number of tools on every page of a site. They share the bytes of its smallest config. */
const EVERYWHERE = 5

/** Size of any other tool in a config, in bytes. */
const TYPICAL = 1_024

/**
 * Size in bytes of a tool in a config without its description and script, and of a config without its tools.
 */
const AROUND_TEXT = 333
const AROUND_TOOLS = 96

const INPUT_SCHEMA = JSON.stringify({
  type: 'object',
  properties: {
    search: {type: 'string', description: 'What to look for.'},
    limit: {type: 'integer', minimum: 1},
  },
})

/**
 * Returns the published site with this public ID in the format of a Content Lake. It is generated from the ID
 * alone.
 */
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
  return {
    _id: `site-${publicId}`,
    _rev: 'revision',
    publicId,
    enabled: null,
    pollInterval: 60,
    reportCalls: false,
    tools,
    formTools: [],
  }
}

/**
 * Returns the pattern of a tool that only some pages have: 60 % match one page, 25 % the pages of a section,
 * 15 % everything below a section.
 */
function patternOf(section: number): string {
  const kind = section % 20
  if (kind < 12) return `/section-${section}/page-${section}`
  return kind < 17 ? `/section-${section}/*` : `/section-${section}/**`
}

function toolOf(publicId: string, number: number, pathPattern: string, bytes: number): ToolDocument {
  const text = bytes - AROUND_TEXT
  const described = Math.min(250, Math.floor(text / 2))
  return {
    _id: uuidOf(`tool-${number}-${publicId}`),
    _rev: 'revision',
    name: `searchProducts${String(number).padStart(5, '0')}`,
    description: prose(described, number),
    pathPattern,
    inputSchema: INPUT_SCHEMA,
    executeJs: script(text - described, number),
    exposedTo: null,
    annotations: null,
    title: null,
    outputSchema: null,
  }
}
