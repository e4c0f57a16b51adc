import type {Row} from '../../../making/exchange.ts'
import {type Input, nameOf} from '../../../making/inputs.ts'

/** What is sent, and for each value whether agents set it. */
export function InputRows(props: {inputs: readonly Input[]; change: (inputs: Input[]) => void}) {
  const {inputs, change} = props
  return inputs.map((input) => (
    <InputRow
      key={`${input.place} ${input.name} ${input.member}`}
      input={input}
      change={(changes) => change(inputs.map((one) => (one === input ? {...one, ...changes} : one)))}
    />
  ))
}

/** What of it the website ignores. */
export function idleWords(inputs: readonly Input[]): string | undefined {
  const names = inputs.flatMap((input) => (input.isIdle ? [`“${nameOf(input)}”`] : []))
  return names.length > 0
    ? `The answer is the same for each ${names.join(', ')}, because the page filters it: left out, agents get all of it and choose.`
    : undefined
}

/** How a value is sent. */
export const USES = {
  parameter: 'Agents set it',
  fixed: 'Always this value',
  leave: 'Leave it out',
  page: 'What the page has',
} as const
const USE_NAMES = ['parameter', 'fixed', 'leave', 'page'] as const

/** Where a value stands on the page. */
export function placeShown({selector, cookie}: Partial<Row>): string {
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

function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
}
