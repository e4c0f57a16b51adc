import {availableParallelism} from 'node:os'
import {join, relative} from 'node:path'
import {run} from 'node:test'
import {groupsOf} from '../runner/groups.ts'

/** A test that failed, or that did not end in time. */
export type Failure = {readonly file: string; readonly test: string; readonly isTimeout: boolean}

/**
 * Runs test files as `npm test` does, and stops at the first failure.
 * @param root the folder of the project
 * @param timeout milliseconds for each process; a hang counts as a failure
 */
export async function firstFailure(
  root: string,
  files: readonly string[],
  timeout: number,
): Promise<Failure | undefined> {
  const stopping = new AbortController()
  const waiting = groupsOf(files)
  let failure: Failure | undefined
  const runGroups = async () => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      if (stopping.signal.aborted) return
      const {name, files} = group
      const entry = join(root, 'test/runner/group.ts')
      const events = run({
        files: [entry],
        argv: [...files],
        cwd: root,
        timeout,
        signal: stopping.signal,
      })
      events.on('test:fail', ({name: test, file = entry, details}) => {
        const {failureType} = {failureType: undefined, ...details.error}
        const isTimeout = failureType === 'testTimeoutFailure'
        // Hooks belong to the suite of their file, and the end of a process to its entry.
        const places = [relative(root, file), `test/${test}`]
        failure ??= {file: places.find((place) => files.includes(place)) ?? name, test, isTimeout}
        stopping.abort()
      })
      for await (const _ of events);
    }
  }
  await Promise.all(Array.from({length: availableParallelism()}, runGroups))
  return failure
}
