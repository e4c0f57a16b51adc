import type {JsonObject} from '../../common/json.ts'
import {isDraftId, isPublishedId, isReviewId, publishedId} from '../../content/ids.ts'
import {idProblem, typeProblem} from '../../content/names.ts'

/** What an import does with a document. */
type Sorted =
  | {readonly kind: 'published' | 'draft'; readonly id: string; readonly type: string}
  | {
      readonly kind: 'left out'
      readonly reason: string
      readonly isProblem: boolean
      /** Names the document and says more; by default its id is enough. */
      readonly detail?: string
    }

/** https://www.sanity.io/docs/content-lake/asset-pipeline */
const ASSET_TYPES: ReadonlySet<unknown> = new Set(['sanity.imageAsset', 'sanity.fileAsset'])

/** The type of the secrets of preview links, which expire. */
const SECRET_TYPE = 'sanity.previewUrlSecret'

/** Decides what kind of document this is, and whether a repository can hold it. */
export function sortDocument({_id: id, _type: type}: JsonObject): Sorted {
  if (typeof id !== 'string' || typeof type !== 'string')
    return problem('without an "_id" or "_type": add them, so that importing again finds the same documents')
  if (id.startsWith('_.releases.')) return byDesign('releases: use branches of the content repository')
  if (id.startsWith('_.') || type.startsWith('system.'))
    return byDesign('system documents, which only hosted Sanity uses')
  if (isReviewId(id)) return byDesign('requests for reviews: request them again')
  if (type === SECRET_TYPE) return byDesign('secrets of preview links: Studio makes new ones')
  if (ASSET_TYPES.has(type)) return byDesign('assets: use addresses of files on your website')
  if (!isPublishedId(id) && !isDraftId(id)) return byDesign('versions of releases')
  const unfit = idProblem(publishedId(id)) ?? idProblem(id) ?? typeProblem(type)
  if (unfit !== undefined) return {...problem('that cannot be files'), detail: unfit}
  return {kind: isDraftId(id) ? 'draft' : 'published', id, type}
}

function byDesign(reason: string) {
  return {kind: 'left out', reason, isProblem: false} as const
}

function problem(reason: string) {
  return {kind: 'left out', reason, isProblem: true} as const
}
