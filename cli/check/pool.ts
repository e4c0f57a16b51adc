import {setImmediate} from 'node:timers/promises'
import type {Worker} from 'node:worker_threads'
import type {DocumentFiles} from '../documents.ts'
import type {RepositoryLayout} from '../layout.ts'
import {type CheckedDocument, checkDocument} from './document.ts'
import type {Task, TaskResult} from './worker.ts'

/** Documents that a thread gets at once: few enough that all threads end at the same time. */
const BATCH = 50
/** Batches that a worker thread has: one to check, and one for when this thread has no time to give it another. */
const BATCHES_AHEAD = 2

/**
 * Checks documents in this thread and in others: parsing scripts takes most of the time. Only this thread reads files.
 */
export async function checkDocuments(
  {layout, value}: RepositoryLayout,
  documents: readonly DocumentFiles[],
  threads: readonly Worker[],
): Promise<CheckedDocument[]> {
  const results: CheckedDocument[][] = []
  let started = 0
  const nextBatch = () => {
    const number = started
    started += 1
    const batch = documents.slice(number * BATCH, (number + 1) * BATCH)
    return batch.length === 0 ? undefined : {number, batch}
  }
  const nextTask = (): Task | undefined => {
    const next = nextBatch()
    if (next === undefined) return undefined
    const sent = next.batch.map(({key, files}) => ({key, files}))
    return {number: next.number, layout: value, documents: sent}
  }
  const onResult = ({number, checked}: TaskResult) => {
    results[number] = checked
  }
  const workers = threads.map((thread) => useThread(thread, nextTask, onResult))
  for (let next = nextBatch(); next !== undefined; next = nextBatch()) {
    results[next.number] = next.batch.map((document) => checkDocument(layout, document))
    if (workers.length > 0) await setImmediate()
  }
  await Promise.all(workers)
  return results.flat()
}

/** Gives tasks to a worker thread until there are none. Rejects with the error that ends the thread. */
function useThread(
  worker: Worker,
  nextTask: () => Task | undefined,
  onResult: (result: TaskResult) => void,
): Promise<void> {
  let open = 0
  const {promise, resolve, reject} = Promise.withResolvers<void>()
  const send = () => {
    const task = nextTask()
    if (task !== undefined) {
      open += 1
      worker.postMessage(task)
    } else if (open === 0) resolve()
  }
  worker.on('message', (result: TaskResult) => {
    open -= 1
    onResult(result)
    send()
  })
  worker.on('error', reject)
  for (let ahead = 0; ahead < BATCHES_AHEAD; ahead += 1) send()
  return promise
}
