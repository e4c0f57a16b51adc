import {useState} from 'preact/hooks'
import {getAttribute} from '../../../page.ts'
import type {Call} from '../../calls.ts'
import type {Present} from '../../entries.ts'
import type {TestsModule, TestsProps} from '../../lent/lending.ts'
import {LENT} from '../../lent/lent.ts'
import type {Panel} from '../../panel.ts'
import {LentModule} from './lentModule.tsx'

/** Of the module, see makeTab.tsx. */
declare const TESTS_HASH: string

/** The tab “Tests”. */
export function TestsTab({isShown, ...props}: TestsProps & {isShown: boolean}) {
  return (
    <LentModule isNeeded={isShown} load={(attempt) => load(props.base, attempt)}>
      {({TestsView}) => <TestsView {...props} />}
    </LentModule>
  )
}

/** A button that makes a test of a call. Nothing, if Studio cannot add one, or no test could repeat the call. */
export function KeepCallButton({
  panel,
  present,
  call,
  runTests,
}: {
  panel: Panel
  present: Present | undefined
  call: Call
  /** Runs the tests of a tool, by the id of its document. */
  runTests: (id: string) => void
}) {
  const [isAsked, setAsked] = useState(false)
  const {draft, form} = present ?? {}
  const isDone = call.outcome.kind === 'result' || call.outcome.kind === 'error'
  const waits = form !== undefined && getAttribute.call(form, 'toolautosubmit') === null
  if (!present || !draft || !panel.studio || !isDone || waits || call.args === undefined) return null
  if (!isAsked)
    return (
      <p>
        <button type="button" onClick={() => setAsked(true)}>
          Keep this call as a test
        </button>
      </p>
    )
  const props = {studio: panel.studio, draft, present, call, runTests: () => runTests(draft.id)}
  return (
    <LentModule isNeeded load={(attempt) => load(panel.base, attempt)}>
      {({KeepCall}) => <KeepCall {...props} />}
    </LentModule>
  )
}

async function load(base: string, attempt: number): Promise<ReturnType<TestsModule['testViews']>> {
  const module: TestsModule = await import(`${base}snippet.tests.js?${TESTS_HASH}-${attempt}`)
  return module.testViews(LENT)
}
