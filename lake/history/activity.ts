import {revisionOf} from '../../content/canonical.ts'
import {isoTime} from '../../content/document.ts'
import type {Change, Commit} from '../../content/history/history.ts'
import {collectReferences} from '../../content/keys.ts'
import {jsonPath, Layout} from '../../content/layout/layout.ts'
import {assembleDocument, MAX_FILE_BYTES} from '../../content/parseDocument.ts'
import {type BlobContent, readBlobs} from '../../git/read/blobs.ts'
import type {Published} from './revisions.ts'
import {reviewIn} from './trailers.ts'

/** Maximum commits that one request reads, and how many of them at once. */
const MAX_COMMITS = 1_000
const READ_AT_ONCE = 50

/** Maximum documents of one commit that are looked at and returned. An import may change thousands. */
const MAX_DOCUMENTS = 100

/** Maximum files of one commit that are read: more than {@link MAX_DOCUMENTS} have. */
const MAX_FILES = 1_000

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

/** The files of a document that a commit changed. */
type ChangedDocument = readonly Change[]

type ChangedCommit = {
  readonly commit: Commit
  readonly documents: readonly ChangedDocument[]
  /** Whether it changed further documents, which are not listed. */
  readonly hasMore: boolean
}

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
    const {repository, authors, directory} = this.#options
    const {history} = repository
    let last = cursor
    let next = cursor === undefined ? Number.MAX_SAFE_INTEGER : (history.positionOf(cursor) ?? 0)
    const commits: ChangedCommit[] = []
    for (let read = 0; read < MAX_COMMITS && commits.length < limit; read += READ_AT_ONCE) {
      const batch = history.commitsBefore(next, READ_AT_ONCE).map((commit) => this.#read(commit))
      const isAbout = references === undefined ? () => true : await this.#filter(batch, references)
      for (const changed of batch) {
        if (commits.length === limit) break
        const documents = changed.documents.filter(isAbout)
        if (documents.length > 0) commits.push({...changed, documents})
        last = changed.commit.commit
        next = changed.commit.position
      }
      if (batch.length < READ_AT_ONCE) break
    }
    const authorOf = authors()
    const all = commits.flatMap(({documents}) => documents.slice(0, MAX_COMPARED))
    const fieldsOf = await readChangedFields(directory, all)
    const changes = commits.map(({commit, documents, hasMore}) => ({
      commit: commit.commit,
      timestamp: isoTime(commit.seconds),
      /** The id of an editor or a program, or the email address of a person who commits with Git. */
      author: authorOf(commit.email),
      name: commit.name,
      subject: commit.subject,
      ...reviewIn(commit),
      documents: documents.map((files) => describe(files, fieldsOf(files))),
      hasMore,
    }))
    return {changes, nextCursor: history.commitsBefore(next, 1).length === 0 ? '' : last}
  }

  #read(commit: Commit): ChangedCommit {
    const files = this.#options.repository.history.changesIn(commit, MAX_FILES)
    const documents = [...Map.groupBy(files, jsonPath).values()]
    return {commit, documents: documents.slice(0, MAX_DOCUMENTS), hasMore: documents.length > MAX_DOCUMENTS}
  }

  /** Makes a function that returns whether a changed document is the referenced one, or references it. */
  async #filter(
    batch: readonly ChangedCommit[],
    references: string,
  ): Promise<(document: ChangedDocument) => boolean> {
    const {directory, repository} = this.#options
    const blobsOf = ([first, ...others]: ChangedDocument): string[] => {
      if (first === undefined) return []
      const json = [first, ...others].find(({field}) => field === undefined)
      const blobs = json ? [json.blob, json.replaced] : [repository.history.jsonAt(first, first.position)]
      return blobs.filter((blob) => blob !== undefined)
    }
    const documents = batch.flatMap((one) => one.documents)
    const blobs = new Map(documents.map((document) => [document, blobsOf(document)]))
    const keys = new Map(
      documents.flatMap((document) => blobsOf(document).map((blob) => [blob, document[0]])),
    )
    const found = new Set<string>()
    await readBlobs(directory, keys.keys(), MAX_FILE_BYTES, (blob, bytes) => {
      const key = keys.get(blob)
      if (key === undefined) return
      const parsed = assembleDocument(Layout.ONE_FILE, key, new Map([[jsonPath(key), bytes]]))
      if ('document' in parsed && collectReferences(parsed.document.content).has(references)) found.add(blob)
    })
    return (document) =>
      document[0]?.id === references || blobs.get(document)?.some((blob) => found.has(blob)) === true
  }
}

/** Maximum documents of a commit whose fields are compared: Studio shows as many. */
const MAX_COMPARED = 5

function describe(files: ChangedDocument, fields: readonly string[]) {
  const [{id = '', type = ''} = {}] = files
  const json = files.find(({field}) => field === undefined)
  const isUpdated = json === undefined || (json.blob !== undefined && json.replaced !== undefined)
  if (!isUpdated) return {id, type, change: json.blob === undefined ? 'deleted' : 'created'}
  return {id, type, change: 'updated', ...(fields.length > 0 && {fields})}
}

/** Digests of a document's fields, because a field may have megabytes. */
type Digests = ReadonlyMap<string, string>

/**
 * Compares documents with what they were before some commits.
 * @param documents the files of each that a commit changed
 * @returns a function for the sorted names of the fields that a commit changed in a document; empty if the document is
 *   new, deleted, broken, or not compared
 * @throws GitError
 */
async function readChangedFields(
  directory: string,
  documents: readonly (readonly Change[])[],
): Promise<(files: readonly Change[]) => readonly string[]> {
  const compared = new Set(documents)
  const blobs = new Map<string, Change>()
  for (const file of documents.flat())
    for (const blob of [file.replaced, file.blob]) if (blob !== undefined) blobs.set(blob, file)
  const digests = new Map<string, Digests>()
  await readBlobs(directory, blobs.keys(), MAX_FILE_BYTES, (blob, bytes) => {
    const file = blobs.get(blob)
    const found = file && digestsOf(file, bytes)
    if (found !== undefined) digests.set(blob, found)
  })
  // Without the JSON on one side, there is no document; without a text there, the JSON may have it.
  const isBroken = ({field, replaced, blob}: Change) =>
    [replaced, blob].some((one) => (one !== undefined || field === undefined) && !digests.has(one ?? ''))
  return (files) => {
    if (!compared.has(files) || files.some(isBroken)) return []
    const at = (side: 'replaced' | 'blob') =>
      new Map(files.flatMap((file) => [...(digests.get(file[side] ?? '') ?? [])]))
    const [before, after] = [at('replaced'), at('blob')]
    const names = new Set([...before.keys(), ...after.keys()])
    return [...names].filter((name) => before.get(name) !== after.get(name)).sort()
  }
}

/** Undefined if the file is broken. */
function digestsOf({field, ...key}: Change, bytes: BlobContent): Digests | undefined {
  if (field !== undefined)
    return typeof bytes === 'string' ? undefined : new Map([[field, revisionOf({value: textIn(bytes)})]])
  const parsed = assembleDocument(Layout.ONE_FILE, key, new Map([[jsonPath(key), bytes]]))
  if (!('document' in parsed)) return undefined
  return new Map(Object.entries(parsed.document.content).map(([name, value]) => [name, revisionOf({value})]))
}

/** The text of a field's file, without the last newline, which is not the field's. */
function textIn(bytes: Buffer): string {
  return String(bytes).replace(/\n$/, '')
}
