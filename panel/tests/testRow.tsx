import {describeTest} from '../../schemas/fields/tests.ts'
import {OutcomeView} from '../parts/outcomeView.tsx'
import {Text} from '../parts/text.tsx'
import {isHere, type Row, type TestResult} from './run.ts'

/** A test, and what came of it. */
export function TestRow({
  row: {test},
  result,
  isRunning,
  run,
}: {
  row: Row
  result: TestResult | undefined
  isRunning: boolean
  /** Runs this test alone; undefined: it runs with the others. */
  run: (() => void) | undefined
}) {
  const isThisPage = isHere(test)
  return (
    <tr>
      <td>
        <strong>{test.title}</strong>
        <p class="facts">{describeTest(test)}</p>
        {result && <Details result={result} />}
      </td>
      <td>
        {isThisPage ? (
          <Verdict result={result} isRunning={isRunning} />
        ) : (
          <a href={location.origin + test.page}>on {test.page}: open it</a>
        )}
        {isThisPage && run && (
          <button type="button" aria-label={`Run it: it may leave this page: ${test.title}`} onClick={run}>
            Run it: it may leave this page
          </button>
        )}
      </td>
    </tr>
  )
}

function Verdict({result, isRunning}: {result: TestResult | undefined; isRunning: boolean}) {
  if (isRunning) return <>running…</>
  if (!result) return <>not run</>
  return result.failures.length > 0 ? (
    <span class="badge error">failed</span>
  ) : (
    <span class="badge result">passed</span>
  )
}

function Details({result: {failures, warnings, call}}: {result: TestResult}) {
  return (
    <>
      {failures.map((failure) => (
        <p key={failure} class="problem">
          {failure}
        </p>
      ))}
      {warnings.map((warning) => (
        <p key={warning} class="facts">
          {warning}
        </p>
      ))}
      {failures.length > 0 && call && (
        <details>
          <summary>Arguments and result</summary>
          <Text value={call.args} label={`Arguments of ${call.tool}`} />
          <OutcomeView call={call} />
        </details>
      )}
    </>
  )
}
