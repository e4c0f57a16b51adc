import {useEffect, useId, useRef, useState} from 'preact/hooks'
import {jsonIn} from '../../schemas/record.ts'
import type {Call} from '../calls.ts'
import type {Present} from '../entries.ts'
import {type Field, fieldsOf, readFields} from '../fields.ts'
import type {Panel} from '../panel.ts'
import {OutcomeView} from '../parts/outcomeView.tsx'
import {Tick} from '../parts/tick.tsx'
import {KeepCallButton} from '../tests/keepCall.tsx'
import {parametersOf, waitsForPerson} from '../tests/run.ts'

/** Calls a tool as an agent does, with arguments from a form. */
export function TryIt({panel, present}: {panel: Panel; present: Present}) {
  const {tool} = present
  const formId = useId()
  const schema = parametersOf(present)
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const [json, setJson] = useState<string>()
  const [last, setLast] = useState<Call>()
  const [running, setRunning] = useState<AbortController>()
  const status = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (running ?? last) status.current?.scrollIntoView({block: 'nearest'})
  }, [running, last])
  const args = json === undefined ? readFields(schema, typed) : jsonIn(json)

  async function start(): Promise<void> {
    if (running || args === undefined) return
    const controller = new AbortController()
    setRunning(controller)
    setLast(undefined)
    setLast(await panel.call(tool, args, controller.signal))
    setRunning(undefined)
  }

  return (
    // Not a form: audits of the page would list it as one that is not a tool.
    <fieldset
      class="try"
      aria-label={`Try ${tool.name}`}
      onKeyDown={({key, target}) => {
        if (key === 'Enter' && target instanceof HTMLInputElement) void start()
      }}
    >
      {json === undefined ? (
        fieldsOf(schema).map((field) => (
          <FieldInput
            key={field.name}
            id={`${formId}-${field.name}`}
            field={field}
            value={typed[field.name] ?? field.initial}
            type={(text) => setTyped((before) => ({...before, [field.name]: text}))}
          />
        ))
      ) : (
        <FieldInput id={`${formId}-json`} field={JSON_FIELD} value={json} type={setJson} />
      )}
      <div class="buttons">
        <button
          type="button"
          class="primary"
          disabled={running !== undefined || args === undefined}
          onClick={() => void start()}
        >
          Call it
        </button>
        {running && (
          <button type="button" onClick={() => running.abort()}>
            Stop
          </button>
        )}
        <Tick
          isTicked={json !== undefined}
          tick={(isJson) => setJson(isJson ? JSON.stringify(args, null, 2) : undefined)}
        >
          As JSON
        </Tick>
        {args === undefined && <span class="problem">This is not valid JSON.</span>}
      </div>
      <div role="status" ref={status}>
        {running && (
          <p>
            {waitsForPerson(present)
              ? 'The form is filled in. Press its button to submit it.'
              : 'Calling the tool…'}
          </p>
        )}
        {last && <OutcomeView call={last} />}
      </div>
      {last && <KeepCallButton key={last.id} panel={panel} present={present} call={last} />}
    </fieldset>
  )
}

const JSON_FIELD = {
  name: 'arguments',
  kind: 'other',
  description: 'All arguments, also wrong ones.',
  isRequired: false,
  choices: [],
  examples: [],
  initial: '',
} as const

type Props = {
  /** Unique in the panel: tools of frames may have the same names. */
  id: string
  field: Field
  value: string
  type: (text: string) => void
}

/** A labelled input for a parameter. */
function FieldInput({id, field, value, type}: Props) {
  const {name, kind, description, isRequired} = field
  const attributes = {
    id,
    value,
    'aria-describedby': `${id}-hint`,
    'aria-required': isRequired,
    onInput: ({currentTarget}: {currentTarget: {value: string}}) => type(currentTarget.value),
  }
  return (
    <div class="field">
      <label for={id}>
        {name} {!isRequired && <small>optional</small>}
      </label>
      <Input field={field} attributes={attributes} />
      <small class="hint" id={`${id}-hint`}>
        {description} {kind === 'texts' && 'One entry per line.'} {/group|other/.test(kind) && 'As JSON.'}
      </small>
    </div>
  )
}

const YES_NO = [
  ['true', 'yes'],
  ['false', 'no'],
] as const

type Attributes = {id: string; value: string; onInput: (event: {currentTarget: {value: string}}) => void}

function Input({field: {kind, choices, examples}, attributes}: {field: Field; attributes: Attributes}) {
  const placeholder = examples[0] === undefined ? '' : `such as ${examples[0]}`
  switch (kind) {
    case 'choice':
    case 'boolean':
      return (
        <select {...attributes}>
          <option value="">—</option>
          {(kind === 'boolean' ? YES_NO : choices).map(([choice, label]) => (
            <option key={choice} value={choice}>
              {label}
            </option>
          ))}
        </select>
      )
    case 'texts':
    case 'group':
    case 'other':
      return <textarea {...attributes} rows={3} placeholder={placeholder} spellcheck={false} />
    default:
      return (
        <>
          <input
            {...attributes}
            type={kind === 'date' ? 'date' : 'text'}
            inputMode={kind === 'text' ? 'text' : 'decimal'}
            autocomplete="off"
            placeholder={placeholder}
            list={`${attributes.id}-examples`}
          />
          <datalist id={`${attributes.id}-examples`}>
            {examples.map((text) => (
              <option key={text} value={text} />
            ))}
          </datalist>
        </>
      )
  }
}
