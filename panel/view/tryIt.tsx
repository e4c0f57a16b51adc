import {useEffect, useId, useMemo, useRef, useState} from 'preact/hooks'
import type {Call} from '../calls.ts'
import type {Present} from '../entries.ts'
import {fieldsOf, readFields, type Typed} from '../fields.ts'
import type {Panel} from '../panel.ts'
import {OutcomeView} from '../parts/outcomeView.tsx'
import {Tick} from '../parts/tick.tsx'
import {KeepCallButton} from '../tests/keepCall.tsx'
import {waitsForPerson} from '../tests/run.ts'
import {FieldInput, inputId} from './fieldInput.tsx'

/** Calls a tool as an agent does, with arguments from a form. */
export function TryIt({panel, present}: {panel: Panel; present: Present}) {
  const {tool} = present
  const formId = useId()
  const schema = useSchema(tool.inputSchema)
  const fields = useMemo(() => fieldsOf(schema), [schema])
  const [typed, setTyped] = useState<Typed>({})
  const [json, setJson] = useState<string>()
  const [problem, setProblem] = useState<{at: string; text: string}>()
  const [last, setLast] = useState<Call>()
  const [running, setRunning] = useState<AbortController>()
  const group = useRef<HTMLFieldSetElement>(null)
  const status = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (running ?? last) status.current?.scrollIntoView({block: 'nearest'})
  }, [running, last])

  function read() {
    if (json === undefined) return readFields(fields, typed)
    try {
      return {ok: true, args: JSON.parse(json)} as const
    } catch {
      return {ok: false, at: JSON_FIELD, problem: 'This is not valid JSON.'} as const
    }
  }

  async function start(): Promise<void> {
    if (running) return
    const values = read()
    setProblem(values.ok ? undefined : {at: values.at, text: values.problem})
    if (!values.ok) {
      const field = group.current?.querySelector<HTMLElement>(`#${CSS.escape(inputId(formId, values.at))}`)
      field?.focus()
      return
    }
    const controller = new AbortController()
    setRunning(controller)
    setLast(undefined)
    setLast(await panel.call(tool, values.args, controller.signal))
    setRunning(undefined)
  }

  function switchToJson(isJson: boolean): void {
    const values = readFields(fields, typed)
    setJson(isJson ? JSON.stringify(values.ok ? values.args : {}, null, 2) : undefined)
    setProblem(undefined)
  }

  const isJson = json !== undefined
  return (
    // Not a form: audits of the page would list it as one that is not a tool.
    <fieldset
      class="try"
      aria-label={`Try ${tool.name}`}
      ref={group}
      onKeyDown={({key, target}) => {
        if (key === 'Enter' && target instanceof HTMLInputElement) void start()
      }}
    >
      {(isJson ? JSON_FIELDS : fields).map((field) => (
        <FieldInput
          key={field.name}
          formId={formId}
          problem={problem}
          field={field}
          at={field.name}
          typed={isJson ? {[JSON_FIELD]: json} : typed}
          type={(at, text) => (isJson ? setJson(text) : setTyped((before) => ({...before, [at]: text})))}
        />
      ))}
      <div class="buttons">
        <button type="button" class="primary" disabled={running !== undefined} onClick={() => void start()}>
          Call it
        </button>
        {running && (
          <button type="button" onClick={() => running.abort()}>
            Stop
          </button>
        )}
        <Tick isTicked={isJson} tick={switchToJson}>
          As JSON
        </Tick>
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

const JSON_FIELD = 'arguments'
const JSON_FIELDS = [
  {
    name: JSON_FIELD,
    kind: 'other',
    description: 'All arguments as one JSON object, also wrong ones.',
    isRequired: false,
    choices: [],
    examples: [],
    initial: '',
    fields: [],
  },
] as const

/** The same object while the schema says the same: browsers return a new one each time, the polyfill JSON. */
function useSchema(schema: unknown): unknown {
  const text = typeof schema === 'string' ? schema : JSON.stringify(schema ?? {})
  return useMemo(() => JSON.parse(text), [text])
}
