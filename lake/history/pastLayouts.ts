import {LRUCache} from 'lru-cache'
import {LAYOUT_FILE, Layout, MAX_LAYOUT_BYTES} from '../../content/layout/layout.ts'
import {validLayout} from '../../content/parseDocument.ts'
import {readFiles} from '../../git/read/files.ts'
import type {KnownHistory} from '../../git/timestamps/pathHistory.ts'

/** Maximum versions of `lake.json` to read and to cache. */
const MAX_VERSIONS = 100

/** The layouts of the branch over time. */
export class PastLayouts {
  readonly #directory: string
  readonly #history: KnownHistory
  /** By commit. Undefined: `lake.json` cannot be used there. */
  readonly #known = new LRUCache<string, {readonly layout: Layout | undefined}>({max: MAX_VERSIONS})

  constructor(directory: string, history: KnownHistory) {
    this.#directory = directory
    this.#history = history
  }

  /**
   * Reads the layouts of the branch, the oldest first.
   * @throws GitError
   */
  async read(): Promise<LayoutTimeline> {
    const versions = [{position: Number.NEGATIVE_INFINITY, layout: Layout.ONE_FILE}]
    const touches = this.#history.of([LAYOUT_FILE]).slice(0, MAX_VERSIONS)
    for (const {commit, position} of touches.toReversed()) {
      let known = this.#known.get(commit)
      if (known === undefined) {
        const files = await readFiles(this.#directory, commit, [LAYOUT_FILE], MAX_LAYOUT_BYTES)
        known = {layout: validLayout(files.get(LAYOUT_FILE))}
        this.#known.set(commit, known)
      }
      // The last valid version applies, as for documents at HEAD.
      if (known.layout !== undefined) versions.push({position, layout: known.layout})
    }
    return versions
  }
}

/** The layouts of a branch, each with the position of the commit since which it applies. */
export type LayoutTimeline = readonly {readonly position: number; readonly layout: Layout}[]

/** The layout at a position of the history. */
export function layoutAt(layouts: LayoutTimeline, position: number): Layout {
  return layouts.findLast((version) => version.position <= position)?.layout ?? Layout.ONE_FILE
}
