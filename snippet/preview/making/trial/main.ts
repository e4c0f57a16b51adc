import {borrow} from '../../lent/borrowed.ts'
import type {Lent} from '../../lent/lent.ts'
import {Trial} from './trial.tsx'

/** What an agent gets of a request. */
export function view(lent: Lent) {
  borrow(lent)
  return Trial
}
