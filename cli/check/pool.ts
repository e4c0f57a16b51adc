import {once} from 'node:events'
import {availableParallelism} from 'node:os'
import {Worker} from 'node:worker_threads'
import type {DocumentFiles} from '../documents.ts'
import type {RepositoryLayout} from '../layout.ts'
import {type CheckedDocument, checkDocument} from './document.ts'
import type {Task} from './worker.ts'

/** Starting a worker thread takes as long as checking this many documents. */
const DOCUMENTS_PER_WORKER = 1_000
const MOST_WORKERS = 8
/** Documents that a worker thread gets at once: few enough that all threads end at the same time. */
const BATCH = 100

/** Most of the memory that parsing takes is garbage soon. With space for it, the heap is collected less often. */
const YOUNG_GENERATION_MB = 64

/** Checks documents, many of them on all processors: parsing scripts takes nearly all of the time. */
export async function checkDocuments(
  {layout, value}: RepositoryLayout,
  documents: readonly DocumentFiles[],
): Promise<CheckedDocument[]> {
  const wanted = Math.floor(documents.length / DOCUMENTS_PER_WORKER)
  const count = Math.min(wanted, availableParallelism(), MOST_WORKERS)
  if (count < 2) return documents.map((document) => checkDocument(layout, document))
  const batches: (readonly DocumentFiles[])[] = []
  for (let at = 0; at < documents.length; at += BATCH) batches.push(documents.slice(at, at + BATCH))
  const results: CheckedDocument[][] = []
  let next = 0
  const work = async () => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      resourceLimits: {maxYoungGenerationSizeMb: YOUNG_GENERATION_MB},
      ...(NEEDS_TSX && {execArgv: ['--import', import.meta.resolve('tsx')]}),
    })
    try {
      for (let at = next++; at < batches.length; at = next++) {
        const task: Task = {layout: value, documents: batches[at] ?? []}
        worker.postMessage(task)
        results[at] = await nextResults(worker)
      }
    } finally {
      await worker.terminate()
    }
  }
  await Promise.all(Array.from({length: count}, work))
  return results.flat()
}

/** Node strips types only since version 22, and never in an installed package. */
const NEEDS_TSX = !process.features.typescript || import.meta.url.includes('/node_modules/')

/** The next message of a worker thread. Rejects with the error that ends it. */
async function nextResults(worker: Worker): Promise<CheckedDocument[]> {
  const [results]: CheckedDocument[][] = await once(worker, 'message')
  return results ?? []
}
