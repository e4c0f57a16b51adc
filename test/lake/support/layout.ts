import {fileTextOf} from '../../../content/canonical.ts'
import {Layout} from '../../../content/layout/layout.ts'
import {splitDocument} from '../../../content/layout/splitDocument.ts'

/** A `lake.json` with two text files for tools. */
export const LAKE_JSON = {files: {tool: {executeJs: 'js', inputSchema: 'schema.json'}}}

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

/** The files of a tool, by the layout of `LAKE_JSON`. */
export function splitFiles(id: string, attributes: object = {}): Record<string, string> {
  const files = splitDocument(Layout.of(LAKE_JSON), {type: 'tool', id}, tool(id, attributes))
  return Object.fromEntries(files)
}
