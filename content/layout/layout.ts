import {isJsonObject, jsonIn} from '../../common/json.ts'

/** The document that a file belongs to. */
export type DocumentKey = {readonly type: string; readonly id: string}

/** A file of a document. */
type Place = DocumentKey & {
  /** The attribute whose text the file holds; undefined for the document's JSON. */
  readonly field: string | undefined
}

/** The attributes that have files of their own, with their extensions, by type. */
export type TextFiles = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The extensions of the text files of a type, by attribute. */
type Extensions = ReadonlyMap<string, string>

const NONE: Extensions = new Map()

/**
 * Which attributes of a document have files of their own: by default none, so that a document is one file,
 * `<type>/<_id>.json`. An attribute with the extension `js` is in `<type>/<_id>.js`.
 */
export class Layout {
  readonly files: TextFiles
  readonly #types: ReadonlyMap<string, Extensions>

  /** @param files such as `{tool: {executeJs: 'js'}}`. No extension may end with another one of its type, or be `json` */
  constructor(files: TextFiles) {
    this.files = files
    this.#types = new Map(
      Object.entries(files).map(([type, extensions]) => [type, new Map(Object.entries(extensions))]),
    )
  }

  /** Every document is one file. */
  static readonly ONE_FILE = new Layout({})

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
}

/** The file with which repositories once chose their files. */
export const FORMER_LAYOUT_FILE = 'lake.json'

/** Why documents of a repository with this `lake.json` would lose texts: it chose other files. Undefined if it did not. */
export function formerLayoutProblem(layout: Layout, text: string): string | undefined {
  const value = jsonIn(text)
  const files = isJsonObject(value) && isJsonObject(value.files) ? value.files : {}
  for (const [type, chosen] of Object.entries(files))
    for (const [field, extension] of Object.entries(isJsonObject(chosen) ? chosen : {})) {
      const fixed = layout.extensions(type).get(field)
      if (fixed === extension) continue
      const way = fixed === undefined ? `move "${field}" into the JSON` : `rename them to "*.${fixed}"`
      return `${FORMER_LAYOUT_FILE} gives "${field}" of "${type}" files "*.${String(extension)}", which are not read: ${way}, delete ${FORMER_LAYOUT_FILE}, and commit`
    }
  return undefined
}

/** Whether a path can be content: which of the files in a folder belong to documents depends on the layout. */
export function mayBeContent(path: string): boolean {
  return folderEnd(path) !== undefined
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
