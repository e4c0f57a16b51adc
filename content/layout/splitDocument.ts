import type {JsonObject} from '../../common/json.ts'
import {fileTextOf, UnfitDocumentError} from '../canonical.ts'
import {datesForFile, type GivenDates} from '../dates.ts'
import {type DocumentKey, jsonPath, type Layout} from './layout.ts'
import {writeText} from './textFile.ts'

/**
 * The files of a document: their contents by path. A text that a file cannot hold exactly, such as one with
 * half of a surrogate pair, stays in the JSON.
 * @param given dates that the commits of the document do not have
 * @throws UnfitDocumentError
 */
export function splitDocument(
  layout: Layout,
  key: DocumentKey,
  document: JsonObject,
  given: GivenDates = {},
): Map<string, string> {
  const path = jsonPath(key)
  const place = layout.placeOf(path)
  if (place?.field !== undefined) {
    const suffix = path.slice(`${key.type}/${place.id}`.length, -'.json'.length)
    throw new UnfitDocumentError(
      `the id of a document of the type "${key.type}" cannot end with "${suffix}", because ${path} would be the "${place.field}" of another document: choose another id`,
    )
  }
  const texts = new Map<string, string>()
  const rest: Record<string, unknown> = {...document}
  for (const [field, textPath] of layout.textPaths(key)) {
    const value = document[field]
    const content = typeof value === 'string' ? writeText(value) : undefined
    if (content === undefined) continue
    texts.set(textPath, content)
    delete rest[field]
  }
  return new Map([[path, fileTextOf(rest, datesForFile(document, given))], ...texts])
}
