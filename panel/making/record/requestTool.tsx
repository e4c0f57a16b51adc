import {useMemo, useState} from 'preact/hooks'
import {argumentsOf, proposeName, type Row, toolOf} from '../../../making/exchange.ts'
import type {Input} from '../../../making/inputs.ts'
import {type ProposedResult, resultOf, type TreeRow, treeOf} from '../../../making/tree.ts'
import type {Exchange} from '../../../making/values.ts'
import {Tick, withTick} from '../../parts/tick.tsx'
import {Handover} from '../handover.tsx'
import type {MakeProps} from '../makeProps.ts'
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
  const change = (at: number, changes: Partial<Input>) =>
    setInputs((before) => before.map((input, place) => (place === at ? {...input, ...changes} : input)))
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
          {inputs.map((input, at) => (
            <InputRow
              key={`${input.place} ${input.name} ${input.member}`}
              input={input}
              change={(changes) => change(at, changes)}
            />
          ))}
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

function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
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

const USES = {
  parameter: 'Agents set it',
  fixed: 'Always this value',
  leave: 'Leave it out',
  page: 'What the page has',
} as const
const USE_NAMES = ['parameter', 'fixed', 'leave', 'page'] as const

function placeShown({selector, cookie}: Partial<Row>): string {
  return selector ?? `cookie ${cookie}`
}

function InputRow({input, change}: {input: Input; change: (changes: Partial<Input>) => void}) {
  const {place, name, member, value, use, parameter, page} = input
  const uses = place === 'path' ? USE_NAMES.slice(0, 2) : USE_NAMES.slice(0, page ? 4 : 3)
  const title =
    place === 'path' ? 'Part of the address' : member ? `${name} › ${member}` : name || 'The whole body'
  const text = page && use === 'page' ? placeShown(page) : shown(value)
  return (
    <div class="input">
      <span>
        {title} <small>{text.length > 60 ? `${text.slice(0, 59)}…` : text}</small>
      </span>
      <select
        aria-label={`Use of ${title}`}
        value={use}
        onChange={({currentTarget}) => {
          const chosen = USE_NAMES.find((one) => one === currentTarget.value)
          if (chosen) change({use: chosen})
        }}
      >
        {uses.map((one) => (
          <option key={one} value={one}>
            {USES[one]}
          </option>
        ))}
      </select>
      {use === 'parameter' && (
        <input
          aria-label={`Name for agents of ${title}`}
          value={parameter}
          spellcheck={false}
          onInput={({currentTarget}) => change({parameter: currentTarget.value})}
        />
      )}
    </div>
  )
}
