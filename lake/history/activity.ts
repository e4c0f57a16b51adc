import {isJsonObject} from '../../common/json.ts'
import {MAX_DOCUMENT_BYTES, parseDocument} from '../documents/parseDocument.ts'
import {readBlobs} from '../git/read/blobs.ts'
import type {Step} from '../git/timestamps/gitLog.ts'
import {type CommitFacts, readCommits} from './commits.ts'

/** Maximum commits that one request reads, and how many of them at once. */
const MAX_COMMITS = 1_000
const READ_AT_ONCE = 50

/** Maximum documents of one commit that are looked at and returned. An import may change thousands. */
const MAX_DOCUMENTS = 100

/** A commit that changed documents. */
export type Change = {
  readonly commit: string
  /** ISO 8601, whole seconds. */
  readonly timestamp: string
  /** The id of an editor or a program, or the email address of a person who commits with Git. */
  readonly author: string
  /** The author's name in the commit. */
  readonly name: string
  /** The first line of the message. */
  readonly subject: string
  readonly documents: readonly ChangedDocument[]
  /** Whether it changed further documents, which are not listed. */
  readonly hasMore: boolean
}

export type ChangedDocument = {
  readonly id: string
  readonly type: string
  readonly change: 'created' | 'updated' | 'deleted'
}

export type ActivityOptions = {
  /** Only this document and those that reference it, before or after the change. */
  readonly references?: string | undefined
  readonly limit: number
  /** The commit after which to continue. */
  readonly cursor?: string | undefined
}

export type ActivityParts = {
  readonly directory: string
  /** The commits of the branch, the oldest first. */
  readonly commits: () => readonly Step[]
  /** Maps the email addresses of commits to editors or programs. */
  readonly authors: () => Promise<(email: string) => string>
}

/** The changes of published documents, commit by commit. */
export class Activity {
  readonly #parts: ActivityParts

  constructor(parts: ActivityParts) {
    this.#parts = parts
  }

  /**
   * The latest changes first. The returned cursor is empty at the end.
   * @throws GitError
   */
  async recent({
    references,
    limit,
    cursor,
  }: ActivityOptions): Promise<{changes: Change[]; nextCursor: string}> {
    const {directory, commits, authors} = this.#parts
    const steps = commits()
    const start = cursor === undefined ? steps.length : steps.findLastIndex(({commit}) => commit === cursor)
    const authorOf = await authors()
    const changes: Change[] = []
    let next = Math.max(0, start)
    const end = Math.max(0, next - MAX_COMMITS)
    while (next > end && changes.length < limit) {
      const batch = steps.slice(Math.max(end, next - READ_AT_ONCE), next).reverse()
      const facts = await readCommits(
        directory,
        batch.map(({commit}) => commit),
        [],
      )
      const isAbout = references === undefined ? undefined : await this.#filter(batch, facts, references)
      for (const step of batch) {
        next -= 1
        const fact = facts.get(step.commit)
        const paths = fact === undefined ? [] : pathsOf(step)
        const found = isAbout === undefined ? paths : paths.filter((path) => isAbout(path, fact))
        if (fact === undefined || found.length === 0) continue
        changes.push(changeOf(step, fact, found, authorOf))
        if (changes.length === limit) break
      }
    }
    return {changes, nextCursor: next === 0 ? '' : (steps[next]?.commit ?? '')}
  }

  /** Makes a function that returns whether a document is the referenced one, or references it. */
  async #filter(
    batch: readonly Step[],
    facts: ReadonlyMap<string, CommitFacts>,
    references: string,
  ): Promise<(path: string, fact: CommitFacts | undefined) => boolean> {
    const paths = new Map<string, string>()
    for (const step of batch) {
      const fact = facts.get(step.commit)
      for (const path of pathsOf(step)) for (const blob of blobsOf(path, fact)) paths.set(blob, path)
    }
    const found = new Set<string>()
    await readBlobs(this.#parts.directory, paths.keys(), MAX_DOCUMENT_BYTES, (blob, bytes) => {
      const parsed = parseDocument(paths.get(blob) ?? '', bytes)
      if ('document' in parsed && doesReference(parsed.document.content, references)) found.add(blob)
    })
    return (path, fact) => idOf(path).id === references || blobsOf(path, fact).some((blob) => found.has(blob))
  }
}

function pathsOf({added, modified}: Step): string[] {
  return [...added, ...modified].slice(0, MAX_DOCUMENTS)
}

function blobsOf(path: string, fact: CommitFacts | undefined): string[] {
  return [fact?.blobs.get(path), fact?.replaced.get(path)].filter((blob) => blob !== undefined)
}

function doesReference(value: unknown, id: string): boolean {
  if (Array.isArray(value)) return value.some((item) => doesReference(item, id))
  if (!isJsonObject(value)) return false
  return value._ref === id || Object.values(value).some((member) => doesReference(member, id))
}

function changeOf(
  step: Step,
  {name, email, subject, blobs, replaced}: CommitFacts,
  paths: readonly string[],
  authorOf: (email: string) => string,
): Change {
  return {
    commit: step.commit,
    timestamp: `${new Date(step.seconds * 1000).toISOString().slice(0, -5)}Z`,
    author: authorOf(email),
    name,
    subject,
    documents: paths.map((path) => ({
      ...idOf(path),
      change: blobs.get(path) === undefined ? 'deleted' : replaced.has(path) ? 'updated' : 'created',
    })),
    hasMore: step.added.length + step.modified.length > MAX_DOCUMENTS,
  }
}

/** The path of a document is `<type>/<_id>.json`. */
function idOf(path: string): {id: string; type: string} {
  const slash = path.indexOf('/')
  return {type: path.slice(0, slash), id: path.slice(slash + 1, -'.json'.length)}
}
