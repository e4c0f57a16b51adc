import {useState} from 'preact/hooks'
import {handoverLink, type StudioOfPreview} from '../../making/studioLink.ts'
import type {ToolTest} from '../../schemas/fields/tests.ts'
import {describeTest} from '../../schemas/fields/tests.ts'
import type {PreviewedTool} from '../../schemas/preview.ts'
import {hasTest, keepCall} from '../../verdicts/kept.ts'
import type {Call} from '../calls.ts'
import type {Present} from '../entries.ts'
import type {Panel} from '../panel.ts'
import {StudioLink} from '../parts/studioLink.tsx'
import {finishedOf, parametersOf, waitsForPerson} from './run.ts'

/** Makes a test of a call, and hands it to Studio. Nothing, if Studio cannot add one, or no test could repeat the call. */
export function KeepCallButton({
  panel,
  present,
  call,
}: {
  panel: Panel
  present: Present | undefined
  call: Call
}) {
  const [isAsked, setAsked] = useState(false)
  const {draft} = present ?? {}
  const {page, args, outcome} = call
  const isDone = outcome.kind === 'result' || outcome.kind === 'error'
  if (!present || !draft || !panel.studio || !isDone) return null
  if (waitsForPerson(present) || args === undefined) return null
  if (!isAsked)
    return (
      <p>
        <button type="button" onClick={() => setAsked(true)}>
          Keep this call as a test
        </button>
      </p>
    )
  const kept = keepCall({page, arguments: args, outcome: finishedOf(call).outcome}, parametersOf(present))
  if (!kept.ok) return <p class="problem">{kept.problem}</p>
  return (
    <KeepTest
      studio={panel.studio}
      draft={draft}
      test={kept.value}
      runTests={() => panel.runTests(draft.id)}
    />
  )
}

/** The line that Studio gets, and the link that hands it over. */
function KeepTest({
  studio,
  draft,
  test,
  runTests,
}: {
  studio: StudioOfPreview
  draft: PreviewedTool
  test: ToolTest
  /** Runs the tests of the tool in their tab. */
  runTests: () => void
}) {
  const [isHanded, setHanded] = useState(false)
  const isKept = hasTest(draft.tests, test)
  const text = isKept ? 'Open it in Studio' : 'Add the test in Studio'
  return (
    <div>
      <p>Studio gets this, and nothing else of the call:</p>
      <p class="note">{describeTest(test)}</p>
      <p class="buttons">
        <StudioLink
          class="button"
          aria-label={`${text}: ${test.title}`}
          href={handoverLink(studio, 'test', {id: draft.id, test})}
          onClick={() => setHanded(true)}
        >
          {text}
        </StudioLink>
        {isKept && (
          <button type="button" onClick={runTests}>
            Run the tests of {draft.name}
          </button>
        )}
      </p>
      <p role="status">
        {isKept
          ? 'The draft has this test.'
          : isHanded && 'Studio adds it to the draft. It appears here in a moment.'}
      </p>
    </div>
  )
}
