import {existsSync} from 'node:fs'
import {relative, resolve, sep} from 'node:path'
import type {Console} from './command.ts'

/** Where `npm start` keeps the content unless `CONTENT_DIR` is set. */
export const DEFAULT_DIRECTORY = '.handrail/content.git'

/** The content repository: as given, else `CONTENT_DIR`, else that of `npm start`, else the current directory. */
export function contentDirectory(given: string | undefined, {directory, environment}: Console): string {
  if (given !== undefined) return resolve(directory, given)
  if (environment.CONTENT_DIR) return resolve(directory, environment.CONTENT_DIR)
  const seeded = resolve(directory, DEFAULT_DIRECTORY)
  return existsSync(seeded) ? seeded : directory
}

/** The path of the content in the checked-out repository of a workflow, such as `content/`. */
export function folderInWorkflow({environment, directory: current}: Console, directory: string): string {
  const path = relative(environment.GITHUB_WORKSPACE || current, directory)
  if (path === '' || path.startsWith('..')) return ''
  return `${path.split(sep).join('/')}/`
}
