import {isNativeError} from 'node:util/types'
import {createContext, Script} from 'node:vm'
import {QueryError} from './errors.ts'

const context = createContext({work: () => {}})
const script = new Script('work()')

/** Attempts, for when the system gave the time to other processes. */
const MAX_ATTEMPTS = 3

/**
 * Runs synchronous work and terminates it when the time is up, at any point. No `finally` block runs then:
 * the work must not leave anything inconsistent, and may be retried. Starting the watchdog thread takes 0.2
 * ms.
 * @throws QueryError when the time is up
 */
export function within<T>(milliseconds: number, work: () => T): T {
  for (let attempt = 1; ; attempt++) {
    const start = process.cpuUsage()
    const done = attemptWithin(milliseconds, work)
    if (done !== undefined) return done.result
    const {user, system} = process.cpuUsage(start)
    const wasRunning = (user + system) / 1_000 > milliseconds / 2
    if (wasRunning || attempt === MAX_ATTEMPTS)
      throw new QueryError('the query takes too long to parse: make it shorter')
  }
}

function attemptWithin<T>(milliseconds: number, work: () => T): {result: T} | undefined {
  let done: {result: T} | undefined
  context.work = () => {
    done = {result: work()}
  }
  try {
    script.runInContext(context, {timeout: milliseconds, displayErrors: false})
    return done
  } catch (error) {
    // An error from another context is not an instance of `Error` here.
    if (isNativeError(error) && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      return undefined
    throw error
  } finally {
    context.work = undefined
  }
}
