import {useEffect, useId, useRef, useState} from 'preact/hooks'
import {jsonIn} from '../../schemas/record.ts'
import type {Call} from '../calls.ts'
import type {Present} from '../entries.ts'
import {fieldsOf, readFields} from '../fields.ts'
import type {Panel} from '../panel.ts'
import {OutcomeView} from '../parts/outcomeView.tsx'
import {Tick} from '../parts/tick.tsx'
import {KeepCallButton} from '../tests/keepCall.tsx'
import {parametersOf, waitsForPerson} from '../tests/run.ts'
import {FieldInput} from './fieldInput.tsx'

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
