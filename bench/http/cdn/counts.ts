import {metricsOf} from '../../../test/support/metrics.ts'
import {processorTime} from '../../../test/support/processes.ts'
import type {Server} from '../servers.ts'

/** What a service has done: config responses, those with 304, upstream queries, and CPU milliseconds. */
export type Counts = {requests: number; notModified: number; queries: number; cpu: number}

export async function countsOf({address, pid}: Server): Promise<Counts> {
  const counts = {requests: 0, notModified: 0, queries: 0, cpu: await processorTime(pid)}
  const {samples} = await metricsOf(address)
  for (const [series, value] of samples) {
    if (series.startsWith('handrail_http_requests_total{route="/api/sites/:publicId/config"')) {
      counts.requests += value
      if (series.includes('status="304"')) counts.notModified += value
    }
    if (series.startsWith('handrail_lake_query_duration_seconds_count')) counts.queries += value
  }
  return counts
}

/** Returns what a service has done since. */
export async function countsSince(before: Counts, service: Server): Promise<Counts> {
  const after = await countsOf(service)
  return {
    requests: after.requests - before.requests,
    notModified: after.notModified - before.notModified,
    queries: after.queries - before.queries,
    cpu: after.cpu - before.cpu,
  }
}
