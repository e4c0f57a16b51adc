import {availableParallelism} from 'node:os'
import {Worker} from 'node:worker_threads'

/** Starting a worker thread takes as long as checking this many documents. */
const DOCUMENTS_PER_THREAD = 1_000
const MOST_THREADS = 8

/** Most of the memory that parsing takes is garbage soon. With space for it, the heap is collected less often. */
const YOUNG_GENERATION_MB = 64

/**
 * Starts the threads that check a repository together with the main thread, if it has many documents. They load their
 * modules while the main thread reads files. The caller terminates them.
 * @param paths of the files in the repository
 */
export function startThreads(paths: Iterable<string>): Worker[] {
  // The files of a document begin with the same name.
  const documents = new Set(Array.from(paths, (path) => path.split('.', 1)[0])).size
  const wanted = Math.floor(documents / DOCUMENTS_PER_THREAD)
  const threads = Math.min(wanted, availableParallelism(), MOST_THREADS)
  return Array.from({length: threads - 1}, () => {
    return new Worker(new URL('./worker.mjs', import.meta.url), {
      resourceLimits: {maxYoungGenerationSizeMb: YOUNG_GENERATION_MB},
    })
  })
}
