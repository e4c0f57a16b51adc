import {LRUCache} from 'lru-cache'
import {LAYOUT_FILE, Layout, MAX_LAYOUT_BYTES} from '../../content/layout/layout.ts'
import {parseLayout} from '../../content/parseDocument.ts'
import type {FileContent} from '../../git/read/blobs.ts'
import {readFiles} from '../../git/read/files.ts'
import type {PathTouch} from '../../git/timestamps/pathHistory.ts'

/** Maximum versions of `lake.json` to read and to cache. */
const MAX_VERSIONS = 100

/** The layouts of the branch over time. */
export class PastLayouts {
  readonly #directory: string
  readonly #touches: (paths: readonly string[]) => readonly PathTouch[]
  /** By commit. Undefined: `lake.json` cannot be used there. */
  readonly #known = new LRUCache<string, {readonly layout: Layout | undefined}>({max: MAX_VERSIONS})

  /** @param touches the changes of some paths, the newest first */
  constructor(directory: string, touches: (paths: readonly string[]) => readonly PathTouch[]) {
    this.#directory = directory
    this.#touches = touches
  }

  /**
   * Reads the layouts of the branch.
   * @throws GitError
   */
  async read(): Promise<LayoutTimeline> {
    const versions: {readonly position: number; readonly layout: Layout}[] = []
    const touches = this.#touches([LAYOUT_FILE]).slice(0, MAX_VERSIONS)
    for (const {commit, position} of touches.toReversed()) {
      let known = this.#known.get(commit)
      if (known === undefined) {
        const files = await readFiles(this.#directory, commit, [LAYOUT_FILE], MAX_LAYOUT_BYTES)
        known = {layout: layoutIn(files.get(LAYOUT_FILE))}
        this.#known.set(commit, known)
      }
      // The last valid version applies, as for documents at HEAD.
      if (known.layout !== undefined) versions.push({position, layout: known.layout})
    }
    return new LayoutTimeline(versions)
  }
}

/** Which layout applied at which commit. */
export class LayoutTimeline {
  readonly #versions: readonly {readonly position: number; readonly layout: Layout}[]

  /** @param versions the oldest first */
  constructor(versions: readonly {readonly position: number; readonly layout: Layout}[]) {
    this.#versions = versions
  }

  /** The layout at a position of the history. */
  at(position: number): Layout {
    return this.#versions.findLast((version) => version.position <= position)?.layout ?? Layout.ONE_FILE
  }

  /** Every layout that ever applied. */
  all(): Layout[] {
    return [Layout.ONE_FILE, ...this.#versions.map(({layout}) => layout)]
  }
}

function layoutIn(content: FileContent | undefined): Layout | undefined {
  try {
    return parseLayout(content)
  } catch {
    return undefined
  }
}
