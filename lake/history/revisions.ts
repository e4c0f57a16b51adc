import {LRUCache} from 'lru-cache'
import {type Document, isoTime} from '../../content/document.ts'
import {type DocumentKey, groupByDocument, jsonPath, type Layout} from '../../content/layout/layout.ts'
import {assembleDocument, documentOf, MAX_FILE_BYTES} from '../../content/parseDocument.ts'
import type {ContentRepository} from '../../content/repository.ts'
import {type BlobContent, readBlobs} from '../../git/read/blobs.ts'
import type {PathTouch} from '../../git/timestamps/pathHistory.ts'
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
  /** The documents of this id, each with its files; none if it was deleted. */
  readonly documents: readonly RevisionDocument[]
}

/** Without a blob it is known only that the file was deleted, and when. */
type RevisionFile = PathTouch & {readonly blob: string | undefined}

type RevisionDocument = {readonly key: DocumentKey; readonly files: readonly RevisionFile[]}

/** The content repository, as far as its history needs it. */
export type Published = Pick<ContentRepository, 'history' | 'layout'>

/** The history of published documents, along the first parents of HEAD. */
export class Revisions {
  readonly #directory: string
  readonly #repository: Published
  readonly #facts = new LRUCache<string, CommitFacts>({max: FACTS_KEPT})
  readonly #names = new LRUCache<string, string>({max: PEOPLE_KEPT})

  constructor(directory: string, repository: Published) {
    this.#directory = directory
    this.#repository = repository
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
    const {history, layout} = this.#repository
    const touches = history.of([...history.folders].flatMap((type) => layout.paths({type, id})))
    const isOfDocument = ({path}: PathTouch) => layout.placeOf(path)?.id === id
    const commits = new Set(
      [...new Set(touches.filter(isOfDocument).map(({commit}) => commit))].slice(0, count),
    )
    // A file that none of these commits changed is as an older one left it.
    const changed = touches.filter(({commit}) => commits.has(commit))
    const first = changed.at(-1)?.position ?? 0
    const older = new Map<string, PathTouch>()
    for (const touch of touches) {
      if (touch.position < first && !older.has(touch.path)) older.set(touch.path, touch)
    }
    const facts = await this.#read(id, [...older.values(), ...changed])
    const files = new Map<string, RevisionFile>()
    const apply = (touch: PathTouch) => {
      files.set(touch.path, {...touch, blob: facts.get(touch.commit)?.blobs.get(touch.path)})
    }
    for (const touch of older.values()) apply(touch)
    const taken = new Set<string>()
    const revisions: Revision[] = []
    for (const [commit, ofCommit] of Map.groupBy(changed.toReversed(), (touch) => touch.commit)) {
      const fact = facts.get(commit)
      const [touch] = ofCommit
      if (fact === undefined || touch === undefined) continue
      for (const one of ofCommit) apply(one)
      const {email, transactionId} = fact
      // A cherry-picked or reverted commit may carry another's trailers: the first one gets the id.
      const named = transactionId !== undefined && !taken.has(transactionId)
      const revision = named ? transactionId : commit
      taken.add(revision)
      const documents = documentsIn(files.values(), id, layout)
      revisions.push({id: revision, email, timestamp: isoTime(touch.updated), documents})
    }
    return revisions
  }

  /**
   * The documents of some revisions as the lake served them. Revisions without a valid document are left out.
   * @throws GitError
   */
  async documents(revisions: Iterable<Revision>): Promise<Map<Revision, Document>> {
    const wanted = [...revisions]
    const files = wanted.flatMap(({documents}) => documents.flatMap((document) => document.files))
    const contents = new Map<string, BlobContent>()
    const blobs = new Set(files.flatMap(({blob}) => blob ?? []))
    await readBlobs(this.#directory, blobs, MAX_FILE_BYTES, (blob, content) => {
      contents.set(blob, content)
    })
    const documents = new Map<Revision, Document>()
    for (const revision of wanted) {
      // If two documents claim one id, the first one owns it.
      for (const {key, files} of revision.documents) {
        const own = new Map<string, BlobContent>()
        for (const {path, blob} of files)
          if (blob !== undefined) own.set(path, contents.get(blob) ?? 'unreadable')
        const parsed = assembleDocument(this.#repository.layout, key, own)
        const json = files.find(({path}) => path === jsonPath(key))
        if (!('document' in parsed) || json === undefined) continue
        const updated = Math.max(...files.map((file) => file.updated))
        documents.set(revision, documentOf(parsed.document, {created: json.created, updated}))
        break
      }
    }
    return documents
  }

  async #read(id: string, touches: readonly PathTouch[]): Promise<Map<string, CommitFacts>> {
    const facts = new Map<string, CommitFacts>()
    const unknown: PathTouch[] = []
    for (const touch of touches) {
      const known = this.#facts.get(`${touch.commit} ${id}`)
      if (known?.blobs.has(touch.path)) facts.set(touch.commit, known)
      else unknown.push(touch)
    }
    const commits = [...new Set(unknown.map(({commit}) => commit))]
    const paths = [...new Set(touches.map(({path}) => path))]
    for (const [commit, fact] of await readCommits(this.#directory, commits, paths)) {
      this.#facts.set(`${commit} ${id}`, fact)
      this.#names.set(fact.email, fact.name)
      facts.set(commit, fact)
    }
    return facts
  }
}

/** The documents of an id among some files, by the path of their JSON. */
function documentsIn(files: Iterable<RevisionFile>, id: string, layout: Layout): RevisionDocument[] {
  return [...groupByDocument(layout, files)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, document]) => document)
    .filter((document) => document.key.id === id && document.files.some(({blob}) => blob !== undefined))
}
