import {LRUCache} from 'lru-cache'
import type {Document} from '../documents/document.ts'
import {MAX_DOCUMENT_BYTES, type ParsedDocument, parseDocument} from '../documents/parseDocument.ts'
import {readBlobs} from '../git/read/blobs.ts'
import type {PathTouch} from '../git/timestamps/pathHistory.ts'
import {type CommitFacts, readCommits} from './commits.ts'

/** Commits whose facts are kept: they never change. */
const FACTS_KEPT = 5_000

/** People whose names are kept, as the commits that were read say them. */
const PEOPLE_KEPT = 1_000

/** A commit that touched a document. */
export type Revision = {
  /** The transaction that the commit holds; for one that the lake did not make, the commit itself. */
  readonly id: string
  readonly email: string
  /** ISO 8601, whole seconds. */
  readonly timestamp: string
  /** What the lake served then: nearly always one file, or none where the document was deleted. */
  readonly files: readonly RevisionFile[]
}

type RevisionFile = PathTouch & {readonly blob: string}

/** The history of published documents, as the first parents of HEAD hold it. */
export class Revisions {
  readonly #directory: string
  readonly #touches: (id: string) => readonly PathTouch[]
  readonly #facts = new LRUCache<string, CommitFacts>({max: FACTS_KEPT})
  readonly #names = new LRUCache<string, string>({max: PEOPLE_KEPT})

  /** @param touches what happened to the files of an id, the newest first */
  constructor(directory: string, touches: (id: string) => readonly PathTouch[]) {
    this.#directory = directory
    this.#touches = touches
  }

  /** What the author with an e-mail address is called, as far as commits were read. */
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
      // A commit that was picked or reverted carries the trailers of another: the first one has the name.
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
   * The documents of some revisions as the lake served them; none where there was none, or none that is valid.
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
      // Of two files that claim one id, the first has it.
      for (const file of revision.files) {
        const document = parsed.get(`${file.blob} ${file.path}`)
        if (document === undefined) continue
        documents.set(revision, served(document, file))
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

function served({id, type, revision, content}: ParsedDocument, {created, updated}: PathTouch): Document {
  const dates = {_createdAt: isoTime(created), _updatedAt: isoTime(updated)}
  return {_id: id, _type: type, _rev: revision, ...dates, ...content}
}

/** Seconds since 1970 as Sanity writes times. */
function isoTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, -5)}Z`
}
