import {isoTime} from '../../content/document.ts'
import {collectReferences} from '../../content/keys.ts'
import {type DocumentKey, jsonPath, Layout} from '../../content/layout/layout.ts'
import {assembleDocument, MAX_FILE_BYTES} from '../../content/parseDocument.ts'
import {findBlobs, readBlobs} from '../../git/read/blobs.ts'
import type {Step} from '../../git/timestamps/gitLog.ts'
import {type ComparedCommit, readChangedFields} from './changedFields.ts'
import {type CommitFacts, readCommits} from './commits.ts'
import type {Published} from './revisions.ts'

/** Maximum commits that one request reads, and how many of them at once. */
const MAX_COMMITS = 1_000
const READ_AT_ONCE = 50

/** Maximum documents of one commit that are looked at and returned. An import may change thousands. */
const MAX_DOCUMENTS = 100

/** A commit that changed documents. */
type Change = {
  readonly commit: string
  /** ISO 8601, whole seconds. */
  readonly timestamp: string
  /** The id of an editor or a program, or the email address of a person who commits with Git. */
  readonly author: string
  /** The author's name in the commit. */
  readonly name: string
  /** The first line of the message. */
  readonly subject: string
  /** The names of those who wrote it, if somebody else published it. */
  readonly writers?: string
  /** The name of the person who reviewed and published it. */
  readonly reviewer?: string
  /** Why an administrator published it without the review that it needed. */
  readonly skippedReview?: string
  readonly documents: readonly ChangedDocument[]
  /** Whether it changed further documents, which are not listed. */
  readonly hasMore: boolean
}

type ChangedDocument = {
  readonly id: string
  readonly type: string
  readonly change: 'created' | 'updated' | 'deleted'
  /** The fields that an update changed, if they are known. */
  readonly fields?: readonly string[]
}

type ActivitySelection = {
  /** Only this document and those that reference it, before or after the change. */
  readonly references?: string | undefined
  readonly limit: number
  /** The commit after which to continue. */
  readonly cursor?: string | undefined
}

type ActivityOptions = {
  readonly directory: string
  readonly repository: Published
  /** Maps the email addresses of commits to editors or programs. */
  readonly authors: () => (email: string) => string
}

/** A commit with the documents that it changed. */
type ChangedDocuments = ComparedCommit & {readonly step: Step; readonly hasMore: boolean}

/** The changes of published documents, commit by commit. */
export class Activity {
  readonly #options: ActivityOptions

  constructor(options: ActivityOptions) {
    this.#options = options
  }

  /**
   * The latest changes first. The returned cursor is empty at the end.
   * @throws GitError
   */
  async recent({references, limit, cursor}: ActivitySelection) {
    const {repository, authors} = this.#options
    const {steps} = repository.history
    const start = cursor === undefined ? steps.length : steps.findLastIndex(({commit}) => commit === cursor)
    const authorOf = authors()
    const commits: ChangedDocuments[] = []
    let next = Math.max(0, start)
    const end = Math.max(0, next - MAX_COMMITS)
    while (next > end && commits.length < limit) {
      const first = Math.max(end, next - READ_AT_ONCE)
      const batch = await this.#read(steps.slice(first, next), first)
      const isAbout = references === undefined ? undefined : await this.#filter(batch, references)
      while (next > first && commits.length < limit) {
        next -= 1
        const commit = batch.get(next)
        const documents = commit?.documents.filter((key) => isAbout?.(commit, key) ?? true) ?? []
        if (commit !== undefined && documents.length > 0) commits.push({...commit, documents})
      }
    }
    const fieldsOf = await readChangedFields(this.#options.directory, repository.layout, commits)
    const changes = commits.map((commit) => changeOf(commit, authorOf, fieldsOf))
    return {changes, nextCursor: next === 0 ? '' : (steps[next]?.commit ?? '')}
  }

  /** Reads commits, by their positions in the history. */
  async #read(steps: readonly Step[], first: number): Promise<Map<number, ChangedDocuments>> {
    const commits = steps.map(({commit}) => commit)
    const facts = await readCommits(this.#options.directory, commits, [])
    const found = new Map<number, ChangedDocuments>()
    for (const [index, step] of steps.entries()) {
      const fact = facts.get(step.commit)
      if (fact === undefined) continue
      const documents = documentsOf(step, this.#options.repository.layout)
      const hasMore = documents.length > MAX_DOCUMENTS
      found.set(first + index, {step, fact, documents: documents.slice(0, MAX_DOCUMENTS), hasMore})
    }
    return found
  }

  /** Makes a function that returns whether a document is the referenced one, or references it. */
  async #filter(
    batch: ReadonlyMap<number, ChangedDocuments>,
    references: string,
  ): Promise<(commit: ChangedDocuments, key: DocumentKey) => boolean> {
    const {directory} = this.#options
    const all = [...batch.values()]
    const unchanged = all.flatMap(({fact, documents}) =>
      documents.flatMap((key) => (fact.blobs.has(jsonPath(key)) ? [] : placeOf(fact, key))),
    )
    const existing = await findBlobs(directory, unchanged)
    const blobsOf = ({fact}: ChangedDocuments, key: DocumentKey): string[] => {
      const path = jsonPath(key)
      return [fact.blobs.get(path), fact.replaced.get(path), existing.get(placeOf(fact, key))].filter(
        (blob) => blob !== undefined,
      )
    }
    const keys = new Map<string, DocumentKey>()
    for (const commit of all) {
      for (const key of commit.documents) for (const blob of blobsOf(commit, key)) keys.set(blob, key)
    }
    const found = new Set<string>()
    await readBlobs(directory, keys.keys(), MAX_FILE_BYTES, (blob, bytes) => {
      const key = keys.get(blob)
      if (key === undefined) return
      const parsed = assembleDocument(Layout.ONE_FILE, key, new Map([[jsonPath(key), bytes]]))
      if ('document' in parsed && collectReferences(parsed.document.content).has(references)) found.add(blob)
    })
    return (commit, key) => key.id === references || blobsOf(commit, key).some((blob) => found.has(blob))
  }
}

/** The place of a document's JSON in a commit. */
function placeOf({commit}: CommitFacts, key: DocumentKey): string {
  return `${commit}:${jsonPath(key)}`
}

/** The documents of which a commit changed a file. */
function documentsOf({added, modified}: Step, layout: Layout): DocumentKey[] {
  const places = [...added, ...modified].flatMap((path) => layout.placeOf(path) ?? [])
  return [...new Map(places.map(({type, id}) => [jsonPath({type, id}), {type, id}])).values()]
}

function changeOf(
  {step, fact, documents, hasMore}: ChangedDocuments,
  authorOf: (email: string) => string,
  fieldsOf: (fact: CommitFacts, key: DocumentKey) => readonly string[],
): Change {
  const {name, email, subject, writers, reviewer, skippedReview, blobs, replaced} = fact
  return {
    commit: step.commit,
    timestamp: isoTime(step.seconds),
    author: authorOf(email),
    name,
    subject,
    ...(writers !== undefined && {writers}),
    ...(reviewer !== undefined && {reviewer}),
    ...(skippedReview !== undefined && {skippedReview}),
    documents: documents.map(({id, type}) => {
      const path = jsonPath({id, type})
      const isUpdated = !blobs.has(path) || (blobs.get(path) !== undefined && replaced.has(path))
      if (!isUpdated) return {id, type, change: blobs.get(path) === undefined ? 'deleted' : 'created'}
      const fields = fieldsOf(fact, {id, type})
      return {id, type, change: 'updated', ...(fields.length > 0 && {fields})}
    }),
    hasMore,
  }
}
