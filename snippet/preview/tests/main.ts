import {borrow} from '../lent/borrowed.ts'
import type {TestViews} from '../lent/lending.ts'
import type {Lent} from '../lent/lent.ts'
import {KeepCall} from './keepCall.tsx'
import {TestsView} from './testsView.tsx'

/** The tab “Tests”, and what makes tests of calls. */
export function view(lent: Lent): TestViews {
  borrow(lent)
  return {TestsView, KeepCall}
}
