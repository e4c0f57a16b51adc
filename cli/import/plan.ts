import {errorMessage} from '../../common/errorMessage.ts'
import type {JsonObject} from '../../common/json.ts'
import {revisionOf, UnfitDocumentError} from '../../content/canonical.ts'
import {pastDatesNamedBy} from '../../content/dates.ts'
import {publishedId} from '../../content/ids.ts'
import {splitDocument} from '../../content/layout/splitDocument.ts'
import {strongReferences} from '../../content/references.ts'
import {fileSizeOf} from '../../content/size.ts'
import type {UniqueValues} from '../../content/uniqueValues.ts'
import {problemsOf} from '../../schemas/index.ts'
import type {FileChanges} from '../changes.ts'
import {CommandError} from '../command.ts'
import {LAYOUT} from '../layout.ts'
import {DocumentGroups} from '../transfer/documentGroups.ts'
import {brokenReferences} from '../transfer/references.ts'
import type {ImportedDraft} from './drafts.ts'
import {NameGuard} from './nameGuard.ts'
import {sortDocument} from './sort.ts'

/** What the repository has already. */
export type Known = {
  readonly documents: ReadonlyMap<string, {readonly _type: string; readonly _rev: string}>
  readonly unique: UniqueValues
  /** The paths of all files, also of those that are no documents. */
  readonly paths: readonly string[]
  /** The type of a draft. Undefined: there is none with this id. */
  readonly typeOfDraft?: ((id: string) => string | undefined) | undefined
}

type ImportOptions = {
  /** Keeps documents that the repository has with other content. */
  readonly missing: boolean
  readonly drafts: boolean
}

/** A published document to be written. */
type Write = {readonly type: string; readonly revision: string; readonly files: FileChanges}

/**
 * Plans which documents of a source are written to a repository.
 * @param leftOut receives the others that are not there already
 * @returns what to write, how many documents stay, and in `broken` what to correct in those that are written
 * @throws CommandError if an id occurs twice
 */
export function planImport(
  source: readonly JsonObject[],
  {documents, unique, paths, typeOfDraft}: Known,
  options: ImportOptions,
  leftOut: DocumentGroups,
) {
  const names = new NameGuard(paths)
  const broken = new DocumentGroups('To correct')
  const now = new Date().toISOString()
  const seen = new Set<string>()
  const writes = new Map<string, Write>()
  const drafts = new Map<string, ImportedDraft>()
  const references = new Map<string, ReadonlySet<string>>()
  let [kept, unchanged] = [0, 0]

  /** @throws UnfitDocumentError */
  function addPublished(
    {id, type}: {readonly id: string; readonly type: string},
    document: JsonObject,
  ): void {
    const revision = revisionOf(document)
    const before = documents.get(id)
    if (before?._rev === revision) unchanged += 1
    else if (before !== undefined && options.missing) kept += 1
    else {
      if (before !== undefined && before._type !== type) throw new UnfitDocumentError(keepsType(before._type))
      const taken = unique.problemOf(new Map([[id, document]]))
      if (taken !== undefined) throw new UnfitDocumentError(taken.problem)
      fileSizeOf(document)
      const files = splitDocument(LAYOUT, {type, id}, document, pastDatesNamedBy(document, now))
      names.claim(type, [...files.keys()])
      const removed = LAYOUT.paths({type, id}).filter((path) => !files.has(path))
      unique.put(id, document)
      references.set(id, strongReferences(document))
      for (const {field, problem} of problemsOf(type, document))
        broken.add('broken rules in imported documents', `${id}, ${field}: ${problem}`, false)
      writes.set(id, {
        type,
        revision,
        files: new Map([...files, ...removed.map((path) => [path, undefined] as const)]),
      })
    }
  }

  for (const [index, document] of source.entries()) {
    const sorted = sortDocument(document)
    const name = typeof document._id === 'string' ? document._id : `number ${index + 1}`
    if (sorted.kind === 'left out') {
      leftOut.add(sorted.reason, sorted.detail ?? name, sorted.isProblem)
      continue
    }
    const {id, type, kind} = sorted
    if (kind === 'draft' && !options.drafts) {
      leftOut.add('drafts, which are not committed: --drafts imports them', name, false)
      continue
    }
    if (seen.has(id)) throw new CommandError(`the document "${id}" occurs twice: remove one of them`)
    seen.add(id)
    try {
      if (kind === 'published') addPublished(sorted, document)
      else {
        fileSizeOf(document)
        drafts.set(id, {...document, _id: id, _type: type})
        references.set(id, strongReferences(document))
      }
    } catch (error) {
      if (!(error instanceof UnfitDocumentError)) throw error
      leftOut.add('that the repository cannot hold', `${name}: ${errorMessage(error)}`, true)
    }
  }
  for (const [id, {_type}] of drafts) {
    const published = publishedId(id)
    const type = documents.get(published)?._type ?? writes.get(published)?.type ?? typeOfDraft?.(id) ?? _type
    if (type === _type) continue
    leftOut.add('that the repository cannot hold', `${id}: ${keepsType(type)}`, true)
    drafts.delete(id)
    references.delete(id)
  }
  for (const [id, missing] of brokenReferences(references, (target) => documents.has(target))) {
    leftOut.add('that reference what does not exist', `${id}, which references "${missing}"`, true)
    writes.delete(id)
    drafts.delete(id)
  }
  return {writes, kept, unchanged, drafts: [...drafts.values()], broken}
}

function keepsType(type: string): string {
  return `the repository has it as ${type}, and a document keeps its type`
}
