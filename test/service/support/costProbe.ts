import {createHook} from 'node:async_hooks'
import {PerformanceObserver} from 'node:perf_hooks'

/**
 * Bytes allocated by a process, and objects given to its event loop. Both only grow, until garbage is
 * collected.
 */
export type Reading = {bytes: number; collections: number; resources: Record<string, number>}

// Loaded before the server's own modules, in the server's process.
let collections = 0
const observer = new PerformanceObserver((list) => {
  collections += list.getEntries().length
})
observer.observe({entryTypes: ['gc']})

const resources: Record<string, number> = {}
const hook = createHook({
  init(_id, type) {
    resources[type] = (resources[type] ?? 0) + 1
  },
})

process.on('message', (question) => {
  if (question === 'collect garbage') {
    globalThis.gc?.()
    // Buffers are freed by a thread, on a busy machine only after a reading. The next collection waits for it.
    globalThis.gc?.()
  }
  if (question === 'watch the event loop') hook.enable()
  if (question === 'stop watching') hook.disable()
  // Observers hear of a collection in a later turn.
  setImmediate(() => {
    const {heapUsed, external} = process.memoryUsage()
    process.send?.({bytes: heapUsed + external, collections, resources} satisfies Reading)
  })
})
process.on('disconnect', () => process.exit())
