import {mkdir, readdir, readFile, rm, stat, utimes} from 'node:fs/promises'
import {join} from 'node:path'
import {atomicWrite, OWNER_ONLY} from '../../common/atomicWrite.ts'
import {errorCode} from '../../common/errorCode.ts'
import {digestOf} from '../../snippet/build/built.ts'
import type {ServiceEvents} from '../events.ts'
import {compressedScript, type PageScript} from './pageScripts.ts'

/** Maximum builds that are kept. Upgrades and renewed tokens of an origin trial make new ones, some each year. */
const MAX_BUILDS = 20

/** Maximum size of a build in bytes, several times that of the snippet. */
const MAX_BYTES = 64 * 1_024

const FILE_NAME = /^([0-9a-f]{16})\.js$/

/** How the name of a temporary file starts. */
const TEMPORARY = 'aside-'

type EarlierBuildsOptions = {
  /** Created if it does not exist. */
  readonly dir: string
  readonly current: PageScript
  readonly events: ServiceEvents
  readonly maxBuilds?: number
}

/**
 * Keeps the current build of the snippet on disk, and removes the oldest. If the disk is full or read-only, only the current build
 * is not kept.
 * @returns those that earlier processes kept, by hash, so that pages with `integrity` survive upgrades
 */
export async function earlierBuilds({
  dir,
  current,
  events,
  maxBuilds = MAX_BUILDS,
}: EarlierBuildsOptions): Promise<ReadonlyMap<string, PageScript>> {
  await keep(dir, current).catch((error: unknown) => events.emit('snapshotFailed', 'write', dir, error))
  const found = await list(dir).catch((error: unknown) => {
    events.emit('snapshotFailed', 'read', dir, error)
    return []
  })
  const others = found.filter(({hash}) => hash !== current.hash).sort((a, b) => b.usedAt - a.usedAt)
  const earlier = new Map<string, PageScript>()
  for (const [index, {hash, path}] of others.entries()) {
    const text = index < maxBuilds - 1 ? await readBuild(path, hash) : undefined
    if (text === undefined) await rm(path, {force: true}).catch(() => {})
    else earlier.set(hash, await compressedScript({text, hash}))
  }
  return earlier
}

async function keep(dir: string, {hash, identity}: PageScript): Promise<void> {
  await mkdir(dir, {recursive: true, mode: OWNER_ONLY})
  const path = join(dir, `${hash}.js`)
  const now = new Date()
  try {
    await utimes(path, now, now)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    await atomicWrite(path, identity.body, {mode: 0o600, prefix: TEMPORARY})
  }
}

async function list(dir: string): Promise<{hash: string; path: string; usedAt: number}[]> {
  const builds: {hash: string; path: string; usedAt: number}[] = []
  for (const name of await readdir(dir)) {
    const path = join(dir, name)
    const [, hash] = FILE_NAME.exec(name) ?? []
    const stats = await stat(path)
    if (hash !== undefined && stats.isFile()) builds.push({hash, path, usedAt: stats.mtimeMs})
    // A crash left it.
    else if (name.startsWith(TEMPORARY)) await rm(path, {force: true})
  }
  return builds
}

/** Undefined if the file cannot be read, or is not the build that its name says. */
async function readBuild(path: string, hash: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return Buffer.byteLength(text) <= MAX_BYTES && digestOf(text).hash === hash ? text : undefined
}
