import type {ComponentChildren} from 'preact'
import {borrow} from '../lent/borrowed.ts'
import type {MakeProps} from '../lent/lending.ts'
import type {Lent} from '../lent/lent.ts'
import {MakeView} from './makeView.tsx'

/** The content of the tab “Make a tool”. @param lent what it uses of Preact */
export function makeView(lent: Lent): (props: MakeProps) => ComponentChildren {
  borrow(lent)
  return MakeView
}
