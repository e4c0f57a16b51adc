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
 * By default, V8 lets the old generation grow to about twice what it held after the last collection, and keeps
 * the pages: one outage, in which objects live for seconds, then adds 60 MB for the rest of the run. With this
 * share in percent, memory is close to what is held. NODE_OPTIONS does not accept the flag.
 */
const GARBAGE_ALLOWED = 20

if (isMainThread && file !== undefined) {
  setFlagsFromString('--expose-gc')
  setFlagsFromString(`--heap-growing-percent=${GARBAGE_ALLOWED}`)
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
