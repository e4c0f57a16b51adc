import {appendFileSync, readdirSync} from 'node:fs'
import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'
import {isMainThread} from 'node:worker_threads'

// Preloaded into lake and service (`--import`): reports their resource use from within.

const file = process.env.SOAK_SAMPLES_FILE

/**
 * Sampling interval, in milliseconds. Garbage is collected before every twelfth sample, so that it shows
 * retained memory.
 */
const EVERY = 5_000
const COLLECT_EACH = 12

/**
 * How much the old generation may grow between collections, in percent. By default, V8 lets it double and keeps the
 * pages: objects live for seconds during an outage, which adds 60 MB for the rest of the run. NODE_OPTIONS does not
 * accept this flag.
 */
const HEAP_GROWTH = 20

if (isMainThread && file !== undefined) {
  setFlagsFromString('--expose-gc')
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`)
  const collect: unknown = runInNewContext('gc')
  let number = 0
  setInterval(() => {
    const isCollected = number++ % COLLECT_EACH === 0
    if (isCollected && typeof collect === 'function') collect()
    const {rss, heapUsed, external} = process.memoryUsage()
    const sample = {
      at: Date.now(),
      memory: rss,
      ...(isCollected && {held: heapUsed + external}),
      files: readdirSync('/proc/self/fd').length,
      handles: process.getActiveResourcesInfo().length,
    }
    appendFileSync(file, `${JSON.stringify(sample)}\n`)
  }, EVERY).unref()
}
