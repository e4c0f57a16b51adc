import type {ComponentChildren} from 'preact'
import type {Lent, MakeProps} from '../lending.ts'
import {borrow} from './borrowed.ts'
import {MakeView} from './makeView.tsx'

/** The content of the tab “Make a tool”. @param lent what it uses of Preact */
export function makeView(lent: Lent): (props: MakeProps) => ComponentChildren {
  borrow(lent)
  return MakeView
}
