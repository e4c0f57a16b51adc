import {revisionOf} from '../../content/canonical.ts'
import type {Change} from '../../content/history/history.ts'
import {jsonPath, Layout} from '../../content/layout/layout.ts'
import {assembleDocument, MAX_FILE_BYTES} from '../../content/parseDocument.ts'
import {type BlobContent, readBlobs} from '../../git/read/blobs.ts'

/** Digests of a document's fields, because a field may have megabytes. */
type Digests = ReadonlyMap<string, string>

/**
 * Compares documents with what they were before some commits.
 * @param documents the files of each that a commit changed
 * @returns a function for the sorted names of the fields that a commit changed in a document; empty if the document is
 *   new, deleted, broken, or not compared
 * @throws GitError
 */
export async function readChangedFields(
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
