import {releaseId} from '../../../content/ids.ts'
import type {DocumentStore, Perspective} from '../../../content/store.ts'
import {refuse} from '../errors.ts'

/** The first version of the API whose perspective may be a list. */
const STACKS_SINCE = '2025-02-19'

/** Maximum perspectives in a list, Sanity's bound. */
const MAX_LAYERS = 51

/**
 * The perspective that a request names, or the default of its API version: `published` since 2025-02-19,
 * `raw` before. https://www.sanity.io/docs/content-lake/perspectives
 * @throws HttpError 400
 */
export function perspectiveOf(
  asked: string | undefined,
  version: string,
  store: Pick<DocumentStore, 'get'>,
): Perspective {
  const isOld = version !== 'X' && (version === '1' || version < STACKS_SINCE)
  if (asked === undefined || asked === '') return isOld ? 'raw' : 'published'
  const stack = asked.split(',').map((name) => (name === 'previewDrafts' ? 'drafts' : name))
  if (stack.length > 1 && stack.includes('raw'))
    throw refuse.badRequest('The raw perspective can not be combined with other perspectives')
  if (stack.length > MAX_LAYERS) throw refuse.badRequest(`A perspective can have at most ${MAX_LAYERS} names`)
  const unfit = stack.find((name) => !/^[A-Za-z0-9_-]{1,64}$/.test(name))
  if (unfit !== undefined) throw refuse.badRequest(`"${unfit}" is not the name of a perspective or a release`)
  if (stack[0] === 'raw') return 'raw'
  const isRelease = (name: string) => name !== 'drafts' && name !== 'published'
  if (isOld && stack.some(isRelease))
    throw refuse.badRequest(`Perspectives with releases need API version ${STACKS_SINCE} or later`)
  // The first entry wins, and published documents are always the fallback.
  const end = stack.indexOf('published')
  const layers = (end === -1 ? stack : stack.slice(0, end)).filter(
    (name) => !isRelease(name) || store.get(releaseId(name)) !== undefined,
  )
  return layers.length === 0 ? 'published' : [...new Set(layers)].join(',')
}
