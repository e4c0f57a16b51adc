import {SiteError} from '../errors.ts'
import type {SiteDocument} from './siteDocument.ts'

/**
 * Checks that a response has the expected shape. Status 200 is no guarantee: a proxy's HTML page, a truncated
 * body or unrelated JSON must not be read as "this site was deleted".
 * @throws SiteError
 */
export function assertResponse(isAsExpected: boolean): void {
  if (!isAsExpected) throw new SiteError('The content lake returned something that is not this site.')
}

/** Checks the parts of a site that the cache depends on. Other fields are checked during compilation. */
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

/** Checks the response for a public ID: its site, or `null` if no published site has it. */
export function isSiteResponse(publicId: string, result: unknown): boolean {
  if (typeof result !== 'object' || result === null || !('site' in result)) return false
  return result.site === null || isSite(result.site, publicId)
}

/**
 * Checks for a list of sites that have these public IDs and no others. Each ID may occur several times or not
 * at all. Other fields of a site may be invalid.
 */
export function isRevisionsResponse(publicIds: readonly string[], result: unknown): boolean {
  if (typeof result !== 'object' || result === null || !('sites' in result)) return false
  return isListOf((site) => publicIds.some((publicId) => hasPublicId(site, publicId)), result.sites)
}

/** Checks for a list of document revisions with dates. */
export function areDatedRevisions(value: unknown): boolean {
  return isListOf((item) => isRevised(item) && '_updatedAt' in item && isString(item._updatedAt), value)
}

/** Checks for a list of strings, such as sync tags. */
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
