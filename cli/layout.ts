import {errorMessage} from '../common/errorMessage.ts'
import {LAYOUT_FILE, Layout} from '../content/layout/layout.ts'
import {FileError} from '../content/layout/textFile.ts'
import {parseLayout} from '../content/parseDocument.ts'
import {tool} from '../schemas/tool.ts'
import type {Source} from './source/source.ts'

/** The layout of new content repositories, as in `lake.json`. */
export const STANDARD_LAYOUT = {
  files: {
    tool: Object.fromEntries(
      tool.fields.flatMap(({name, file}) => (file === undefined ? [] : [[name, file]])).sort(),
    ),
  },
}

/** The layout of a repository. */
type RepositoryLayout = {
  readonly layout: Layout
  /** Why `lake.json` cannot be used. The standard layout stands in, so that the texts are checked anyway. */
  readonly problem?: {readonly message: string; readonly line?: number}
}

/** Reads the `lake.json` of a repository. Without one, each document is one file. */
export function readLayout({files}: Source): RepositoryLayout {
  const file = files.find(({path}) => path === LAYOUT_FILE)
  if (file?.content === undefined) return {layout: Layout.ONE_FILE}
  try {
    return {layout: parseLayout(file.content)}
  } catch (error) {
    const line = error instanceof FileError ? error.line : undefined
    const problem = {message: errorMessage(error), ...(line !== undefined && {line})}
    return {layout: Layout.of(STANDARD_LAYOUT), problem}
  }
}
