import {documentFor} from './documents.ts'

/** The secret of every preview link of the benchmark. */
export const PREVIEW_SECRET = 'the-secret-of-a-benchmark'

/** The serial of sites in which an editor types. */
export const TYPED_SERIAL = 1

/** Whether an editor types in a generated site. */
export function isTypedIn(siteId: string): boolean {
  return siteId.endsWith(`-${TYPED_SERIAL}`)
}

/** The documents of secrets, as Studio makes them. */
export function previewSecrets() {
  return [{_id: 'drafts.bench', _updatedAt: new Date().toISOString(), secret: PREVIEW_SECRET}]
}

/** The ID of a generated site. */
export function siteIdOf(publicId: string): string {
  return `site-${publicId}`
}

/** All documents of a generated site as they are stored. */
export function storedDocumentsOf(siteId: string) {
  const site = documentFor(siteId.slice(siteIdOf('').length))
  if (!site) return []
  const {tools, formTools: _none, ...fields} = site
  const stored = tools.map((tool) => ({...tool, _type: 'tool', enabled: true, site: {_ref: siteId}}))
  return [{...fields, _type: 'site'}, ...stored]
}

/** The draft of a site's first tool after a number of keystrokes. */
export function draftAfter(siteId: string, keystrokes: number) {
  const [, tool] = storedDocumentsOf(siteId)
  return {
    ...tool,
    _id: `drafts.${tool?._id}`,
    _rev: `draft-${keystrokes}`,
    description: `Typed ${keystrokes} times.`,
  }
}
