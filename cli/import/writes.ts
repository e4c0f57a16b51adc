import {errorMessage} from '../../common/errorMessage.ts'
import type {JsonObject} from '../../common/json.ts'
import {revisionOf, UnfitDocumentError} from '../../content/canonical.ts'
import {pastDatesNamedBy} from '../../content/dates.ts'
import {publishedId} from '../../content/ids.ts'
import type {Layout} from '../../content/layout/layout.ts'
import {splitDocument} from '../../content/layout/splitDocument.ts'
import {strongReferences} from '../../content/references.ts'
import {fileSizeOf} from '../../content/size.ts'
import type {UniqueValues} from '../../content/uniqueValues.ts'
import {brokenFields} from '../check/rules.ts'
import {CommandError} from '../command.ts'
import {DocumentGroups} from '../transfer/documentGroups.ts'
import type {ImportedDraft} from './drafts.ts'
import {sortDocument} from './sort.ts'

/** A published document to be written. */
export type Write = {
  readonly id: string
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
  /** The paths of all files, also of those that are no documents. */
  readonly paths: readonly string[]
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
  /** What each document to be written references strongly, by id. */
  readonly #references = new Map<string, ReadonlySet<string>>()
  readonly #isNew = new Map<string, boolean>()
  /** The type of each published document that is new, by id. */
  readonly #newTypes = new Map<string, string>()

  constructor(leftOut: DocumentGroups, withDrafts: boolean) {
    this.leftOut = leftOut
    this.drafts = withDrafts ? [] : undefined
  }

  /** Counts a published document that is written. */
  add({id, type}: {id: string; type: string}, document: JsonObject, isNew: boolean): void {
    this[isNew ? 'created' : 'replaced'] += 1
    this.#isNew.set(id, isNew)
    if (isNew) this.#newTypes.set(id, type)
    this.#note(id, document)
  }

  addDraft(draft: ImportedDraft): void {
    this.drafts?.push(draft)
    this.#note(draft._id, draft)
  }

  #note(id: string, document: JsonObject): void {
    const references = strongReferences(document)
    if (references.size > 0) this.#references.set(id, references)
  }

  /**
   * Leaves out drafts of another type than their document has. Call it before {@link leaveOutReferrers}.
   * @param typeOf the type of a document of the repository, published or a draft
   */
  leaveOutDraftsOfOtherTypes(typeOf: (id: string) => string | undefined): void {
    const kept = this.drafts?.filter(({_id, _type}) => {
      const id = publishedId(_id)
      const type = typeOf(id) ?? this.#newTypes.get(id) ?? typeOf(_id) ?? _type
      if (type === _type) return true
      this.leftOut.add('that the repository cannot hold', `${_id}: ${keepsType(type)}`, true)
      this.#references.delete(_id)
      return false
    })
    this.drafts?.splice(0, Infinity, ...(kept ?? []))
  }

  /**
   * Leaves out documents that reference what does not exist, as the API refuses them. Call it when all are read.
   * @param documents of the repository
   * @returns the ids of the published ones
   */
  leaveOutReferrers(documents: Known['documents']): ReadonlySet<string> {
    const drafts = new Set(this.drafts?.map(({_id}) => _id))
    const exists = (id: string) => documents.has(id) || this.revisions.has(id) || drafts.has(id)
    const pairs = Array.from(this.#references, ([id, all]) => Array.from(all, (one) => ({id, one}))).flat()
    const referrers = Map.groupBy(pairs, ({one}) => one)
    const missing = new Set([...referrers.keys()].filter((id) => !exists(id)))
    const leftOut = new Set<string>()
    // A set iterates over what is added meanwhile.
    for (const one of missing) {
      for (const {id} of referrers.get(one) ?? []) {
        if (leftOut.has(id)) continue
        leftOut.add(id)
        this.leftOut.add('that reference what does not exist', `${id}, which references "${one}"`, true)
        if (!documents.has(id)) missing.add(id)
        const isNew = this.#isNew.get(id)
        if (isNew !== undefined) this[isNew ? 'created' : 'replaced'] -= 1
        this.revisions.delete(id)
      }
    }
    const kept = this.drafts?.filter(({_id}) => !leftOut.has(_id)) ?? []
    this.drafts?.splice(0, Infinity, ...kept)
    return leftOut
  }
}

