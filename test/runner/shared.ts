import {tmpdir} from 'node:os'
import {added, type Holdings, holdingsNow} from './holdings.ts'

/** What the test files of a process share, because each would take seconds to start its own: a browser, a build. */
type Stage = {
  readonly holds: Holdings
  /** What a file left in it. */
  readonly contents: () => Holdings
  readonly close: () => Promise<unknown>
}

const stages: Stage[] = []
/** Stages start one after the other, so that what each of them holds is known. */
let lastStart: Promise<unknown> = Promise.resolve()

/**
 * A stage that starts when a test file first asks for it. It is closed at the end of the process, not by files.
 * Ask for it before the file starts anything else: what begins meanwhile counts as the stage's.
 * @param contentsOf what files can leave in it, such as a tab, named as in "the file leaves a tab"
 */
export function shared<T extends {close(): Promise<unknown>}>(
  start: () => Promise<T>,
  contentsOf: (stage: T) => Holdings = () => [],
): () => Promise<T> {
  async function startNow(): Promise<T> {
    const before = holdingsNow(tmpdir())
    const stage = await start()
    const holds = added(before, holdingsNow(tmpdir()))
    stages.push({holds, contents: () => contentsOf(stage), close: () => stage.close()})
    return stage
  }
  let started: Promise<T> | undefined
  return () => {
    if (started === undefined) {
      started = lastStart.then(startNow)
      lastStart = started.catch(() => {})
    }
    return started
  }
}

/**
 * What the test files of this process hold, without what they share.
 * @param folder where temporary files are created
 */
export function heldByFiles(folder: string): Holdings {
  const held = added(
    stages.flatMap(({holds}) => holds),
    holdingsNow(folder),
  )
  return [...held, ...stages.flatMap(({contents}) => contents())]
}

/** Closes what was started, the last first. */
export async function closeShared(): Promise<void> {
  for (const stage of stages.splice(0).reverse()) await stage.close()
}
