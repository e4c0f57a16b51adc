import {createHash} from 'node:crypto'
import {readdir, readFile} from 'node:fs/promises'
import {join, relative, sep} from 'node:path'
import type {Target} from '../target.ts'

/** The inputs of Studio's bundle, relative to the project's root. The lockfile covers all packages. */
const INPUTS = [
  'studio',
  'schemas',
  'actions',
  'making',
  'advice',
  'verdicts',
  'snippet/previewLink.ts',
  'common/build/thirdParty.ts',
  'common/errorMessage.ts',
  'common/json.ts',
  'common/text',
  'package-lock.json',
]
const MADE_BY_BUILDS = new Set(['node_modules', '.sanity', 'dist'])

/** The target of a build, and a digest of all its inputs. The same fingerprint means the same Studio. */
export async function fingerprint(root: string, target: Target): Promise<string> {
  const hash = createHash('sha256')
  for (const input of INPUTS) {
    for (const path of await filesAt(join(root, input))) {
      hash.update(`\0${relative(root, path).split(sep).join('/')}\0`).update(await readFile(path))
    }
  }
  return `${JSON.stringify(target)}\n${hash.digest('hex')}\n`
}

/** Whether a fingerprint is that of a build for a target. */
export function isFor(target: Target, found: string): boolean {
  return found.startsWith(`${JSON.stringify(target)}\n`)
}

/** The files at a path, in the same order on every machine. */
async function filesAt(path: string): Promise<string[]> {
  const entries = await readdir(path, {withFileTypes: true}).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTDIR') return undefined
    throw error
  })
  if (entries === undefined) return [path]
  const files: string[] = []
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!MADE_BY_BUILDS.has(entry.name)) files.push(...(await filesAt(join(path, entry.name))))
  }
  return files
}
