import {rm, stat} from 'node:fs/promises'
import {join} from 'node:path'
import {readBranch} from '../branch.ts'
import type {ContentDirectory} from '../contentDirectory.ts'

/** How long to wait for a Git process that outlived the lake, in milliseconds. */
const MAX_WAIT = 1_000

/**
 * Removes locks on HEAD and its branch that were taken after `since` (milliseconds) and are still held. If
 * the whole machine crashes while Git moves HEAD, these locks stay and block every later commit. Call it only
 * at a start that knows that HEAD was being moved at that time.
 * @returns the names of the removed locks
 */
export async function removeStaleRefLocks(folder: ContentDirectory, since: number): Promise<string[]> {
  const {gitDir, commonDir} = folder
  const branch = await readBranch(gitDir)
  const locks = [
    join(gitDir, 'HEAD.lock'),
    ...(branch === undefined ? [] : [join(commonDir, `${branch}.lock`)]),
    join(commonDir, 'reftable', 'tables.list.lock'),
  ]
  const held = new Map<string, string>()
  for (const lock of locks) {
    const found = await identify(lock)
    if (found !== undefined && found.mtimeMs >= since) held.set(lock, found.id)
  }
  if (held.size === 0) return []
  await new Promise((resolve) => setTimeout(resolve, MAX_WAIT))
  const removed: string[] = []
  for (const [lock, id] of held) {
    if ((await identify(lock))?.id !== id) continue
    await rm(lock, {force: true})
    removed.push(lock)
  }
  return removed
}

async function identify(file: string): Promise<{id: string; mtimeMs: number} | undefined> {
  const found = await stat(file).catch(() => undefined)
  return found && {id: `${found.ino} ${found.mtimeMs} ${found.size}`, mtimeMs: found.mtimeMs}
}
