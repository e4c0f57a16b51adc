import {type Document, isoTime} from '../../content/document.ts'
import type {Change} from '../../content/history/history.ts'
import {type DocumentKey, jsonPath} from '../../content/layout/layout.ts'
import {assembleDocument, documentOf, MAX_FILE_BYTES} from '../../content/parseDocument.ts'
import type {ContentRepository} from '../../content/repository.ts'
import {type BlobContent, readBlobs} from '../../git/read/blobs.ts'
import {transactionIn} from './trailers.ts'

/** A commit that changed a document. */
export type Revision = {
  /** The transaction of the commit; the commit id if the lake did not make it. */
  readonly id: string
  readonly email: string
  /** ISO 8601, whole seconds. */
  readonly timestamp: string
  /** The documents of this id, in the folders of different types; none if it was deleted. */
  readonly documents: readonly RevisionDocument[]
}

type RevisionDocument = {
  readonly key: DocumentKey
  /** The blobs of its files, by path. */
  readonly blobs: ReadonlyMap<string, string>
  readonly created: number
  readonly updated: number
}

/** The content repository, as far as its history needs it. */
export type Published = Pick<ContentRepository, 'history' | 'layout'>

/** The history of published documents, along the first parents of HEAD. */
export class Revisions {
  readonly #directory: string
  readonly #repository: Published

  constructor(directory: string, repository: Published) {
    this.#directory = directory
    this.#repository = repository
  }

  /** The author's name for an email address, if a commit has it. */
  nameOf(email: string): string | undefined {
    return this.#repository.history.nameOf(email)
  }

  /** The revisions of a document, the oldest first. */
  of(id: string): Revision[] {
    const {history} = this.#repository
    const changes = Map.groupBy(history.changesOf(id), ({position}) => position)
    const documents = new Map<string, RevisionDocument>()
    const taken = new Set<string>()
    const revisions: Revision[] = []
    for (const commit of history.commitsOf(id)) {
      const {seconds, email} = commit
      const changed = Map.groupBy(changes.get(commit.position) ?? [], ({type}) => type)
      for (const [type, files] of changed) {
        const blobs = this.#blobsAfter(documents.get(type)?.blobs, files)
        const created = files[0]?.created ?? seconds
        documents.set(type, {key: {type, id}, blobs, created, updated: seconds})
      }
      const transactionId = transactionIn(commit)
      // A cherry-picked or reverted commit may carry another's trailers: the first one gets the id.
      const revision = transactionId === undefined || taken.has(transactionId) ? commit.commit : transactionId
      taken.add(revision)
      const existing = [...documents.values()].filter(({blobs}) => blobs.size > 0)
      const sorted = existing.sort((a, b) => (a.key.type < b.key.type ? -1 : 1))
      revisions.push({id: revision, email, timestamp: isoTime(seconds), documents: sorted})
    }
    return revisions
  }

  /**
   * The documents of some revisions as the lake served them. Revisions without a valid document are left out.
   * @throws GitError
   */
  async documents(revisions: Iterable<Revision>): Promise<Map<Revision, Document>> {
    const wanted = [...revisions]
    const blobs = wanted.flatMap(({documents}) => documents.flatMap((one) => [...one.blobs.values()]))
    const contents = new Map<string, BlobContent>()
    await readBlobs(this.#directory, new Set(blobs), MAX_FILE_BYTES, (blob, content) => {
      contents.set(blob, content)
    })
    const found = new Map<Revision, Document>()
    for (const revision of wanted) {
      // If two documents claim one id, the first one owns it.
      for (const {key, blobs, ...dates} of revision.documents) {
        const files = Array.from(blobs, ([path, blob]) => [path, contents.get(blob) ?? 'unreadable'] as const)
        const parsed = assembleDocument(this.#repository.layout, key, new Map(files))
        if (!('document' in parsed)) continue
        found.set(revision, documentOf(parsed.document, dates))
        break
      }
    }
    return found
  }

  #blobsAfter(before: RevisionDocument['blobs'] = new Map(), changes: readonly Change[]) {
    const blobs = new Map(before)
    for (const {field, blob, ...key} of changes) {
      const path = field === undefined ? jsonPath(key) : this.#repository.layout.textPaths(key).get(field)
      if (path === undefined) continue
      if (blob === undefined) blobs.delete(path)
      else blobs.set(path, blob)
    }
    return blobs
  }
}
