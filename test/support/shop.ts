import type {ContentDocument} from './content.ts'

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
