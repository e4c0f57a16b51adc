import {SiteError} from '../errors.ts'
import type {SiteDocument} from './siteDocument.ts'

/**
 * Checks that a response has the shape that was asked for. One with status 200 need not: a proxy's HTML page, half a
 * body or somebody else's JSON must not be read as "this site was deleted".
 * @throws SiteError
 */
export function assertResponse(isAsExpected: boolean): void {
  if (!isAsExpected) throw new SiteError('The content lake returned something that is not this site.')
}

/** A site of this public identifier, as far as all that is made of it rests on. Its fields are checked later. */
export function isSite(value: unknown, publicId: string): value is SiteDocument {
  return (
    isRevised(value) &&
    hasPublicId(value, publicId) &&
    'tools' in value &&
    isListOf(isRevised, value.tools) &&
    'formTools' in value &&
    isListOf(isRevised, value.formTools)
  )
}

/** What the queries say of a public identifier: its site, or `null` where no published site has it. */
export function isSiteResponse(publicId: string, result: unknown): boolean {
  if (typeof result !== 'object' || result === null || !('site' in result)) return false
  return result.site === null || isSite(result.site, publicId)
}

/** A list of sites with these public IDs and no others: none, one or several of each. The rest of a site may be wrong. */
export function isRevisionsResponse(publicIds: readonly string[], result: unknown): boolean {
  if (typeof result !== 'object' || result === null || !('sites' in result)) return false
  return isListOf((site) => publicIds.some((publicId) => hasPublicId(site, publicId)), result.sites)
}

/** Revisions of documents with their dates. */
export function areDatedRevisions(value: unknown): boolean {
  return isListOf((item) => isRevised(item) && '_updatedAt' in item && isString(item._updatedAt), value)
}

/** A list of texts, such as sync tags. */
export function areStrings(value: unknown): value is string[] {
  return isListOf(isString, value)
}

function hasPublicId(value: unknown, publicId: string): boolean {
  return typeof value === 'object' && value !== null && 'publicId' in value && value.publicId === publicId
}

type Revised = {_id: string; _rev: string}

function isRevised(value: unknown): value is Revised {
  return (
    typeof value === 'object' &&
    value !== null &&
    '_id' in value &&
    isString(value._id) &&
    '_rev' in value &&
    isString(value._rev)
  )
}

function isListOf(isItem: (item: unknown) => boolean, value: unknown): boolean {
  return Array.isArray(value) && value.every(isItem)
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}
