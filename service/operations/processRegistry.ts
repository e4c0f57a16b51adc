import {collectDefaultMetrics, Registry} from 'prom-client'

let registry: Registry | undefined

/** CPU, memory, garbage collection and event-loop lag. The process is one, however many services run in it. */
export function processRegistry(): Registry {
  if (!registry) {
    registry = new Registry()
    collectDefaultMetrics({register: registry})
  }
  return registry
}
