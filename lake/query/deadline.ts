import {isNativeError} from 'node:util/types'
import {createContext, Script} from 'node:vm'
import {QueryError} from './errors.ts'

const context = createContext({work: () => {}})
const script = new Script('work()')

/**
 * Does work that never waits, and ends it wherever it is when time is up: in a loop of groq-js, in a regular expression,
 * in `JSON.stringify`. Nothing runs afterwards, no `finally` either: the work must leave behind nothing that is half done.
 * A watchdog thread costs 0.2 ms.
 * @throws QueryError when time is up
 */
export function within<T>(milliseconds: number, work: () => T): T {
  let done: {result: T} | undefined
  context.work = () => {
    done = {result: work()}
  }
  try {
    script.runInContext(context, {timeout: milliseconds, displayErrors: false})
  } catch (error) {
    // An error of the context's own is no `Error` here.
    if (isNativeError(error) && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new QueryError('the query takes too long: narrow its filters')
    throw error
  } finally {
    context.work = undefined
  }
  if (done === undefined) throw new QueryError('the query was not answered')
  return done.result
}
