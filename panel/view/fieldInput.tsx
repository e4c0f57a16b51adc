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
  const {formId, field, at, typed, type, problem} = props
  const id = inputId(formId, at)
  const {name, kind, description, isRequired, initial, fields} = field
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
  const attributes = {
    id,
    value: typed[at] ?? initial,
    'aria-describedby': `${id}-hint ${id}-problem`,
    'aria-invalid': wrong !== undefined,
    'aria-required': isRequired,
    onInput: ({currentTarget}: {currentTarget: {value: string}}) => type(at, currentTarget.value),
  }
  return (
    <div class="field">
      <label for={id}>
        {name} {!isRequired && <small>optional</small>}
      </label>
      <Input field={field} attributes={attributes} />
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

type Attributes = {id: string; value: string; onInput: (event: {currentTarget: {value: string}}) => void}

function Input({field, attributes}: {field: Field; attributes: Attributes}) {
  const {kind, choices, examples} = field
  const example = examples[0]
  const placeholder = example === undefined ? '' : `such as ${example}`
  switch (kind) {
    case 'choice':
    case 'boolean':
      return (
        <select {...attributes}>
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
      return <textarea {...attributes} rows={3} placeholder={placeholder} spellcheck={false} />
    case 'date':
      return <input {...attributes} type="date" />
    default:
      return (
        <>
          <input
            {...attributes}
            type="text"
            inputMode={kind === 'text' ? 'text' : 'decimal'}
            autocomplete="off"
            placeholder={placeholder}
            list={examples.length > 0 ? `${attributes.id}-examples` : undefined}
          />
          {examples.length > 0 && (
            <datalist id={`${attributes.id}-examples`}>
              {examples.map((text) => (
                <option key={text} value={text} />
              ))}
            </datalist>
          )}
        </>
      )
  }
}
