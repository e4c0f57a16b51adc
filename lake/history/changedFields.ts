import {revisionOf} from '../../content/canonical.ts'
import {type DocumentKey, jsonPath, Layout} from '../../content/layout/layout.ts'
import {assembleDocument, MAX_FILE_BYTES} from '../../content/parseDocument.ts'
import {type BlobContent, readBlobs} from '../../git/read/blobs.ts'
import type {CommitFacts} from './commits.ts'

/** Maximum documents of a commit that are compared: Studio shows as many. */
const MAX_COMPARED = 5

export type ComparedCommit = {
  readonly fact: CommitFacts
  readonly documents: readonly DocumentKey[]
}

/** A file that a commit changed: the document's JSON, or the text of a field. */
type ChangedFile = {
  readonly key: DocumentKey
  readonly field: string | undefined
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Digests of a document's fields, because a field may have megabytes. */
type Digests = ReadonlyMap<string, string>

/**
 * Compares documents with what they were before some commits.
 * @returns a function for the sorted names of the fields that a commit changed in a document; empty if the document is
 *   new, deleted, broken, or not compared
 * @throws GitError
 */
export async function readChangedFields(
  directory: string,
  layout: Layout,
  commits: readonly ComparedCommit[],
): Promise<(fact: CommitFacts, key: DocumentKey) => readonly string[]> {
  const files = new Map(commits.map((commit) => [commit.fact, changedFiles(layout, commit)]))
  const blobs = new Map<string, ChangedFile>()
  for (const file of [...files.values()].flat())
    for (const blob of [file.before, file.after]) if (blob !== undefined) blobs.set(blob, file)
  const digests = new Map<string, Digests>()
  await readBlobs(directory, blobs.keys(), MAX_FILE_BYTES, (blob, bytes) => {
    const file = blobs.get(blob)
    const found = file && digestsOf(file, bytes)
    if (found !== undefined) digests.set(blob, found)
  })
  return (fact, {type, id}) => {
    const own = files.get(fact)?.filter(({key}) => key.type === type && key.id === id) ?? []
    // Without the JSON on one side, there is no document; without a text there, the JSON may have it.
    const isBroken = ({field, ...sides}: ChangedFile) =>
      [sides.before, sides.after].some(
        (blob) => (blob !== undefined || field === undefined) && !digests.has(blob ?? ''),
      )
    if (own.some(isBroken)) return []
    const at = (side: 'before' | 'after') =>
      new Map(own.flatMap((file) => [...(digests.get(file[side] ?? '') ?? [])]))
    const [before, after] = [at('before'), at('after')]
    const names = new Set([...before.keys(), ...after.keys()])
    return [...names].filter((name) => before.get(name) !== after.get(name)).sort()
  }
}

function changedFiles(layout: Layout, {fact, documents}: ComparedCommit): ChangedFile[] {
  const compared = new Map(documents.slice(0, MAX_COMPARED).map((key) => [jsonPath(key), key]))
  return [...fact.blobs].flatMap(([path, after]) => {
    const place = layout.placeOf(path)
    const key = place && compared.get(jsonPath(place))
    return key === undefined ? [] : {key, field: place?.field, before: fact.replaced.get(path), after}
  })
}

/** Undefined if the file is broken. */
function digestsOf({key, field}: ChangedFile, bytes: BlobContent): Digests | undefined {
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
