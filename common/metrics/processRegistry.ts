import {collectDefaultMetrics, Registry} from 'prom-client'

let registry: Registry | undefined

/** Metrics for CPU, memory, garbage collection and event-loop lag. Shared by all servers in this process. */
export function processRegistry(): Registry {
  if (!registry) {
    registry = new Registry()
    collectDefaultMetrics({register: registry})
  }
  return registry
}
