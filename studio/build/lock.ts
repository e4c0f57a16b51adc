import {readFile, rm, writeFile} from 'node:fs/promises'
import {setTimeout} from 'node:timers/promises'

/** Interval at which a lock that another process holds is checked, in milliseconds. */
const EVERY = 250

/**
 * Runs work while holding a lock, because builds share a folder to which Sanity writes. A lock whose process
 * has exited is taken over.
 */
export async function withLock<T>(path: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  while (!(await take(path))) await setTimeout(EVERY, undefined, {signal})
  try {
    return await work()
  } finally {
    await rm(path, {force: true})
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), {flag: 'wx'})
    return true
  } catch {
    const holder = Number(await readFile(path, 'utf8').catch(() => ''))
    // An empty lock file is about to be written.
    if (holder > 0 && !isAlive(holder)) await rm(path, {force: true})
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
