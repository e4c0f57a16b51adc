import {createHash} from 'node:crypto'
import {createReadStream} from 'node:fs'
import {readdir, readFile} from 'node:fs/promises'
import {join, relative} from 'node:path'
import {pipeline} from 'node:stream/promises'
import {errorCode} from '../../common/errorCode.ts'
import {isJsonObject, jsonIn} from '../../common/json.ts'
import type {ObjectFormat} from '../../git/objects/looseObjects.ts'
import {plainLine} from '../../git/plainLine.ts'

/** The names of what a backup has. A copy of `hooks` and `config` of the repository is next to these. */
export const MANIFEST = 'backup.json'
export const DATABASE = 'state.db'
export const BUNDLE = 'content.bundle'

/** The format of backups. Increase the number when an earlier version could not restore them. */
const FORMAT = 1

export type Manifest = {
  /** When the database was copied, in ISO 8601. */
  readonly at: string
  /** The version of the lake that wrote it. */
  readonly version: string
  /** The full name of the branch of HEAD. */
  readonly branch: string
  /** Undefined if the repository has no commit. */
  readonly commit?: string | undefined
  readonly objectFormat: ObjectFormat
}

/** The text of the manifest of a folder that has all other files. */
export async function manifestText(folder: string, manifest: Manifest): Promise<string> {
  return `${JSON.stringify({format: FORMAT, ...manifest, sha256: await digests(folder)}, null, 2)}\n`
}

/**
 * Reads the manifest of a backup, and compares all files with it.
 * @throws Error with one line
 */
export async function checkedManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((error: unknown) => {
    const reason = errorCode(error) === 'ENOENT' ? `it has no ${MANIFEST}` : String(error)
    throw new Error(`${folder} is not a complete backup: ${reason}`)
  })
  const value = jsonIn(text)
  const {format, version, sha256} = isJsonObject(value) ? value : {}
  if (typeof format === 'number' && format > FORMAT)
    throw new Error(
      `${folder} was written by version ${plainLine(String(version))}: restore it with that version or a later one`,
    )
  if (!isManifest(value) || !isJsonObject(sha256))
    throw new Error(`${folder} is damaged: its ${MANIFEST} is not valid. Use another backup`)
  const found = await digests(folder)
  for (const name of new Set([...Object.keys(sha256), ...Object.keys(found)])) {
    if (found[name] === sha256[name]) continue
    const problem = found[name] === undefined ? 'is missing' : 'is not as it was written'
    throw new Error(`${folder} is damaged: ${plainLine(name)} ${problem}. Use another backup`)
  }
  return value
}

function isManifest(value: unknown): value is Manifest {
  if (!isJsonObject(value)) return false
  const {at, version, branch, commit, objectFormat} = value
  return (
    // What commands print has only characters that a terminal does not obey.
    [at, version, branch].every((one) => typeof one === 'string' && plainLine(one) === one) &&
    (commit === undefined || (typeof commit === 'string' && /^[0-9a-f]+$/.test(commit))) &&
    (objectFormat === 'sha1' || objectFormat === 'sha256')
  )
}

/** The SHA-256 of every file but the manifest, by its path. */
async function digests(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const entry of await readdir(folder, {recursive: true, withFileTypes: true})) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(folder, path)
    if (!entry.isFile() || name === MANIFEST) continue
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash)
    found[name] = hash.digest('hex')
  }
  return found
}
