import {isMainThread} from 'node:worker_threads'
import type {Library} from '../../actions/library.ts'

let library: Promise<Library> | undefined

/** The functions that actions run: made when a thread compiles the first action. Packages and images have them made. */
export function actionLibrary(): Promise<Library> {
  library ??= load()
  return library
}

async function load(): Promise<Library> {
  // By default, esbuild starts a thread of its own for `buildSync`, with a process that outlives the thread that asked.
  if (!isMainThread) process.env.ESBUILD_WORKER_THREADS = '0'
  const {buildLibrary} = await import('../../actions/build/build.ts')
  return buildLibrary()
}
