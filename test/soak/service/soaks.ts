import type {Run} from '../run.ts'
import {flood} from './flood.ts'
import {goThroughOutages} from './outage.ts'
import {publishAndLook} from './publish.ts'

/** `publish`: how long until the service shows what was published. */
export async function soakPublish({rounds = 1_000, elapsed}: Run): Promise<void> {
  const cut = Math.ceil(rounds / 50)
  console.log(`publish: ${rounds} publishes with live events, ${cut} without`)
  const progress = (at: number) => {
    if (at % 100 === 0) console.log(`${at} publishes, ${elapsed()}`)
  }
  const live = await publishAndLook({publishes: rounds, isLive: true, progress})
  const compared = await publishAndLook({publishes: cut, isLive: false, progress})
  console.log('milliseconds from the acknowledgement of a publish until the service shows it')
  printTimes({'with live events': live, 'with live events cut': compared})
}

/** `outage`: how long visitors wait while the lake is in trouble. */
export async function soakOutage({rounds = 15, elapsed}: Run): Promise<void> {
  console.log(`outage: each fault for ${rounds} s, every site changed during it`)
  const outages = await goThroughOutages(rounds)
  console.log(`every visitor got a config; milliseconds until they had it, ${elapsed()}`)
  printTimes(Object.fromEntries(outages.map(({trouble, times}) => [`the lake ${trouble}`, times])))
  for (const {trouble, queries} of outages) console.log(`the lake ${trouble}: it received ${queries} queries`)
}

/** `flood`: made-up public identifiers, ten thousand a second. */
export async function soakFlood({rounds = 10, elapsed}: Run): Promise<void> {
  console.log(`flood: 10,000 made-up public IDs a second for ${rounds} s`)
  const {sent, statuses, times, queries, mostUnanswered, memory, processorTime} = await flood(10_000, rounds)
  const megabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`
  console.log(
    `${sent} requests that the service had time for, by status ${JSON.stringify(statuses)}; ` +
      `${queries} queries, at most ${mostUnanswered} at the same time; ` +
      `memory ${megabytes(memory.before)} before, ${megabytes(memory.most)} at most, ` +
      `${megabytes(memory.after)} after; ${processorTime} ms of processor time, ${elapsed()}`,
  )
  console.log('milliseconds that visitors of known sites waited')
  printTimes({'known sites': times})
}

function printTimes(rows: Record<string, readonly number[]>): void {
  console.table(
    Object.fromEntries(
      Object.entries(rows).map(([name, times]) => {
        const sorted = [...times].sort((a, b) => a - b)
        const at = (part: number) => {
          const time = sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]
          return Math.round((time ?? Number.NaN) * 10) / 10
        }
        return [name, {number: times.length, min: at(0), median: at(0.5), p99: at(0.99), max: at(1)}]
      }),
    ),
  )
}
