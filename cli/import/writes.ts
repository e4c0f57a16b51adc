import {errorMessage} from '../../common/errorMessage.ts'
import type {JsonObject} from '../../common/json.ts'
import {revisionOf, UnfitDocumentError} from '../../lake/documents/canonical.ts'
import {pastDatesNamedBy} from '../../lake/documents/dates.ts'
import type {Layout} from '../../lake/documents/layout/layout.ts'
import {splitDocument} from '../../lake/documents/layout/splitDocument.ts'
import {MAX_DOCUMENT_BYTES, MAX_FILE_BYTES} from '../../lake/documents/parseDocument.ts'
import type {UniqueValues} from '../../lake/documents/uniqueValues.ts'
import {brokenFields} from '../check/rules.ts'
import {CommandError} from '../command.ts'
import {DocumentGroups} from '../transfer/documentGroups.ts'
import {checkDraft, type ImportedDraft} from './drafts.ts'
import {sortDocument} from './sort.ts'

/** A published document to be written. */
export type Write = {
  /** The contents of its files, by path. */
  readonly files: ReadonlyMap<string, string>
  /** Paths at which an earlier state may have had files. */
  readonly removed: readonly string[]
}

/** What the repository has already. */
export type Known = {
  readonly layout: Layout
  readonly documents: ReadonlyMap<string, {readonly _type: string; readonly _rev: string}>
  readonly unique: UniqueValues
  /** The names of the files that are in no folder, such as `lake.json`: a type cannot have one of them. */
  readonly rootFiles: readonly string[]
}

/** What became of the documents. */
export class Tally {
  readonly leftOut: DocumentGroups
  readonly broken = new DocumentGroups('To correct')
  created = 0
  replaced = 0
  kept = 0
  unchanged = 0
  /** The drafts, if they are wanted. */
  readonly drafts: ImportedDraft[] | undefined
  /** The revision of each published document that was read. */
  readonly revisions = new Map<string, string>()

  constructor(leftOut: DocumentGroups, withDrafts: boolean) {
    this.leftOut = leftOut
    this.drafts = withDrafts ? [] : undefined
  }
}

/**
 * Yields the documents that have to be written, and counts the others.
 * @param missingOnly keeps documents that the repository has with other content
 * @throws CommandError if an id occurs twice
 */
export async function* writesFor(
  source: AsyncIterable<JsonObject>,
  {layout, documents, unique, rootFiles}: Known,
  missingOnly: boolean,
  tally: Tally,
): AsyncGenerator<Write> {
  const names = new NameGuard(documents, rootFiles)
  const now = new Date().toISOString()
  for await (const document of source) {
    const sorted = sortDocument(document)
    const name = String(document._id ?? JSON.stringify(document).slice(0, 80))
    if (sorted.kind === 'left out') {
      tally.leftOut.add(sorted.reason, sorted.detail ?? name, sorted.isProblem)
      continue
    }
    const {id, type} = sorted
    if (sorted.kind === 'draft' && tally.drafts === undefined) {
      tally.leftOut.add('drafts, which are not committed: --drafts imports them', name, false)
      continue
    }
    if (tally.revisions.has(id))
      throw new CommandError(`the document "${id}" occurs twice: remove one of them`)
    try {
      if (sorted.kind === 'draft') {
        checkDraft(document)
        tally.drafts?.push({...document, _id: id, _type: type})
        continue
      }
      const revision = revisionOf(document)
      tally.revisions.set(id, revision)
      const before = documents.get(id)
      if (before !== undefined && (missingOnly || (before._rev === revision && before._type === type))) {
        tally[before._rev === revision ? 'unchanged' : 'kept'] += 1
        continue
      }
      const taken = unique.problemOf(new Map([[id, document]]))
      if (taken !== undefined) throw new UnfitDocumentError(taken.problem)
      names.claim(type, id)
      const files = splitDocument(layout, {type, id}, document, pastDatesNamedBy(document, now))
      const size = [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
      if (size > MAX_FILE_BYTES)
        throw new UnfitDocumentError(`its files would have more than ${MAX_DOCUMENT_BYTES} bytes`)
      const paths = [type, before?._type ?? type].flatMap((folder) => layout.paths({type: folder, id}))
      const removed = [...new Set(paths)].filter((path) => !files.has(path))
      for (const {field, problem} of brokenFields(type, document))
        tally.broken.add('broken rules in imported documents', `${name}, ${field}: ${problem}`, false)
      unique.put(id, document)
      tally[before === undefined ? 'created' : 'replaced'] += 1
      yield {files, removed}
    } catch (error) {
      if (!(error instanceof UnfitDocumentError)) throw error
      tally.leftOut.add('that the repository cannot hold', `${name}: ${errorMessage(error)}`, true)
    }
  }
}

/**
 * Refuses names that differ only by case or Unicode form, because macOS and Windows cannot check out both files, and
 * types whose folder would replace a file.
 */
class NameGuard {
  readonly #types = new Map<string, string>()
  readonly #paths = new Map<string, string>()
  readonly #rootFiles: ReadonlySet<string>

  constructor(documents: ReadonlyMap<string, {readonly _type: string}>, rootFiles: readonly string[]) {
    this.#rootFiles = new Set(rootFiles.map((name) => name.normalize('NFKC').toLowerCase()))
    for (const [id, {_type: type}] of documents) {
      this.#types.set(type.toLowerCase(), type)
      this.#paths.set(`${type}/${id}`.toLowerCase(), `${type}/${id}`)
    }
  }

  /** @throws UnfitDocumentError */
  claim(type: string, id: string): void {
    if (this.#rootFiles.has(type.toLowerCase()))
      throw new UnfitDocumentError(
        `"${type}" is the name of a file of the content repository, not of a folder`,
      )
    for (const [claimed, name, what] of [
      [this.#types, type, 'type'],
      [this.#paths, `${type}/${id}`, 'file'],
    ] as const) {
      const known = claimed.get(name.toLowerCase())
      if (known !== undefined && known !== name)
        throw new UnfitDocumentError(`the ${what} "${name}" would differ only by case from "${known}"`)
      claimed.set(name.toLowerCase(), name)
    }
  }
}
