import {setTimeout} from 'node:timers/promises'
import {OUTCOMES} from '../../../schemas/calls/counts.ts'
import {publicIdOf, REPORTING} from '../content/siteName.ts'

/** Reports in a second: all that the default limits accept for one site. Others are refused before they are read. */
const RATE = 200
/** Interval between two groups of reports, in milliseconds. */
const EVERY = 20

/** Rows of a report. Each has another counter, or another error. */
const ROWS = 100
/** Calls of each row: a report of more than 200 calls is refused. */
const CALLS = 2

/** Sends forged reports to a service until it is disposed of. @throws then, if one was not accepted */
export function forgeReports(address: string): AsyncDisposable {
  const url = `${address}/api/sites/${publicIdOf(REPORTING.size, REPORTING.serial)}/calls`
  let isEnded = false
  let sent = 0
  const send = async () => {
    const body = reportOf(sent)
    sent += 1
    const response = await fetch(url, {method: 'POST', body})
    await response.arrayBuffer()
    if (response.status !== 204) throw new Error(`${url} returns ${response.status} instead of 204`)
  }
  const run = async () => {
    while (!isEnded) {
      await Promise.all(Array.from({length: (RATE * EVERY) / 1_000}, send))
      await setTimeout(EVERY)
    }
  }
  const running = run()
  // Disposing of it returns the error.
  running.catch(() => {})
  return {
    [Symbol.asyncDispose]() {
      isEnded = true
      return running
    },
  }
}

function reportOf(number: number): string {
  const calls = Array.from({length: ROWS}, (_, at) => {
    const outcome = OUTCOMES[at % OUTCOMES.length]
    const hash = (number * ROWS + at).toString(16).padStart(16, '0')
    const name = `searchProducts${String(at % REPORTING.size.tools).padStart(5, '0')}`
    return [name, outcome, at % 10, CALLS, ...(outcome === 'error' ? [hash] : [])]
  })
  return JSON.stringify({calls})
}
