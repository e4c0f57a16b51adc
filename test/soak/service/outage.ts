import {setTimeout} from 'node:timers/promises'
import type {Fault} from '../../support/network/network.ts'
import {hold} from '../violation.ts'
import {startStage} from './stage.ts'
import {Visitor} from './visitor.ts'

/** Response times during an outage, in milliseconds, and the queries the lake received. */
export type Outage = {trouble: string; times: number[]; queries: number}

const troubles: Record<string, Fault> = {
  works: {kind: 'none'},
  hangs: {kind: 'hang'},
  'hangs after the headers': {kind: 'stall'},
  'takes two seconds': {kind: 'slow', milliseconds: 2_000},
  'closes every connection': {kind: 'refuse'},
  'returns 500': {kind: 'answer', status: 500, contentType: 'application/json', body: '{}'},
  'returns 200 with a page': {kind: 'answer', status: 200, contentType: 'text/html', body: '<h1>Hi</h1>'},
}

const SITES = 50

/** Interval between two visitors, in milliseconds. */
const VISITOR_EVERY = 5

/**
 * Sends visitors during outages of the lake, and changes every site in the middle of each.
 * @param seconds duration of each outage.
 * @throws Violation if a visitor does not get a config.
 */
export async function goThroughOutages(seconds: number): Promise<Outage[]> {
  const stage = await startStage(SITES)
  const visitor = new Visitor(stage.serviceAddress)
  const outages: Outage[] = []
  try {
    for (const [trouble, fault] of Object.entries(troubles)) {
      // Sites that were not requested in the meantime are validated at their next request.
      await setTimeout(11_000)
      stage.network.queries.length = 0
      stage.network.fault = fault
      const times: number[] = []
      const visits: Promise<void>[] = []
      const end = performance.now() + seconds * 1_000
      const publishing = publishAll()
      for (let number = 0; performance.now() < end; number++) {
        visits.push(
          visitor.ask(stage.publicIds[number % SITES] ?? '').then(({status, milliseconds}) => {
            hold(status === 200, `a visitor got ${status} while the lake ${trouble}`)
            times.push(milliseconds)
          }),
        )
        await setTimeout(VISITOR_EVERY)
      }
      await Promise.all([...visits, publishing])
      outages.push({trouble, times, queries: stage.network.queries.length})
      stage.network.fault = {kind: 'none'}
      stage.network.cut()
    }
    return outages
  } finally {
    visitor.close()
    await stage.close()
  }

  async function publishAll(): Promise<void> {
    const changes = stage.client.transaction()
    for (const number of stage.publicIds.keys()) {
      changes.patch(`tool-${number}`, {set: {description: `Edition of ${new Date().toISOString()}.`}})
    }
    await changes.commit()
  }
}
