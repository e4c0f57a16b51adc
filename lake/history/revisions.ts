import {LRUCache} from 'lru-cache'
import {type Document, isoTime} from '../documents/document.ts'
import {
  documentOf,
  MAX_DOCUMENT_BYTES,
  type ParsedDocument,
  parseDocument,
} from '../documents/parseDocument.ts'
import {readBlobs} from '../git/read/blobs.ts'
import type {PathTouch} from '../git/timestamps/pathHistory.ts'
import {type CommitFacts, readCommits} from './commits.ts'

/** Maximum commits whose metadata is cached. It never changes. */
const FACTS_KEPT = 5_000

/** Maximum author names to cache, from the commits that were read. */
const PEOPLE_KEPT = 1_000

/** A commit that changed a document. */
export type Revision = {
  /** The transaction of the commit; the commit id if the lake did not make it. */
  readonly id: string
  readonly email: string
  /** ISO 8601, whole seconds. */
  readonly timestamp: string
  /** The files that the lake served then: usually one, or none if the document was deleted. */
  readonly files: readonly RevisionFile[]
}

type RevisionFile = PathTouch & {readonly blob: string}

/** The history of published documents, along the first parents of HEAD. */
export class Revisions {
  readonly #directory: string
  readonly #touches: (id: string) => readonly PathTouch[]
  readonly #facts = new LRUCache<string, CommitFacts>({max: FACTS_KEPT})
  readonly #names = new LRUCache<string, string>({max: PEOPLE_KEPT})

  /** @param touches the changes of the files of an id, the newest first */
  constructor(directory: string, touches: (id: string) => readonly PathTouch[]) {
    this.#directory = directory
    this.#touches = touches
  }

  /** The author's name for an email address, if a commit with it was read. */
  nameOf(email: string): string | undefined {
    return this.#names.get(email)
  }

  /**
   * The last `count` revisions of a document, the oldest first.
   * @throws GitError
   */
  async of(id: string, count: number): Promise<Revision[]> {
    const touches = Map.groupBy(this.#touches(id), ({commit}) => commit)
    const commits = [...touches.keys()].slice(0, count).reverse()
    const facts = await this.#read(id, commits, touches)
    const files = new Map<string, RevisionFile>()
    const taken = new Set<string>()
    const revisions: Revision[] = []
    for (const commit of commits) {
      const fact = facts.get(commit)
      if (fact === undefined) continue
      const {email, transactionId} = fact
      let seconds = 0
      for (const touch of touches.get(commit) ?? []) {
        const blob = fact.blobs.get(touch.path)
        if (blob === undefined) files.delete(touch.path)
        else files.set(touch.path, {...touch, blob})
        seconds = touch.updated
      }
      // A cherry-picked or reverted commit may carry another's trailers: the first one gets the id.
      const named = transactionId !== undefined && !taken.has(transactionId)
      const revision = named ? transactionId : commit
      taken.add(revision)
      const timestamp = isoTime(seconds)
      const present = [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
      revisions.push({id: revision, email, timestamp, files: present})
    }
    return revisions
  }

  /**
   * The documents of some revisions as the lake served them. Revisions without a valid document are left out.
   * @throws GitError
   */
  async documents(revisions: Iterable<Revision>): Promise<Map<Revision, Document>> {
    const wanted = [...revisions]
    const paths = new Map<string, Set<string>>()
    for (const {path, blob} of wanted.flatMap(({files}) => files)) {
      paths.set(blob, (paths.get(blob) ?? new Set()).add(path))
    }
    const parsed = new Map<string, ParsedDocument>()
    await readBlobs(this.#directory, paths.keys(), MAX_DOCUMENT_BYTES, (blob, bytes) => {
      for (const path of paths.get(blob) ?? []) {
        const result = parseDocument(path, bytes)
        if ('document' in result) parsed.set(`${blob} ${path}`, result.document)
      }
    })
    const documents = new Map<Revision, Document>()
    for (const revision of wanted) {
      // If two files claim one id, the first one owns it.
      for (const file of revision.files) {
        const document = parsed.get(`${file.blob} ${file.path}`)
        if (document === undefined) continue
        documents.set(revision, documentOf(document, file))
        break
      }
    }
    return documents
  }

  async #read(
    id: string,
    commits: readonly string[],
    touches: ReadonlyMap<string, readonly PathTouch[]>,
  ): Promise<Map<string, CommitFacts>> {
    const facts = new Map<string, CommitFacts>()
    const unknown: string[] = []
    for (const commit of commits) {
      const known = this.#facts.get(`${commit} ${id}`)
      if (known === undefined) unknown.push(commit)
      else facts.set(commit, known)
    }
    const paths = new Set(unknown.flatMap((commit) => touches.get(commit) ?? []).map(({path}) => path))
    for (const [commit, fact] of await readCommits(this.#directory, unknown, [...paths])) {
      this.#facts.set(`${commit} ${id}`, fact)
      this.#names.set(fact.email, fact.name)
      facts.set(commit, fact)
    }
    return facts
  }
}
