import {type Field, show, type Typed} from '../fields.ts'

type Props = {
  /** Unique in the panel: tools of frames may have the same names. */
  formId: string
  field: Field
  /** The names that lead to the field. */
  at: string
  typed: Typed
  type: (at: string, text: string) => void
  problem: {at: string; text: string} | undefined
}

/** The ID of a field's input in the panel. */
export function inputId(formId: string, at: string): string {
  return `try-${formId}-${at}`
}

/** A labelled input for a parameter; for a group, one for each member. */
export function FieldInput(props: Props) {
  const {formId, field, at, problem} = props
  const id = inputId(formId, at)
  const {name, kind, description, isRequired, fields} = field
  if (kind === 'group')
    return (
      <fieldset>
        <legend>
          {name} {!isRequired && <small>optional</small>}
        </legend>
        {description && <p class="hint">{description}</p>}
        {fields.map((member) => (
          <FieldInput {...props} key={member.name} field={member} at={`${at}.${member.name}`} />
        ))}
      </fieldset>
    )
  const wrong = problem?.at === at ? problem.text : undefined
  return (
    <div class="field">
      <label for={id}>
        {name} {!isRequired && <small>optional</small>}
      </label>
      <Input {...props} id={id} describedBy={`${id}-hint ${id}-problem`} isInvalid={wrong !== undefined} />
      {(description || kind === 'texts') && (
        <small class="hint" id={`${id}-hint`}>
          {description} {kind === 'texts' && 'One entry per line.'}
        </small>
      )}
      {wrong && (
        <small class="problem" id={`${id}-problem`}>
          {wrong}
        </small>
      )}
    </div>
  )
}

function Input({
  field,
  at,
  typed,
  type,
  id,
  describedBy,
  isInvalid,
}: Props & {id: string; describedBy: string; isInvalid: boolean}) {
  const {kind, choices, examples, initial, isRequired} = field
  const common = {
    id,
    value: typed[at] ?? initial,
    'aria-describedby': describedBy,
    'aria-invalid': isInvalid,
    'aria-required': isRequired,
  }
  const example = examples[0]
  const placeholder = example === undefined ? '' : `such as ${example}`
  const onInput = ({currentTarget}: {currentTarget: {value: string}}) => type(at, currentTarget.value)
  switch (kind) {
    case 'choice':
    case 'boolean':
      return (
        <select {...common} onInput={onInput}>
          <option value="">—</option>
          {kind === 'boolean'
            ? [true, false].map((value) => (
                <option key={value} value={`${value}`}>
                  {value ? 'yes' : 'no'}
                </option>
              ))
            : choices.map((choice) => (
                <option key={choice} value={show(kind, choice)}>
                  {show(kind, choice)}
                </option>
              ))}
        </select>
      )
    case 'texts':
    case 'other':
      return <textarea {...common} rows={3} placeholder={placeholder} spellcheck={false} onInput={onInput} />
    case 'date':
      return <input {...common} type="date" onInput={onInput} />
    default:
      return (
        <>
          <input
            {...common}
            type="text"
            inputMode={kind === 'text' ? 'text' : 'decimal'}
            autocomplete="off"
            placeholder={placeholder}
            list={examples.length > 0 ? `${id}-examples` : undefined}
            onInput={onInput}
          />
          {examples.length > 0 && (
            <datalist id={`${id}-examples`}>
              {examples.map((text) => (
                <option key={text} value={text} />
              ))}
            </datalist>
          )}
        </>
      )
  }
}
