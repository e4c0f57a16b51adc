import {errorCode} from '../../common/errorCode.ts'
import type {State} from '../../content/state/state.ts'

/**
 * Where browsers reach a lake that listens on this machine. Not the IP address: browsers do not share cookies between
 * it and `localhost`.
 */
export function browserAddress(address: string): string {
  return address.replace('//127.0.0.1:', '//localhost:')
}

/**
 * Notes the address of a running lake, so that the command line makes links to it. A lake also starts on a full disk:
 * links then have the address of the settings.
 */
export function noteAddress(state: State, address: string): void {
  ignoreErrors(() =>
    state.transaction(() => {
      forgetAddress(state)
      state.run('INSERT INTO running_lake VALUES (?, ?)', process.pid, address)
    }),
  )
}

/** Removes the note. */
export function forgetAddress(state: State): void {
  ignoreErrors(() => state.run('DELETE FROM running_lake'))
}

function ignoreErrors(work: () => void): void {
  try {
    work()
  } catch {
    // Links have the address of the settings.
  }
}

/** The address of the lake that uses a database; undefined if none runs. @throws StateError */
export function notedAddress(state: State): string | undefined {
  const noted = state.get('SELECT * FROM running_lake')
  return noted !== undefined && isRunning(Number(noted.pid)) ? String(noted.address) : undefined
}

/** A process that was killed leaves its note. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}
