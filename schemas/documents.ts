import {type Fields, isRecord} from './record.ts'

/** A document as it is stored. Any other field may be missing or have any shape. */
export type StoredDocument = Fields & {readonly _id: string; readonly _type: string; readonly _rev: string}

/** The types whose documents are offered to agents. */
export type ToolType = 'tool' | 'formTool'

/** The field with the pages of a tool or form tool. */
export function pagesFieldOf(type: string): 'pagePath' | 'pathPattern' {
  return type === 'formTool' ? 'pagePath' : 'pathPattern'
}

/** A document's published revision and its draft. At least one of them exists. */
export type Versions = {
  /** The id of the published document. */
  readonly id: string
  readonly type: string
  readonly published?: StoredDocument
  readonly draft?: StoredDocument
}

const DRAFT = 'drafts.'
/** Versions of releases, which are never served. */
const RELEASE = 'versions.'

/** Parses the result of a query in the perspective "raw". Leaves out what is not a document. */
export function parseDocuments(value: unknown): StoredDocument[] {
  return Array.isArray(value) ? value.flatMap((one) => documentIn(one) ?? []) : []
}

function documentIn(value: unknown): StoredDocument | undefined {
  if (!isRecord(value)) return undefined
  const {_id, _type, _rev} = value
  if (typeof _id !== 'string' || typeof _type !== 'string' || typeof _rev !== 'string') return undefined
  return {...value, _id, _type, _rev}
}

/** Joins each published document with its draft, in the order of their ids. */
export function groupVersions(documents: readonly StoredDocument[]): Versions[] {
  const groups = new Map<string, Versions>()
  for (const document of documents) {
    const {_id, _type: type} = document
    if (_id.startsWith(RELEASE)) continue
    const isDraft = _id.startsWith(DRAFT)
    const id = isDraft ? _id.slice(DRAFT.length) : _id
    groups.set(id, {id, type, ...groups.get(id), ...(isDraft ? {draft: document} : {published: document})})
  }
  return [...groups.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** The documents as they will be once all drafts are published. */
export function withDrafts(documents: readonly StoredDocument[]): StoredDocument[] {
  return groupVersions(documents).flatMap(({id, draft, published}) =>
    draft === undefined ? (published ?? []) : {...draft, _id: id},
  )
}

/**
 * The documents as the perspective of a release shows them: a version takes the place of the draft. What the release unpublishes
 * is gone. As in Sanity, `_originalId` shows that it is a version.
 * @param release its name; undefined: the documents as they are
 */
export function inRelease(
  documents: readonly StoredDocument[],
  release: string | undefined,
): readonly StoredDocument[] {
  if (release === undefined) return documents
  const versions = versionsOf(documents, release)
  if (versions.size === 0) return documents
  const gone = new Set<string>()
  const shown = [...versions].flatMap(([id, version]): StoredDocument[] => {
    const isUnpublished = unpublishes(version)
    gone.add(DRAFT + id)
    if (isUnpublished) gone.add(id)
    return isUnpublished ? [] : [{...version, _id: DRAFT + id, _originalId: version._id}]
  })
  return [...documents.filter(({_id}) => !gone.has(_id)), ...shown]
}

/** The versions in a release, by the ids of their documents. */
export function versionsOf(
  documents: readonly StoredDocument[],
  release: string,
): ReadonlyMap<string, StoredDocument> {
  const prefix = `${RELEASE}${release}.`
  const versions = documents.filter(({_id}) => _id.startsWith(prefix))
  return new Map(versions.map((version) => [version._id.slice(prefix.length), version]))
}

/** Whether a version says that its release unpublishes the document. */
export function unpublishes({_system}: StoredDocument): boolean {
  return isRecord(_system) && _system.delete === true
}

/** The id of the site that a tool belongs to. */
export function siteOf(document: Fields | undefined): string | undefined {
  const site = document?.site
  return isRecord(site) && typeof site._ref === 'string' ? site._ref : undefined
}
