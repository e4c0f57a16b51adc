import {appendFileSync, readdirSync} from 'node:fs'
import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'
import {isMainThread} from 'node:worker_threads'

// Loaded into lake and service before they begin (`--import`): it tells what they hold, from within.

const file = process.env.SOAK_SAMPLES_FILE

/** Milliseconds between two samples; before every twelfth one garbage is collected, so that what remains is held. */
const EVERY = 5_000
const COLLECT_EACH = 12

if (isMainThread && file !== undefined) {
  setFlagsFromString('--expose-gc')
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
