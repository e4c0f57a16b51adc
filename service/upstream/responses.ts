import {isJsonObject} from '../../common/json.ts'
import {SiteOrUpstreamError} from '../errors.ts'
import type {Revised, RevisedSite, SiteDocument} from './siteDocument.ts'

/** One public ID's site, or `null` if no published site has it. */
type SiteResponse = {readonly site: SiteDocument | null}

/** Sites, of which only the public IDs are checked. */
type RevisionsResponse = {readonly sites: readonly {readonly publicId: string}[]}

/** What changed upstream since a date. */
export type ChangesResponse = {
  /** An ISO date of upstream's clock. */
  readonly now: string
  /** The number of documents that sites are made of. */
  readonly count: number
  /** Not all, if there are `MAX_CHANGED`. */
  readonly changed: readonly ChangedDocument[]
  /** Of a lake: another one after a change that has no date since. */
  readonly undated?: string | undefined
}

/** A document that changed, and the public ID of the site that it is or belongs to. */
type ChangedDocument = {
  readonly _id: string
  readonly _rev: string
  readonly _createdAt: string
  readonly publicId?: unknown
}

/** Maximum changed documents in a response, see `changesQuery`. */
export const MAX_CHANGED = 1_000

/**
 * Requires that a response has the expected shape. Status 200 is not a guarantee: a proxy's HTML page, a truncated
 * body or unrelated JSON must not be read as "this site was deleted".
 * @throws SiteOrUpstreamError
 */
export function assertResponse(isAsExpected: boolean): asserts isAsExpected {
  if (!isAsExpected)
    throw new SiteOrUpstreamError('The content lake returned something that is not this site.')
}

/** Narrows to a site with this public ID. Fields that may hold anything are checked during compilation. */
export function isSite(value: unknown, publicId: string): value is SiteDocument {
  return isRevisedSite(value) && 'publicId' in value && value.publicId === publicId
}

/** Narrows to the revisions of a site and of its tools. */
export function isRevisedSite(value: unknown): value is RevisedSite {
  return isRevised(value) && isListOf(isRevised, value.tools) && isListOf(isRevised, value.formTools)
}

/** Narrows to the response for a public ID. */
export function isSiteResponse(publicId: string, result: unknown): result is SiteResponse {
  return isJsonObject(result) && (result.site === null || isSite(result.site, publicId))
}

/**
 * Narrows to a list of sites that have these public IDs and no others. Each ID may occur several times or not
 * at all.
 */
export function isRevisionsResponse(
  publicIds: readonly string[],
  result: unknown,
): result is RevisionsResponse {
  const expected: ReadonlySet<unknown> = new Set(publicIds)
  return (
    isJsonObject(result) &&
    isListOf((site) => isJsonObject(site) && expected.has(site.publicId), result.sites)
  )
}

/** Narrows to what changed upstream. */
export function isChangesResponse(result: unknown): result is ChangesResponse {
  return (
    isJsonObject(result) &&
    isString(result.now) &&
    !Number.isNaN(Date.parse(result.now)) &&
    typeof result.count === 'number' &&
    isListOf((item) => isRevised(item) && isString(item._createdAt), result.changed)
  )
}

function isRevised(value: unknown): value is Revised & {readonly [field: string]: unknown} {
  return isJsonObject(value) && isString(value._id) && isString(value._rev)
}

function isListOf(isItem: (item: unknown) => boolean, value: unknown): boolean {
  return Array.isArray(value) && value.every(isItem)
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}
