import type {FastifyBaseLogger} from 'fastify'
import type {ContentDirectory} from '../contentDirectory.ts'
import type {TreeEntry} from '../objects/treeObject.ts'
import type {IsContentPath} from '../read/lsTree.ts'
import type {PendingPaths, Versions} from './pendingPaths.ts'
import {findTakenBack, type TakenBack} from './staleCommit.ts'

export type RestorationParts = {
  readonly folder: ContentDirectory
  readonly behind: Pick<PendingPaths, 'followed'>
  readonly isContentPath: IsContentPath
  readonly logger: FastifyBaseLogger
  /** Publishes again what a commit reverted by accident. */
  readonly restore: (taken: ReadonlyMap<string, TakenBack>) => Promise<void>
  /** Called after each restoration. */
  readonly onEnd: () => void
}

/** Publishes again what was reverted by a commit made from an index older than HEAD. One run at a time. */
export class Restoration {
  readonly #parts: RestorationParts
  #paths: ReadonlySet<string> = new Set()
  #running: Promise<void> | undefined

  constructor(parts: RestorationParts) {
    this.#parts = parts
  }

  /** Paths that are being restored. They are updated once that has ended. */
  get paths(): ReadonlySet<string> {
    return this.#paths
  }

  /** The current run. Never rejects. */
  get running(): Promise<void> | undefined {
    return this.#running
  }

  /** Restores what a commit reverted among these paths, unless a restoration runs already. */
  async begin(paths: ReadonlyMap<string, Versions>, head: ReadonlyMap<string, TreeEntry>): Promise<void> {
    const {folder, behind, isContentPath, logger, restore, onEnd} = this.#parts
    // Only commits made in the work tree use its index.
    if (folder.isBare || this.#running !== undefined) return
    const taken = await findTakenBack(folder.root, paths, head, isContentPath)
    if (taken.size === 0 || this.#running !== undefined) return
    this.#paths = new Set(taken.keys())
    this.#running = restore(taken)
      .catch((err: unknown) =>
        logger.error({err, paths: [...taken.keys()]}, 'could not restore documents that a commit reverted'),
      )
      .then(() => {
        for (const [path, {now}] of taken) behind.followed(path, paths.get(path) ?? [], now)
        this.#paths = new Set()
        this.#running = undefined
        onEnd()
      })
  }
}
