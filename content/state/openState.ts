import {join} from 'node:path'
import type {FastifyBaseLogger} from 'fastify'
import {LakeLock} from '../../git/lock/openLock.ts'
import {State} from './state.ts'

/**
 * Takes the lock of a content repository and opens the database of its lake. On a disk that is full or read-only, both
 * are for reading until {@link LakeLock.takeLater} succeeds.
 * @throws LockError, StateError
 */
export async function openState(gitDir: string, who: string, logger: FastifyBaseLogger) {
  const folder = join(gitDir, 'handrail')
  let state: State | undefined
  const open = () => {
    if (state === undefined) state = State.open(folder)
    else state.makeWritable()
  }
  const lock = await LakeLock.open(gitDir, who, {logger, open})
  state ??= State.openReadOnly(folder)
  if (state.damage !== undefined) logger.error({path: state.path}, state.damage)
  return {state, lock}
}
