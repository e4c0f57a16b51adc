import {useState} from 'preact/hooks'
import {proposalsFor} from '../../../schemas/tests/proposals.ts'
import {membersOf} from '../../members.ts'
import type {TestedTool} from '../entries.ts'
import {here} from './leaving.ts'
import {parametersOf, type Row, rowOf} from './run.ts'

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
  choose: (row: Row) => void
}) {
  const [isOpen, setOpen] = useState(false)
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
      {isOpen && <Inputs tool={tool} rows={rows} isDisabled={isDisabled} choose={choose} />}
    </>
  )
}

function Inputs({tool, rows, isDisabled, choose}: Parameters<typeof Proposals>[0]) {
  if (!tool.present) return null
  const tests = rows.map(({test: {title, arguments: given}}) => ({title, given}))
  const proposals = proposalsFor(tests, membersOf(parametersOf(tool.present)))
  if (proposals.length === 0)
    return <p class="empty">There is no other input: give the parameters limits, choices or examples.</p>
  return (
    <p class="buttons">
      {proposals.map(({title, given, isRefused}) => (
        <button
          key={title}
          type="button"
          disabled={isDisabled}
          onClick={() =>
            choose(
              rowOf(tool, {
                title,
                page: here(),
                arguments: given,
                expect: isRefused ? [{kind: 'fails', member: '', value: ''}] : [],
              }),
            )
          }
        >
          {isRefused ? `${title}: must fail` : title}
        </button>
      ))}
    </p>
  )
}
