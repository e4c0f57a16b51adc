import type {JsonObject} from '../common/json.ts'
import {revisionOf} from './canonical.ts'
import {parseIsoTime} from './isoTime.ts'

/** Dates that a document was given by an import or a client, as opposed to those of its commits. */
export type GivenDates = {readonly createdAt?: string; readonly updatedAt?: string}

/** ISO 8601 in UTC, as Sanity writes dates: texts of this form can be compared and sorted. */
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/

/** The dates that a document names. Others than ISO 8601 in UTC are left out. */
export function datesNamedBy({_createdAt, _updatedAt}: JsonObject): GivenDates {
  return {
    ...(isDate(_createdAt) && {createdAt: _createdAt}),
    ...(isDate(_updatedAt) && {updatedAt: _updatedAt}),
  }
}

/**
 * The dates that a new document names and may keep. Dates of the future are not accepted: secrets of previews would
 * never expire.
 * @param now ISO 8601
 */
export function pastDatesNamedBy(document: JsonObject, now: string): GivenDates {
  const {createdAt, updatedAt} = datesNamedBy(document)
  const isPast = (date: string) => Date.parse(date) <= Date.parse(now)
  return {
    ...(createdAt !== undefined && isPast(createdAt) && {createdAt}),
    ...(updatedAt !== undefined && isPast(updatedAt) && {updatedAt}),
  }
}

/**
 * The dates that the JSON of a document contains. `_updatedAt` counts as long as the content is that of `_rev` in
 * the same file: someone who edits the content by hand need not know about either of them.
 * @param revision of the document, with its texts
 */
export function datesInFile(json: JsonObject, revision: string): GivenDates {
  const {createdAt, updatedAt} = datesNamedBy(json)
  return {
    ...(createdAt !== undefined && {createdAt}),
    ...(updatedAt !== undefined && json._rev === revision && {updatedAt}),
  }
}

/**
 * The attributes for {@link datesInFile}.
 * @throws UnfitDocumentError
 */
export function datesForFile(document: JsonObject, {createdAt, updatedAt}: GivenDates): JsonObject {
  return {
    ...(createdAt !== undefined && {_createdAt: createdAt}),
    ...(updatedAt !== undefined && {_rev: revisionOf(document), _updatedAt: updatedAt}),
  }
}

function isDate(value: unknown): value is string {
  return typeof value === 'string' && UTC.test(value) && parseIsoTime(value) !== undefined
}
