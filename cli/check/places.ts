import {findNodeAtLocation, type Node, parseTree} from 'jsonc-parser'
import type {Place} from '../../advice/advice.ts'
import {type DocumentKey, jsonPath} from '../../content/layout/layout.ts'
import type {FileContent} from '../../content/parseDocument.ts'
import {offsetNamed} from '../../schemas/rules/text.ts'
import {LAYOUT} from '../layout.ts'

/** A position in a file of the repository. */
export type FilePlace = {readonly path: string; readonly line?: number; readonly column?: number}

/** Finds the fields of one document in its files. */
export class Places {
  readonly #key: DocumentKey
  readonly #files: ReadonlyMap<string, FileContent>
  #tree: Node | undefined

  constructor(key: DocumentKey, files: ReadonlyMap<string, FileContent>) {
    this.#key = key
    this.#files = files
  }

  /**
   * The place of a field, or of a part of it.
   * @param within where in the text of the field; a problem that names line and column is read, too
   */
  of(field: string, within: Place & {readonly problem?: string} = {}): FilePlace {
    const path = LAYOUT.textPaths(this.#key).get(field)
    const text = path === undefined ? undefined : this.#textAt(path)
    if (path === undefined || text === undefined) return this.inJson(field)
    const offset =
      within.offset ??
      (within.path && offsetOf(text, within.path)) ??
      (within.problem === undefined ? undefined : offsetNamed(within.problem, text))
    return {path, ...positionOf(text, offset ?? 0)}
  }

  /**
   * The place of a field, or of an entry such as `tests.0`, in the JSON of the document, even if its text is in a file of
   * its own.
   */
  inJson(field: string): FilePlace {
    const path = jsonPath(this.#key)
    const text = this.#textAt(path)
    if (text === undefined) return {path}
    this.#tree ??= treeOf(text)
    const segments = field.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step))
    for (let length = segments.length; length > 0; length -= 1) {
      const node = this.#tree && findNodeAtLocation(this.#tree, segments.slice(0, length))
      const start = node?.parent?.type === 'property' ? node.parent : node
      if (start !== undefined) return {path, ...positionOf(text, start.offset)}
    }
    return {path}
  }

  #textAt(path: string): string | undefined {
    const content = this.#files.get(path)
    return Buffer.isBuffer(content) ? content.toString() : undefined
  }
}

/** Line and column of an offset, counted from 1. */
function positionOf(text: string, offset: number): {readonly line: number; readonly column: number} {
  const before = text.slice(0, offset)
  return {line: before.split('\n').length, column: offset - before.lastIndexOf('\n')}
}

function offsetOf(json: string, path: readonly (string | number)[]): number | undefined {
  const tree = treeOf(json)
  return tree && findNodeAtLocation(tree, [...path])?.offset
}

function treeOf(text: string): Node | undefined {
  try {
    return parseTree(text)
  } catch {
    // Nested too deeply.
    return undefined
  }
}
