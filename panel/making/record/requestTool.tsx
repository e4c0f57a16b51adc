import {useMemo, useState} from 'preact/hooks'
import {argumentsOf, proposeName, toolOf} from '../../../making/exchange.ts'
import {type ProposedResult, resultOf, type TreeRow, treeOf} from '../../../making/tree.ts'
import type {Exchange} from '../../../making/values.ts'
import {Tick, withTick} from '../../parts/tick.tsx'
import {Handover} from '../handover.tsx'
import type {MakeProps} from '../makeProps.ts'
import {IdleNote, InputRows, placeShown, USES} from './inputRows.tsx'
import {inputsIn} from './searches.ts'
import {Trial, type TrialProps} from './trial.tsx'
import type {Typed} from './typed.ts'

/** Makes a tool of a request: what agents set, and what they get. Without `back`, of the address of a page to open. */
export function RequestTool(
  props: MakeProps &
    Partial<Pick<TrialProps, 'recorded' | 'unlisted'>> & {
      exchange: Exchange
      typed?: Typed | undefined
      /** What the page sent before. */
      earlier?: readonly Exchange[]
      back?: () => void
    },
) {
  const {exchange, typed, back, recorded, unlisted} = props
  const [inputs, setInputs] = useState(() => inputsIn({exchange, ...recorded}, typed, props.earlier, !back))
  const headers = recorded?.sent ?? []
  const [ticked, setTicked] = useState<readonly string[]>([])
  const {answer} = exchange
  const tree = useMemo(() => treeOf(answer), [answer])
  const hasTree = typeof answer === 'object' && answer !== null
  const result = hasTree ? resultOf(ticked) : WITHOUT_DATA[typeof answer === 'string' ? 'text' : 'nothing']
  const tool = toolOf(exchange, {origin: location.origin, inputs, headers, result: result ?? WHOLE})
  const fields = result && tool
  return (
    <>
      {back && (
        <p>
          <button type="button" onClick={back}>
            Back to the requests
          </button>
        </p>
      )}
      <p>
        {back && <span class="badge">{exchange.method}</span>} <code>{addressShown(exchange.address)}</code>
      </p>
      {inputs.length + headers.length > 0 && (
        <fieldset>
          <legend>{back ? 'What it sends' : 'Parts of the address'}</legend>
          <InputRows inputs={inputs} change={setInputs} />
          <IdleNote inputs={inputs} />
          {headers.map(({name, value, ...place}) => (
            <div key={name} class="input">
              <span>
                {name} <small>{value ?? placeShown(place)}</small>
              </span>
              <span>{value ? USES.fixed : USES.page}</span>
            </div>
          ))}
        </fieldset>
      )}
      {hasTree && (
        <fieldset class="tree">
          <legend>What it returns</legend>
          {tree.rows.map((row) => (
            <AnswerRow
              key={row.path}
              row={row}
              isTicked={ticked.includes(row.path)}
              tick={(isTicked) => setTicked((before) => withTick(before, row.path, isTicked))}
            />
          ))}
          {tree.isCut && <p class="hint">The answer has more values, which are not shown.</p>}
        </fieldset>
      )}
      {recorded && unlisted && (
        <Trial {...{recorded, unlisted, tool}} args={argumentsOf(inputs)} isComplete={result !== undefined} />
      )}
      <Handover
        {...props}
        type="tool"
        fields={fields}
        missing={result ? undefined : 'Tick what the tool returns.'}
        name={proposeName(exchange, inputs, recorded?.pressed)}
        // A request needs nothing of the page.
        pages={back && '/**'}
        description=""
      />
    </>
  )
}

/** An address without its query; one of the page's origin without that. */
export function addressShown(address: string): string {
  const {origin, pathname} = new URL(address)
  return origin === location.origin ? pathname : origin + pathname
}

/** Of data, before anything of it is chosen: the request is the same. */
const WHOLE = {kind: 'object', path: '', members: []} as const satisfies ProposedResult

/** What a tool returns of an answer that is text, or has nothing. */
const WITHOUT_DATA = {
  text: {kind: 'text'},
  nothing: {kind: 'message', message: 'Done.'},
} as const satisfies Record<string, ProposedResult>

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
