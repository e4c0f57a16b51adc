import {isJsonObject, type JsonObject, jsonIn} from '../../common/json.ts'
import {UnfitDocumentError} from '../../content/canonical.ts'
import {jsonPath} from '../../content/layout/layout.ts'
import {splitDocument} from '../../content/layout/splitDocument.ts'
import {assembleDocument} from '../../content/parseDocument.ts'
import {changesOf, type FileChanges} from '../changes.ts'
import {documentsIn} from '../documents.ts'
import {LAYOUT} from '../layout.ts'
import type {Source} from '../source/source.ts'

/** What formatting a repository changes. */
export type FormatPlan = {
  readonly files: FileChanges
  /** The number of documents that change. */
  readonly documents: number
  /** Documents that stay as they are, and why. */
  readonly leftOut: readonly {readonly path: string; readonly reason: string}[]
}

/**
 * Plans how to write each document as the lake would write it.
 * @param isPretty whether to indent JSON Schemas, which gives their documents new revisions
 */
export function planFormat(source: Source, isPretty: boolean): FormatPlan {
  const files = new Map<string, string | undefined>()
  const leftOut: {readonly path: string; readonly reason: string}[] = []
  let documents = 0
  for (const document of documentsIn(source)) {
    const parsed = assembleDocument(LAYOUT, document.key, document.files)
    if ('problem' in parsed) {
      leftOut.push({path: parsed.path, reason: parsed.problem})
      continue
    }
    try {
      const {content, given} = parsed.document
      const formatted = isPretty ? pretty(content) : content
      const changes = changesOf(document, splitDocument(LAYOUT, document.key, formatted, given))
      for (const [path, text] of changes) files.set(path, text)
      if (changes.size > 0) documents += 1
    } catch (error) {
      if (!(error instanceof UnfitDocumentError)) throw error
      leftOut.push({path: jsonPath(document.key), reason: error.message})
    }
  }
  return {files, documents, leftOut}
}

const SCHEMAS = ['inputSchema', 'outputSchema']

function pretty(document: JsonObject): JsonObject {
  const texts = SCHEMAS.flatMap((field) => {
    const text = document[field]
    // The content check says what is wrong with other texts.
    const schema = typeof text === 'string' ? jsonIn(text) : undefined
    return isJsonObject(schema) ? [[field, JSON.stringify(schema, null, 2)]] : []
  })
  return {...document, ...Object.fromEntries(texts)}
}
