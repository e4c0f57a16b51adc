import {type Entry, newEntry} from '../../../service/cache/entries.ts'
import {type SiteDocument, siteRevisionOf} from '../../../service/upstream/siteDocument.ts'
import {compileSite} from './compile.ts'

/** The cache entry of a public ID that was just fetched. */
export async function entryOf(publicId: string, document: SiteDocument | null): Promise<Entry> {
  return newEntry({
    publicId,
    site: document && (await compileSite(document)),
    revision: siteRevisionOf(document),
    validatedAt: 0,
    usedAt: 0,
    fromSnapshot: false,
    keptAt: 0,
  })
}

/** A site without tools. */
export function documentOf(publicId: string): SiteDocument & {publicId: string} {
  return {
    _id: `${publicId}-id`,
    _rev: '1',
    publicId,
    enabled: null,
    pollInterval: 300,
    tools: [],
    formTools: [],
  }
}

export type ToolDocument = SiteDocument['tools'][number]

/** A tool of a site, as upstream returns it. */
export function toolOf(tool: number, fields: Partial<ToolDocument> = {}): ToolDocument {
  return {
    _id: `tool-${tool}`,
    _rev: 'first',
    name: `tool${tool}`,
    description: 'Does it.',
    pathPattern: '/**',
    inputSchema: '{"type": "object", "properties": {}}',
    executeJs: 'return 1',
    exposedTo: [],
    annotations: null,
    title: null,
    outputSchema: null,
    ...fields,
  }
}

/** A site with this many tools. */
export function siteOfTools(
  number: number,
  tools: number,
  fieldsOf: (tool: number) => Partial<ToolDocument>,
): SiteDocument & {publicId: string} {
  return {
    _id: `site-${number}`,
    _rev: `revision-of-site-${number}`,
    publicId: `public-${number}`,
    enabled: null,
    pollInterval: 300,
    formTools: [],
    tools: Array.from({length: tools}, (_, tool) =>
      toolOf(tool, {
        _id: `tool-${tool}-of-site-${number}`,
        _rev: `revision-of-tool-${tool}`,
        ...fieldsOf(tool),
      }),
    ),
  }
}
