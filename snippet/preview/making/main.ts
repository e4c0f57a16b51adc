import {borrow} from '../lent/borrowed.ts'
import type {Lent} from '../lent/lent.ts'
import {MakeView} from './makeView.tsx'

/** The content of the tab “Make a tool”. */
export function view(lent: Lent) {
  borrow(lent)
  return MakeView
}
