import {join} from 'node:path'
import {State} from '../../../content/state/state.ts'

/** Changes the database of a lake, which may be running. */
export function changeState({directory}: {readonly directory: string}, change: (state: State) => void): void {
  const state = State.open(join(directory, 'handrail'))
  try {
    change(state)
  } finally {
    state.close()
  }
}
