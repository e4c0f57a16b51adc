import {existsSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {fileURLToPath} from 'node:url'
import {isMainThread} from 'node:worker_threads'
import type {Library} from '../../actions/library.ts'

/** Images have it in place of the packages that make it. */
const BUILT = fileURLToPath(new URL('../../.handrail/scripts/actions.json', import.meta.url))

let library: Promise<Library> | undefined

/** The functions that actions run: made or read when a thread compiles the first action. */
export function actionLibrary(): Promise<Library> {
  library ??= load()
  return library
}

async function load(): Promise<Library> {
  if (existsSync(BUILT)) return JSON.parse(await readFile(BUILT, 'utf8'))
  // By default, esbuild starts a thread of its own for `buildSync`, with a process that outlives the thread that asked.
  if (!isMainThread) process.env.ESBUILD_WORKER_THREADS = '0'
  const {buildLibrary} = await import('../../actions/build/build.ts')
  return buildLibrary()
}
