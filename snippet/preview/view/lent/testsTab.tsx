import {useState} from 'preact/hooks'
import {getAttribute} from '../../../page.ts'
import type {Call} from '../../calls.ts'
import type {Present} from '../../entries.ts'
import type {TestsProps, TestViews} from '../../lent/lending.ts'
import type {Panel} from '../../panel.ts'
import {LentModule} from './lentModule.tsx'

/** The build inserts it. */
declare const TESTS_HASH: string

function addressAt(base: string): string {
  return `${base}snippet.tests.js?${TESTS_HASH}`
}

/** The tab “Tests”. */
export function TestsTab({isShown, ...props}: TestsProps & {isShown: boolean}) {
  return (
    <LentModule<TestViews> isNeeded={isShown} address={addressAt(props.base)}>
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
    <LentModule<TestViews> isNeeded address={addressAt(panel.base)}>
      {({KeepCall}) => <KeepCall {...props} />}
    </LentModule>
  )
}
