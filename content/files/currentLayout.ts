import {errorMessage} from '../../common/errorMessage.ts'
import {gitLines, isDamage} from '../../git/process.ts'
import type {FileContent} from '../../git/read/blobs.ts'
import {readFiles} from '../../git/read/files.ts'
import {firstParents} from '../../git/read/lsTree.ts'
import {LAYOUT_FILE, Layout, MAX_LAYOUT_BYTES} from '../layout/layout.ts'
import {parseLayout, validLayout} from '../parseDocument.ts'

/** Maximum earlier versions of `lake.json` to try. */
const MAX_EARLIER = 20

/** Maximum commits to look for them in if the history is damaged. */
const MAX_COMMITS = 50

/** The layout at a commit, and why `lake.json` there cannot be used. */
export type CurrentLayout = {
  readonly layout: Layout
  readonly problem?: {readonly reason: string; readonly isUnreadable: boolean}
}

/**
 * Reads the layout at a commit. If `lake.json` is not valid there, its last valid version counts: a slip of
 * the pen must not separate all documents from their texts.
 * @throws GitError
 */
export async function readLayout(root: string, commit: string): Promise<CurrentLayout> {
  const content = await contentAt(root, commit)
  try {
    return {layout: parseLayout(content)}
  } catch (error) {
    const problem = {reason: errorMessage(error), isUnreadable: content === 'unreadable'}
    return {layout: await lastValid(root, commit), problem}
  }
}

async function lastValid(root: string, commit: string): Promise<Layout> {
  for (const earlier of await versionsBefore(root, commit)) {
    const layout = validLayout(await contentAt(root, earlier))
    if (layout !== undefined) return layout
  }
  return Layout.ONE_FILE
}

/** The commits that may have left another version of `lake.json`, the newest first. */
async function versionsBefore(root: string, commit: string): Promise<readonly string[]> {
  const range = ['--first-parent', `--max-count=${MAX_EARLIER}`, '--format=%H', commit, '--', LAYOUT_FILE]
  try {
    return await gitLines(root, ['log', ...range])
  } catch (error) {
    if (!isDamage(error)) throw error
    // Git cannot compare some of them, but can look into the others.
    return firstParents(root, commit, MAX_COMMITS)
  }
}

async function contentAt(root: string, commit: string): Promise<FileContent | undefined> {
  return (await readFiles(root, commit, [LAYOUT_FILE], MAX_LAYOUT_BYTES)).get(LAYOUT_FILE)
}
