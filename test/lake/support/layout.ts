import {LAYOUT} from '../../../cli/layout.ts'
import {fileTextOf} from '../../../content/canonical.ts'
import {splitDocument} from '../../../content/layout/splitDocument.ts'

/** A script whose lines can be changed separately. */
export function script(changes: Record<number, string> = {}): string {
  return Array.from({length: 20}, (_, line) => changes[line] ?? `// line ${line}`).join('\n')
}

/** A tool with long texts. */
export function tool(id: string, attributes: object = {}) {
  return {_id: id, _type: 'tool', name: id, executeJs: script(), inputSchema: '{\n}', ...attributes}
}

/** The one file of a tool. */
export function oneFile(id: string, attributes: object = {}): Record<string, string> {
  return {[`tool/${id}.json`]: fileTextOf(tool(id, attributes))}
}

/** The files of a tool, by the rules of tools. */
export function splitFiles(id: string, attributes: object = {}): Record<string, string> {
  const files = splitDocument(LAYOUT, {type: 'tool', id}, tool(id, attributes))
  return Object.fromEntries(files)
}
