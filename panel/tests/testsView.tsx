import {useEffect, useRef, useState} from 'preact/hooks'
import {describeTest} from '../../schemas/fields/tests.ts'
import type {Present, TestedTool} from '../entries.ts'
import type {Panel} from '../panel.ts'
import {OutcomeView} from '../parts/outcomeView.tsx'
import {Text} from '../parts/text.tsx'
import {takeArrival} from './leaving.ts'
import {isHere, mayLeave, type Row, readsOnly, rowOf, runTest, type TestResult} from './run.ts'

/** The content of the tab “Tests”: what the tools of the page return, judged by their tests. */
export function TestsView({
  panel,
  tools,
  present,
}: {
  panel: Panel
  tools: readonly TestedTool[]
  present: readonly Present[]
}) {
  const {isPreview, wantedTests: wanted} = panel
  const untested = present.flatMap(({name, draft}) => (draft && draft.tests.length === 0 ? name : []))
  const [results, setResults] = useState<Readonly<Record<string, TestResult>>>({})
  const [running, setRunning] = useState<{row: Row; end: AbortController}>()
  const [arrival] = useState(takeArrival)
  const isBusy = useRef(false)
  const start = useRef<HTMLButtonElement>(null)

  async function run(rows: readonly Row[]): Promise<void> {
    if (isBusy.current) return
    const asked = rows.filter((row) => !isFree(row))
    await runAll(asked.length === 0 || confirm(questionFor(asked)) ? rows : rows.filter(isFree))
  }

  async function runAll(rows: readonly Row[]): Promise<void> {
    isBusy.current = true
    const end = new AbortController()
    try {
      for (const row of rows) {
        if (end.signal.aborted) break
        setRunning({row, end})
        const result = await runTest(row, panel, end.signal)
        if (!end.signal.aborted) setResults((before) => ({...before, [row.key]: result}))
      }
    } finally {
      setRunning(undefined)
      isBusy.current = false
    }
  }

  const groups = tools.map((tool) => ({tool, rows: tool.draft.tests.map((test) => rowOf(tool, test))}))
  const rows = groups.flatMap(({rows: own}) => own).filter(({test}) => isHere(test))
  const inTurn = rows.filter((row) => !mayLeave(row))
  useEffect(() => {
    if (!wanted) return
    start.current?.focus()
    void run(inTurn.filter(({tool}) => tool.draft.id === wanted.id))
  }, [wanted])

  const verdicts = rows.flatMap(({key}) => results[key] ?? [])
  const failed = verdicts.filter(({failures}) => failures.length > 0).length
  if (!isPreview)
    return (
      <p class="empty">
        To run tests, open this page from Studio: choose “Open a page with drafts” on the page of the site.
      </p>
    )
  return (
    <>
      {arrival && (
        <p class="note">
          The test “{arrival.test.title}” of <code>{arrival.toolName}</code> led here from{' '}
          <a href={location.origin + arrival.from}>{arrival.from}</a>:{' '}
          {arrival.verdict.failures.join(' ') || 'passed.'}
        </p>
      )}
      <div class="buttons">
        <button
          type="button"
          class="primary"
          ref={start}
          // A disabled button would lose the focus.
          aria-disabled={running !== undefined || inTurn.length === 0}
          onClick={() => void run(inTurn)}
        >
          Run tests
        </button>
        {running && (
          <button type="button" onClick={() => running.end.abort()}>
            Stop
          </button>
        )}
        <span role="status">
          {running
            ? `Running “${running.row.test.title}”…`
            : verdicts.length > 0 && `${verdicts.length - failed} passed, ${failed} failed`}
        </span>
      </div>
      {groups.map(({tool, rows: own}) => (
        <section key={tool.draft.id} data-tests={tool.draft.name} aria-label={`Tests of ${tool.draft.name}`}>
          <table>
            <thead>
              <tr>
                <th scope="col">
                  Tests of <code>{tool.draft.name}</code>
                </th>
                <th scope="col">Verdict</th>
              </tr>
            </thead>
            <tbody>
              {own.map((row) => (
                <TestRow
                  key={row.key}
                  row={row}
                  result={results[row.key]}
                  isRunning={running?.row.key === row.key}
                  run={mayLeave(row) && !running ? () => void run([row]) : undefined}
                />
              ))}
            </tbody>
          </table>
          {tool.draft.testsProblem && <p class="problem">{tool.draft.testsProblem}</p>}
        </section>
      ))}
      {tools.length === 0 && <p class="empty">No tool of this page has tests.</p>}
      {untested.length > 0 && (
        <p class="empty">
          Without tests: {untested.join(', ')}. Call a tool in “Tools”, and keep the call as a test.
        </p>
      )}
    </>
  )
}

/** Whether a test needs no question: it calls a tool that only reads, or it cannot run. */
function isFree({tool: {present}, problem}: Row): boolean {
  return problem !== undefined || present === undefined || readsOnly(present)
}

/** Asks before tests call tools that may change something, and names them. */
function questionFor(rows: readonly Row[]): string {
  const tools = [...Map.groupBy(rows, ({tool}) => tool.draft.name)].map(
    ([name, own]) =>
      `${name} (${own.length === 1 ? '1 test' : `${own.length} tests`}): ${own[0]?.tool.present?.tool.description}`,
  )
  return `Run tests that may change something? They call these tools on this page, in your name:\n\n${tools.join('\n')}`
}

/** A test, and what came of it. */
function TestRow({
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
