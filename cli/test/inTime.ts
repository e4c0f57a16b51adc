import {runInNewContext} from 'node:vm'
import {isRecord} from '../../schemas/record.ts'

/**
 * Runs synchronous work, and ends it when it takes too long: regular expressions, too.
 * @returns its result; undefined if it took longer
 */
export function inTime<T>(milliseconds: number, work: () => T): T | undefined {
  let result: T | undefined
  const keep = () => {
    result = work()
  }
  try {
    runInNewContext('keep()', {keep}, {timeout: milliseconds})
  } catch (error) {
    // Of the other context: no Error of this one.
    if (!isRecord(error) || error.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
  }
  return result
}
