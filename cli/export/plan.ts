import type {JsonObject} from '../../common/json.ts'
import {revisionOf, UnfitDocumentError} from '../../content/canonical.ts'
import type {Document} from '../../content/document.ts'
import {isPublishedId} from '../../content/ids.ts'
import {strongReferences} from '../../content/references.ts'
import type {DocumentGroups} from '../transfer/documentGroups.ts'
import {brokenReferences, inOrder} from '../transfer/references.ts'

/** A document of the dataset: its content in short, and what it references. */
type Remote = {
  readonly type: string
  /** Undefined for content that no repository can hold. */
  readonly revision: string | undefined
  readonly references: ReadonlySet<string>
}

/** What has to be done for the dataset to have the documents of the repository. */
export type Plan = {
  /** Documents that the dataset does not have, or has with other content, in groups to be written together. */
  readonly writes: readonly (readonly Document[])[]
  /** Ids of documents that the dataset has with other content. */
  readonly different: readonly string[]
  readonly unchanged: number
  /** Ids of published documents that only the dataset has, each before those that it references. */
  readonly surplus: readonly string[]
}

/** Reads what a plan needs to know of a dataset, without keeping its content in memory. */
export async function readRemotes(documents: AsyncIterable<JsonObject>): Promise<Map<string, Remote>> {
  const remotes = new Map<string, Remote>()
  for await (const document of documents) {
    const {_id: id, _type: type} = document
    if (typeof id !== 'string' || typeof type !== 'string') continue
    remotes.set(id, {type, revision: revisionIn(document), references: strongReferences(document)})
  }
  return remotes
}

/**
 * Compares a repository with a dataset.
 * @param leftOut receives documents that the dataset would refuse, because a reference leads nowhere
 */
export function planExport(
  documents: ReadonlyMap<string, Document>,
  remotes: ReadonlyMap<string, Remote>,
  leftOut: DocumentGroups,
): Plan {
  const changed = [...documents.values()].filter(({_id, _rev}) => remotes.get(_id)?.revision !== _rev)
  const references = new Map(changed.map((document) => [document._id, strongReferences(document)]))
  for (const [id, missing] of brokenReferences(references, (target) => remotes.has(target))) {
    leftOut.add('that reference a missing document', `${id} → ${missing}`, true)
    references.delete(id)
  }
  const different = [...references.keys()].filter((id) => remotes.has(id))
  return {
    writes: inOrder(references).map((group) => group.flatMap((id) => documents.get(id) ?? [])),
    different,
    unchanged: documents.size - changed.length,
    surplus: surplusOf(documents, remotes),
  }
}

function surplusOf(
  documents: ReadonlyMap<string, Document>,
  remotes: ReadonlyMap<string, Remote>,
): readonly string[] {
  const surplus = new Map<string, ReadonlySet<string>>()
  for (const [id, {type, references}] of remotes) {
    const isOwn = isPublishedId(id) && !id.startsWith('_.') && !/^(sanity|system)\./.test(type)
    if (isOwn && !documents.has(id)) surplus.set(id, references)
  }
  return inOrder(surplus).reverse().flat()
}

function revisionIn(document: JsonObject): string | undefined {
  try {
    return revisionOf(document)
  } catch (error) {
    if (error instanceof UnfitDocumentError) return undefined
    throw error
  }
}
