import {useMemo} from 'preact/hooks'
import {type TreeRow, treeOf} from '../../making/tree.ts'
import {Tick, withTick} from '../parts/tick.tsx'
import type {Proposal, Words} from './list/proposals.ts'
import {InputRows, placeShown, USES} from './record/inputRows.tsx'

type Props = {proposal: Proposal; words: Words; changeWords: (words: Words) => void}

/** What a tool sends, and what of an answer it returns. */
export function RequestFields({proposal, words, changeWords}: Props) {
  const {inputs = [], recorded} = proposal
  const {sent = [], exchange} = recorded ?? {}
  const answer = exchange?.answer
  const tree = useMemo(() => (typeof answer === 'object' && answer ? treeOf(answer) : undefined), [answer])
  const ticked = words.ticked ?? proposal.ticked ?? []
  return (
    <>
      {inputs.length + sent.length > 0 && (
        <fieldset>
          <legend>What it sends</legend>
          <InputRows
            inputs={words.inputs ?? inputs}
            change={(changed) => changeWords({...words, inputs: changed})}
          />
          {sent.map(({name, value, ...place}) => (
            <div key={name} class="input">
              <span>
                {name} <small>{value ?? placeShown(place)}</small>
              </span>
              <span>{value ? USES.fixed : USES.page}</span>
            </div>
          ))}
        </fieldset>
      )}
      {tree && (
        <fieldset class="tree">
          <legend>What it returns</legend>
          {tree.rows.map((row) => (
            <AnswerRow
              key={row.path}
              row={row}
              isTicked={ticked.includes(row.path)}
              tick={(isTicked) => changeWords({...words, ticked: withTick(ticked, row.path, isTicked)})}
            />
          ))}
          {tree.isCut && <p class="hint">The answer has more values, which are not shown.</p>}
        </fieldset>
      )}
    </>
  )
}

function AnswerRow(props: {row: TreeRow; isTicked: boolean; tick: (isTicked: boolean) => void}) {
  const {path, name, sample, depth, kind} = props.row
  const content = (
    <>
      {name || 'The answer'} <small>{sample}</small>
    </>
  )
  return (
    <div style={{paddingInlineStart: `${depth * 0.9}em`}}>
      {kind === 'value' ? (
        <Tick isTicked={props.isTicked} data-path={path} tick={props.tick}>
          {content}
        </Tick>
      ) : (
        <span>{content}</span>
      )}
    </div>
  )
}
