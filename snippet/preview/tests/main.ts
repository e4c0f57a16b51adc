import {borrow} from '../lent/borrowed.ts'
import type {TestsModule} from '../lent/lending.ts'
import type {Lent} from '../lent/lent.ts'
import {KeepCall} from './keepCall.tsx'
import {TestsView} from './testsView.tsx'

/** The tab “Tests”, and what makes tests of calls. @param lent what they use of Preact */
export function testViews(lent: Lent): ReturnType<TestsModule['testViews']> {
  borrow(lent)
  return {TestsView, KeepCall}
}
