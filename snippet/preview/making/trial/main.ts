import type {ComponentChildren} from 'preact'
import {borrow} from '../../lent/borrowed.ts'
import type {TrialProps} from '../../lent/lending.ts'
import type {Lent} from '../../lent/lent.ts'
import {Trial} from './trial.tsx'

/** What an agent gets of a request. @param lent what it uses of Preact */
export function trialView(lent: Lent): (props: TrialProps) => ComponentChildren {
  borrow(lent)
  return Trial
}
