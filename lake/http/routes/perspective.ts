import type {Perspective} from '../../../content/store.ts'
import {refuse} from '../errors.ts'

/**
 * The perspective that a request names, or the default of its API version: `published` since 2025-02-19,
 * `raw` before. https://www.sanity.io/docs/content-lake/perspectives
 * @throws HttpError 400
 */
export function perspectiveOf(asked: string | undefined, version: string): Perspective {
  if (asked === undefined || asked === '') {
    return version !== 'X' && (version === '1' || version < '2025-02-19') ? 'raw' : 'published'
  }
  const stack = asked.split(',')
  if (stack.length > 1 && stack.includes('raw')) {
    throw refuse.badRequest('The raw perspective can not be combined with other perspectives')
  }
  const unknown = stack.find((name) => !['raw', 'published', 'drafts', 'previewDrafts'].includes(name))
  if (unknown !== undefined) {
    throw refuse.badRequest(
      `Unknown perspective "${unknown}": the lake supports raw, published and drafts, and has no releases`,
    )
  }
  if (stack[0] === 'raw') return 'raw'
  // The first entry wins, and published documents are always the fallback.
  return stack[0] === 'published' ? 'published' : 'drafts'
}
