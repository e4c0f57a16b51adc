import {useState} from 'preact/hooks'
import type {ToolTest} from '../../schemas/fields/tests.ts'
import {membersOf} from '../../snippet/members.ts'
import {proposalsFor} from '../../verdicts/proposals.ts'
import type {TestedTool} from '../entries.ts'
import {here} from './leaving.ts'
import {parametersOf, type Row} from './run.ts'

/** Other inputs for a tool: at the limits of its parameters, and beyond them. */
export function Proposals({
  tool,
  rows,
  isDisabled,
  choose,
}: {
  tool: TestedTool
  rows: readonly Row[]
  isDisabled: boolean
  choose: (test: ToolTest) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const tests = rows.map(({test: {title, arguments: given}}) => ({title, given}))
  const parameters = isOpen && tool.present && membersOf(parametersOf(tool.present))
  const proposals = parameters ? proposalsFor(tests, parameters) : []
  return (
    <>
      <p>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={`Test with another input: ${tool.draft.name}`}
          onClick={() => setOpen(!isOpen)}
        >
          Test with another input
        </button>
      </p>
      {isOpen && proposals.length === 0 && (
        <p class="empty">There is no other input: give the parameters limits, choices or examples.</p>
      )}
      {proposals.length > 0 && (
        <p class="buttons">
          {proposals.map(({title, given, isRefused}) => (
            <button
              key={title}
              type="button"
              disabled={isDisabled}
              onClick={() =>
                choose({
                  title,
                  page: here(),
                  arguments: given,
                  expect: isRefused ? [{kind: 'fails', member: '', value: ''}] : [],
                })
              }
            >
              {isRefused ? `${title}: must fail` : title}
            </button>
          ))}
        </p>
      )}
    </>
  )
}
