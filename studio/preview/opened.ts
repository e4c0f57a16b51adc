import {LINK_MINUTES} from '../../schemas/rules/previewSource.ts'

/** What became of a link that was opened. */
export type Opened =
  | {state: 'waiting'}
  /** A page of this origin shows the preview. */
  | {state: 'shown'; origin: string}
  /** No page has asked for the drafts in a time in which pages usually do. */
  | {state: 'silent'}
  /** Why Studio cannot know it, in words for an editor. */
  | {state: 'failed'; problem: string}

/** Milliseconds until a page that shows nothing counts as silent. */
const SILENT_AFTER = 7_000

/** Milliseconds between two requests. */
const INTERVAL = 2_500

/**
 * Asks whether a page shows the preview, until one does or the time of the link is over.
 * @param ask the origin of the page; undefined if there is none. @throws Error in words for an editor
 * @param report called after each request
 */
export async function followOpened(
  ask: () => Promise<string | undefined>,
  report: (opened: Opened) => void,
  signal: AbortSignal,
  {now = Date.now, wait = pause} = {},
): Promise<void> {
  const startedAt = now()
  report({state: 'waiting'})
  while (!signal.aborted) {
    const answer = await ask().then(
      (origin): Opened | undefined => (origin === undefined ? undefined : {state: 'shown', origin}),
      (error: unknown): Opened => ({
        state: 'failed',
        problem: error instanceof Error ? error.message : String(error),
      }),
    )
    if (signal.aborted) return
    const passed = now() - startedAt
    report(answer ?? {state: passed >= SILENT_AFTER ? 'silent' : 'waiting'})
    if (answer?.state === 'shown' || passed > LINK_MINUTES * 60_000) return
    await wait(INTERVAL)
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
