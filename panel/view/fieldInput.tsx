import type {Field} from '../fields.ts'

type Props = {
  /** Unique in the panel: tools of frames may have the same names. */
  id: string
  field: Field
  value: string
  type: (text: string) => void
}

/** A labelled input for a parameter. */
export function FieldInput({id, field, value, type}: Props) {
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
