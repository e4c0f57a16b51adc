import {readdirSync, readFileSync} from 'node:fs'
import {get} from 'node:http'

// Asks for /healthz every 50 ms from its own client address, in its own process: what it measures does not
// depend on how busy the fuzzing process is. It asks the baseline at the same time.
// Started with: the address of /healthz, the address of the baseline, the process id of the server.

const [, , health = '', baseline = '', pid = ''] = process.argv

const EVERY = 50
/** Request timeout, in milliseconds. */
const PATIENCE = 3_000
const ADDRESS = '127.0.9.9'

export type Probe = {
  /** Milliseconds from the request to the end of the response. */
  readonly waited: number
  /** Of these, milliseconds that the server's threads were ready to run and had no processor. */
  readonly starved: number
  /** The longest wait of the baseline at that time. */
  readonly baseline: number
  /** 0: no response. */
  readonly status: number
}

type Wait = {readonly start: number; end: number}

let probes: Probe[] = []
let baselineWaits: Wait[] = []
const pending = new Set<Promise<unknown>>()

/**
 * Milliseconds that each thread of the server has waited for a processor, by Linux
 * (Documentation/scheduler/sched-stats.rst).
 */
function starvation(): Map<string, number> {
  const waited = new Map<string, number>()
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const [, nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
      waited.set(thread, Number(nanoseconds) / 1e6)
    }
  } catch {
    // The server, or a thread of it, has ended.
  }
  return waited
}

/** Of the main thread, and of the other thread that waited longest: the main thread waits for those that collect garbage. */
function starvedSince(before: ReadonlyMap<string, number>): number {
  let [main, longest] = [0, 0]
  for (const [thread, waited] of starvation()) {
    const since = waited - (before.get(thread) ?? waited)
    if (thread === pid) main = since
    else longest = Math.max(longest, since)
  }
  return main + longest
}

function ask(url: string): Promise<number> {
  return new Promise((resolve) => {
    const request = get(url, {localAddress: ADDRESS, agent: false, timeout: PATIENCE}, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
      response.once('error', () => resolve(0))
    })
    request.once('timeout', () => request.destroy())
    request.once('error', () => resolve(0))
  })
}

async function probe(): Promise<void> {
  const wait: Wait = {start: performance.now(), end: Number.POSITIVE_INFINITY}
  baselineWaits.push(wait)
  const compared = ask(baseline).then(() => {
    wait.end = performance.now()
  })
  const starvedBefore = starvation()
  const status = await ask(health)
  const end = performance.now()
  const starved = starvedSince(starvedBefore)
  await compared
  const overlapping = baselineWaits.filter((other) => other.start < end && other.end > wait.start)
  const longest = Math.max(...overlapping.map((other) => Math.min(other.end, end) - other.start))
  probes.push({waited: end - wait.start, starved, baseline: longest, status})
}

function start(): void {
  const work = probe().finally(() => pending.delete(work))
  pending.add(work)
}

setInterval(start, EVERY)

// "report": one more probe, then what was found since the last report, once every pending probe has ended.
process.on('message', async () => {
  start()
  await Promise.all(pending)
  process.send?.(probes)
  probes = []
  baselineWaits = baselineWaits.slice(-500)
})
process.once('disconnect', () => process.exit(0))
