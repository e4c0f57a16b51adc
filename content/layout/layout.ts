import {isDeepStrictEqual} from 'node:util'
import {isJsonObject} from '../../common/json.ts'
import {LAYOUT_FILE, typeProblem} from '../names.ts'

export {LAYOUT_FILE}

/** Maximum size of {@link LAYOUT_FILE}, in bytes. */
export const MAX_LAYOUT_BYTES = 64 * 1024

/** The document that a file belongs to. */
export type DocumentKey = {readonly type: string; readonly id: string}

/** A file of a document. */
type Place = DocumentKey & {
  /** The attribute whose text the file holds; undefined for the document's JSON. */
  readonly field: string | undefined
}

/** The content of `lake.json` cannot be used. The message tells a person why. */
class LayoutError extends Error {}

/** The extensions of the text files of a type, by attribute. */
type Extensions = ReadonlyMap<string, string>

const NONE: Extensions = new Map()

/** Bounds for what is compared with each other: a real layout has one to five types, and as many attributes. */
const MAX_TYPES = 200
const MAX_FIELDS = 32

const FIELD = /^[A-Za-z][A-Za-z0-9_]{0,63}$/

/** So that a path on Windows has at most 260 characters: the longest type and id have 193. */
const MAX_EXTENSION_LENGTH = 32
const EXTENSION = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/

/**
 * Which attributes of a document have files of their own: by default none, so that a document is one file,
 * `<type>/<_id>.json`. An attribute with the extension `js` is in `<type>/<_id>.js`.
 */
export class Layout {
  readonly #types: ReadonlyMap<string, Extensions>

  private constructor(types: ReadonlyMap<string, Extensions>) {
    this.#types = types
  }

  /** Every document is one file. */
  static readonly ONE_FILE = new Layout(new Map())

  /**
   * Reads the value in `lake.json`, such as `{"files": {"tool": {"executeJs": "js"}}}`.
   * @throws LayoutError
   */
  static of(value: unknown): Layout {
    if (!isJsonObject(value)) throw new LayoutError('not a JSON object')
    const {files, ...others} = value
    const [unknown] = Object.keys(others)
    if (unknown !== undefined) throw new LayoutError(`unknown member "${unknown}": only "files" is known`)
    if (!isJsonObject(files)) throw new LayoutError('"files" must be an object')
    const types = new Map<string, Extensions>()
    const entries = Object.entries(files)
    if (entries.length > MAX_TYPES) throw new LayoutError(`"files" names more than ${MAX_TYPES} types`)
    for (const [type, fields] of entries) {
      const problem = typeProblem(type)
      if (problem !== undefined) throw new LayoutError(`in "files", ${problem}`)
      types.set(type, extensionsOf(type, fields))
    }
    return new Layout(types)
  }

  /** The extensions of a type's text files, by attribute. */
  extensions(type: string): Extensions {
    return this.#types.get(type) ?? NONE
  }

  /** The document and the attribute that a path of the repository belongs to; undefined if it is not content. */
  placeOf(path: string): Place | undefined {
    const slash = folderEnd(path)
    if (slash === undefined) return undefined
    const [type, name] = [path.slice(0, slash), path.slice(slash + 1)]
    for (const [field, extension] of [...this.extensions(type), [undefined, 'json'] as const])
      if (name.length > extension.length + 1 && name.endsWith(`.${extension}`))
        return {type, id: name.slice(0, -extension.length - 1), field}
    return undefined
  }

  /** The paths that a document's texts may have, by attribute. */
  textPaths({type, id}: DocumentKey): ReadonlyMap<string, string> {
    return new Map(Array.from(this.extensions(type), ([field, name]) => [field, `${type}/${id}.${name}`]))
  }

  /** Every path that a document may have: its JSON first, then its texts. */
  paths(key: DocumentKey): string[] {
    return [jsonPath(key), ...this.textPaths(key).values()]
  }

  /** Whether documents have the same files in another layout. */
  isSame(other: Layout): boolean {
    return isDeepStrictEqual(this.#types, other.#types)
  }
}

/** Whether a path can be content: which of the files in a folder belong to documents depends on the layout. */
export function mayBeContent(path: string): boolean {
  return path === LAYOUT_FILE || folderEnd(path) !== undefined
}

/** Where the folder ends in the path of a file in one folder that Git does not hide; undefined for other paths. */
function folderEnd(path: string): number | undefined {
  const slash = path.indexOf('/')
  const isFile = slash > 0 && slash < path.length - 1 && !path.includes('/', slash + 1)
  return isFile && !path.startsWith('.') ? slash : undefined
}

/** The path of a document's JSON. */
export function jsonPath({type, id}: DocumentKey): string {
  return `${type}/${id}.json`
}

/** Some files by the documents that they belong to: these are named by the paths of their JSON. Others are left out. */
export function groupByDocument<T extends {readonly path: string}>(
  layout: Layout,
  files: Iterable<T>,
): Map<string, {readonly key: DocumentKey; readonly files: T[]}> {
  const documents = new Map<string, {readonly key: DocumentKey; readonly files: T[]}>()
  for (const file of files) {
    const place = layout.placeOf(file.path)
    if (place === undefined) continue
    const {type, id} = place
    const document = documents.get(jsonPath(place)) ?? {key: {type, id}, files: []}
    document.files.push(file)
    documents.set(jsonPath(place), document)
  }
  return documents
}

/** @throws LayoutError */
function extensionsOf(type: string, fields: unknown): Extensions {
  if (!isJsonObject(fields)) throw new LayoutError(`"files.${type}" must be an object`)
  const extensions = new Map<string, string>()
  const entries = Object.entries(fields)
  if (entries.length > MAX_FIELDS)
    throw new LayoutError(`"files.${type}" names more than ${MAX_FIELDS} attributes`)
  for (const [field, extension] of entries) {
    const place = `"files.${type}.${field}"`
    if (!FIELD.test(field))
      throw new LayoutError(`${place}: an attribute starts with a letter and has letters, digits and "_"`)
    if (typeof extension !== 'string' || !EXTENSION.test(extension)) {
      throw new LayoutError(`${place} must be an extension without a leading dot, such as "js"`)
    }
    if (extension.length > MAX_EXTENSION_LENGTH)
      throw new LayoutError(`${place} has more than ${MAX_EXTENSION_LENGTH} characters`)
    if (extension.toLowerCase() === 'json')
      throw new LayoutError(`${place} cannot be "json", the extension of the document itself`)
    if (/(^|\.)(lock|git)$/i.test(extension))
      throw new LayoutError(`${place} cannot end like one of Git's own files`)
    for (const [other, existing] of extensions) {
      if (isSuffix(extension, existing) || isSuffix(existing, extension)) {
        const names = `"${existing}" and "${extension}"`
        throw new LayoutError(`${place}: a file could belong to "${other}", too: change one of ${names}`)
      }
    }
    extensions.set(field, extension)
  }
  return extensions
}

/** Whether a file name that ends with `.<longer>` ends with `.<shorter>`, too. */
function isSuffix(longer: string, shorter: string): boolean {
  return `.${longer}`.toLowerCase().endsWith(`.${shorter}`.toLowerCase())
}
