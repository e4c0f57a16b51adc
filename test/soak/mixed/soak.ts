import type {Run} from '../run.ts'
import {hold} from '../violation.ts'
import {type Mixed, mixLoads} from './mixed.ts'

const inMegabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`

/** `mixed`: everything at once, for half an hour. */
export async function soakMixed({minutes = 30, sites = 20_000, seed, elapsed}: Run): Promise<void> {
  hold(Number.isInteger(minutes) && minutes > 0, '--minutes is a whole number from 1 on')
  console.log(
    `mixed: ${minutes} minutes of publishes, polls of ${sites} sites, made-up identifiers and outages, seed ${seed}`,
  )
  const stop = new AbortController()
  const onSignal = (name: NodeJS.Signals) => stop.abort(new Error(`stopped by ${name}`))
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  try {
    const mixed = await mixLoads({
      minutes,
      sites,
      seed,
      signal: stop.signal,
      progress({answers, publishes}, memory) {
        const asked = [...answers.values()].reduce((sum, count) => sum + count, 0)
        const used = Object.entries(memory).map(([name, bytes]) => `${name} ${inMegabytes(bytes)}`)
        console.log(`${elapsed()}: ${asked} requests, ${publishes} publishes, ${used.join(', ')}`)
      },
    })
    print(mixed)
    const grown = Object.entries(mixed.series).flatMap(([process, series]) =>
      series.filter(({hasGrown}) => hasGrown).map(({name}) => `${name} of the ${process}`),
    )
    hold(grown.length === 0, `seed ${seed}: ${grown.join(', ')} grew`)
    console.log(`every response was allowed, and nothing kept growing, ${elapsed()}`)
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
  }
}

function print({counts, outages, series, processorTimes}: Mixed): void {
  const {answers, publishes, seen, seenInOutages, slowest, idleConnections} = counts
  console.table(Object.fromEntries([...answers].sort(([a], [b]) => a.localeCompare(b))))
  console.log(`${publishes} publishes; ${idleConnections} idle connections of one client`)
  console.log(`milliseconds until one showed: ${timesOf(seen)}; around outages: ${timesOf(seenInOutages)}`)
  console.log(`slowest response for a known site: ${Math.round(slowest)} ms`)
  console.log(`${outages.length} outages: the lake ${outages.map(({name}) => name).join(', ')}`)
  console.log(`milliseconds of processor time: ${JSON.stringify(processorTimes)}`)
  for (const [process, all] of Object.entries(series)) {
    if (all.every(({values}) => values.length === 0)) {
      console.log(`${process}: too short to tell what grows`)
      continue
    }
    for (const {name, values, first, last, hasGrown} of all) {
      const told = ['memory', 'held'].includes(name) ? inMegabytes : String
      const verdict = hasGrown === undefined ? ': too few to tell' : hasGrown ? ': it grew' : ''
      const some = values.filter((_, index) => index % Math.ceil(values.length / 30) === 0)
      console.log(`${process}, ${name}: ${told(first)} and then ${told(last)}${verdict}`)
      console.log(`  ${some.map((value) => told(value).replace(' MB', '')).join(' ')}`)
    }
  }
}

function timesOf(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]
  return `${sorted.length} times, median ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)}`
}
