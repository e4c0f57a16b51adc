/** What a name in a tree points to. The mode is Git's, such as `100644`. */
export type TreeEntry = {readonly mode: string; readonly id: string}

/** The mode of a folder. */
export const FOLDER_MODE = '40000'

/** Whether the mode is that of a file, not of a folder, a symbolic link or a submodule. */
export function isFileMode(mode: string): boolean {
  return mode === '100644' || mode === '100755'
}

/** There is a folder where a file should go, or the other way round. */
export class WrongKindError extends Error {}

const SPACE = 0x20
const SLASH = 0x2f

/** The offsets of an entry in the body of a tree: `<mode> <name>`, a NUL, the bytes of the id. */
type Place = {readonly start: number; readonly name: number; readonly id: number; readonly end: number}

/**
 * A name to set or delete. The key is what Git sorts by: a folder sorts as if its name ended with a slash.
 */
type Edit = {readonly name: string; readonly key: Buffer; readonly id: string | undefined}

/** A tree with some names changed, and the entries of these names that existed. */
export type EditedTree = {
  /** The new body. */
  readonly pieces: readonly Buffer[]
  readonly before: ReadonlyMap<string, TreeEntry>
}

/**
 * Sets or deletes (undefined) names in the body of a tree object and leaves the rest of it as it is. All
 * edits must be of files, or all of folders. A file keeps its mode, and replaces a link.
 * @param edits the new id by name; names are ASCII
 * @throws WrongKindError
 */
export function editTree(
  body: Buffer,
  idBytes: number,
  kind: 'file' | 'folder',
  edits: ReadonlyMap<string, string | undefined>,
): EditedTree {
  const before = new Map<string, TreeEntry>()
  const newMode = kind === 'folder' ? FOLDER_MODE : '100644'
  const waiting = Array.from(edits, ([name, id]) => {
    return {name, id, key: Buffer.from(kind === 'folder' ? `${name}/` : name)}
  }).sort((a, b) => Buffer.compare(a.key, b.key))
  const pieces: Buffer[] = []
  let copied = 0
  let next = 0
  const set = ({name, id}: Edit, mode: string) => {
    if (id === undefined) return
    pieces.push(Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex'))
  }
  const copyUpTo = (place: number) => {
    pieces.push(body.subarray(copied, place))
    copied = place
  }
  for (const place of placesOf(body, idBytes)) {
    const isFolder = !isKindOfFile(body, place)
    if (isFolder !== (kind === 'folder') && edits.has(nameAt(body, place))) {
      throw new WrongKindError(`"${nameAt(body, place)}" is ${isFolder ? 'a folder' : 'not a folder'}`)
    }
    for (let edit = waiting[next]; edit !== undefined; edit = waiting[next]) {
      const order = compareKey(body, place, isFolder, edit.key)
      if (order < 0) break
      copyUpTo(place.start)
      next += 1
      if (order > 0) {
        set(edit, newMode)
        continue
      }
      const entry = entryAt(body, place)
      before.set(edit.name, entry)
      copied = place.end
      set(edit, isFolder || isFileMode(entry.mode) ? entry.mode : newMode)
      break
    }
  }
  copyUpTo(body.length)
  for (const edit of waiting.slice(next)) set(edit, newMode)
  return {pieces: pieces.filter(({length}) => length > 0), before}
}

/** The entry of one name in the body of a tree object. */
export function findEntry(body: Buffer, idBytes: number, name: string): TreeEntry | undefined {
  for (const place of placesOf(body, idBytes)) {
    if (nameAt(body, place) === name) return entryAt(body, place)
  }
  return undefined
}

/**
 * Finds two names that differ only by case, at least one of them in `names`; the other one is in the tree or
 * in `names`. File systems of macOS and Windows treat them as the same name.
 */
export function findCaseConflict(body: Buffer, names: Iterable<string>, idBytes: number) {
  const folded = new Map<string, string>()
  for (const name of names) {
    const existing = folded.get(name.toLowerCase())
    if (existing !== undefined) return {name, existing}
    folded.set(name.toLowerCase(), name)
  }
  if (folded.size === 0) return undefined
  for (const place of placesOf(body, idBytes)) {
    const existing = body.toString('utf8', place.name, place.id - 1)
    const name = folded.get(existing.toLowerCase())
    if (name !== undefined && name !== existing) return {name, existing}
  }
  return undefined
}

/** Yields offsets instead of strings: a folder of 10,000 documents is walked for each publication. */
function* placesOf(body: Buffer, idBytes: number): Generator<Place> {
  let start = 0
  while (start < body.length) {
    const name = afterByte(body, SPACE, start)
    const id = afterByte(body, 0, name)
    const end = id + idBytes
    if (end > body.length) throw new Error('a tree object is corrupt')
    yield {start, name, id, end}
    start = end
  }
}

/** The offset after the next such byte. In texts this short, a loop is faster than a call of `indexOf`. */
function afterByte(body: Buffer, byte: number, from: number): number {
  let at = from
  while (at < body.length && body[at] !== byte) at += 1
  return at + 1
}

/** Compares an entry with a key, by bytes. */
function compareKey(body: Buffer, {name, id}: Place, isFolder: boolean, key: Buffer): number {
  const length = id - 1 - name
  for (let at = 0; at < key.length; at += 1) {
    const byte = at < length ? body[name + at] : at === length && isFolder ? SLASH : -1
    const order = (byte ?? -1) - (key[at] ?? -1)
    if (order !== 0) return order
  }
  return length + (isFolder ? 1 : 0) - key.length
}

/**
 * Modes of folders start with 4, or with 0 if written by an old tool. A submodule (160000) counts as a file.
 */
function isKindOfFile(body: Buffer, {start}: Place): boolean {
  return body[start] === 0x31
}

function nameAt(body: Buffer, {name, id}: Place): string {
  return body.toString('latin1', name, id - 1)
}

function entryAt(body: Buffer, {start, name, id, end}: Place): TreeEntry {
  return {mode: body.toString('latin1', start, name - 1), id: body.toString('hex', id, end)}
}