/**
 * Yields the documents that have to be written, and counts the others.
 * @param missingOnly keeps documents that the repository has with other content
 * @throws CommandError if an id occurs twice
 */
export async function* writesFor(
  source: AsyncIterable<JsonObject>,
  {layout, documents, unique, paths}: Known,
  missingOnly: boolean,
  tally: Tally,
): AsyncGenerator<Write> {
  const names = new NameGuard(paths)
  const now = new Date().toISOString()
  const seen = new Set<string>()
  let number = 0
  for await (const document of source) {
    number += 1
    const sorted = sortDocument(document)
    const name = typeof document._id === 'string' ? document._id : `number ${number}`
    if (sorted.kind === 'left out') {
      tally.leftOut.add(sorted.reason, sorted.detail ?? name, sorted.isProblem)
      continue
    }
    const {id, type} = sorted
    if (sorted.kind === 'draft' && tally.drafts === undefined) {
      tally.leftOut.add('drafts, which are not committed: --drafts imports them', name, false)
      continue
    }
    if (seen.has(id)) throw new CommandError(`the document "${id}" occurs twice: remove one of them`)
    seen.add(id)
    try {
      if (sorted.kind === 'draft') {
        fileSizeOf(document)
        tally.addDraft({...document, _id: id, _type: type})
        continue
      }
      const revision = revisionOf(document)
      tally.revisions.set(id, revision)
      const before = documents.get(id)
      if (before !== undefined && before._type !== type && !missingOnly)
        throw new UnfitDocumentError(keepsType(before._type))
      if (before !== undefined && (missingOnly || before._rev === revision)) {
        tally[before._rev === revision ? 'unchanged' : 'kept'] += 1
        continue
      }
      const taken = unique.problemOf(new Map([[id, document]]))
      if (taken !== undefined) throw new UnfitDocumentError(taken.problem)
      fileSizeOf(document)
      const files = splitDocument(layout, {type, id}, document, pastDatesNamedBy(document, now))
      names.claim(type, files.keys())
      const removed = layout.paths({type, id}).filter((path) => !files.has(path))
      for (const {field, problem} of brokenFields(type, document))
        tally.broken.add('broken rules in imported documents', `${name}, ${field}: ${problem}`, false)
      unique.put(id, document)
      tally.add(sorted, document, before === undefined)
      yield {id, files, removed}
    } catch (error) {
      if (!(error instanceof UnfitDocumentError)) throw error
      tally.revisions.delete(id)
      tally.leftOut.add('that the repository cannot hold', `${name}: ${errorMessage(error)}`, true)
    }
  }
}

function keepsType(type: string): string {
  return `the repository has it as ${type}, and a document keeps its type`
}

/**
 * Refuses names that differ only by case or Unicode form, because macOS and Windows cannot check out both files, and
 * files that would replace a folder or the other way round.
 */
class NameGuard {
  /** Files and folders, by what a file system takes for the same name. */
  readonly #names = new Map<string, string>()
  readonly #files = new Set<string>()
  readonly #folders = new Set<string>()

  constructor(paths: readonly string[]) {
    for (const path of paths) this.#add(path)
  }

  #add(path: string): void {
    this.#files.add(path)
    this.#names.set(folded(path), path)
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
      const folder = path.slice(0, end)
      this.#folders.add(folder)
      this.#names.set(folded(folder), folder)
    }
  }

  /** @throws UnfitDocumentError */
  claim(type: string, files: Iterable<string>): void {
    const paths = [...files]
    if (!this.#folders.has(type)) {
      const known = this.#names.get(folded(type))
      if (known !== undefined && this.#files.has(known))
        throw new UnfitDocumentError(
          `"${type}" is the name of a file of the content repository, not of a folder`,
        )
      if (known !== undefined)
        throw new UnfitDocumentError(`the type "${type}" would differ only by case from "${known}"`)
    }
    for (const path of paths) {
      if (this.#folders.has(path))
        throw new UnfitDocumentError(`"${path}" is a folder of the content repository, not a file`)
      const known = this.#files.has(path) ? undefined : this.#names.get(folded(path))
      if (known !== undefined)
        throw new UnfitDocumentError(`the file "${path}" would differ only by case from "${known}"`)
    }
    for (const path of paths) this.#add(path)
  }
}

function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}
