import {globSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {LAYOUT} from '../../cli/layout.ts'
import {jsonPath} from '../../content/layout/layout.ts'
import {assembleDocument} from '../../content/parseDocument.ts'
import type {ContentDocument} from './content.ts'

/** The content of the demo shop: the first commit of a new content repository. */
export const SHOP_CONTENT = fileURLToPath(new URL('../../examples/shop/content', import.meta.url))

/** The documents of the demo shop, put together from their files. */
export function shopDocuments(): ContentDocument[] {
  const read = (path: string) => readFileSync(join(SHOP_CONTENT, path))
  const paths = globSync('*/*', {cwd: SHOP_CONTENT}).map((path) => path.replaceAll('\\', '/'))
  const files = new Map(paths.map((path) => [path, read(path)]))
  return paths.flatMap((path) => {
    const place = LAYOUT.placeOf(path)
    if (place === undefined || path !== jsonPath(place)) return []
    const {type, id} = place
    const parsed = assembleDocument(LAYOUT, {type, id}, files)
    if ('problem' in parsed) throw new Error(`${parsed.path}: ${parsed.problem}`)
    return [{...parsed.document.content, _id: id, _type: type}]
  })
}

/** A site document that passes every rule. */
export function siteDocument(fields: Partial<ContentDocument> = {}): ContentDocument {
  return {_id: 'shop', _type: 'site', name: 'Shop', publicId: 'shop-public', pollInterval: 300, ...fields}
}

/** A tool document that passes every rule, on every page. */
export function toolDocument(fields: Partial<ContentDocument> = {}): ContentDocument {
  return {
    _id: 'search',
    _type: 'tool',
    site: {_ref: 'shop', _type: 'reference'},
    enabled: true,
    name: 'searchProducts',
    description: 'Searches the shop.',
    pathPattern: '/**',
    inputSchema: '{"type": "object", "properties": {"query": {"type": "string"}}}',
    executeJs: 'return args.query',
    exposedTo: [],
    annotations: {readOnlyHint: 'auto', consequentialHint: 'auto', untrustedContentHint: 'auto'},
    ...fields,
  }
}

/** A form tool document that passes every rule, on the contact page. */
export function formToolDocument(fields: Partial<ContentDocument> = {}): ContentDocument {
  return {
    _id: 'contact',
    _type: 'formTool',
    site: {_ref: 'shop', _type: 'reference'},
    enabled: true,
    name: 'contactUs',
    description: 'Sends a message to the shop.',
    pagePath: '/contact',
    selector: 'form#contact',
    autosubmit: false,
    ...fields,
  }
}
