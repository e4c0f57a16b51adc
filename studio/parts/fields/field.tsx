import {TextArea, TextInput} from '@sanity/ui'
import {Labelled} from './labelled.tsx'
import {Suggestions} from './options.tsx'

type FieldProps = {
  label: string
  hint?: string
  type?: 'text' | 'email' | 'password'
  autoComplete?: 'off' | 'current-password' | 'new-password'
  maxLength?: number
  placeholder?: string
  readOnly?: boolean
  /** Of a field for several lines. */
  rows?: number
  spellCheck?: boolean
  suggestions?: readonly string[]
  testId?: string
  value: string
  onChange: (value: string) => void
}

/** A text field with its label. */
export function Field({
  label,
  hint,
  onChange,
  rows,
  suggestions = [],
  testId,
  type = 'text',
  ...props
}: FieldProps) {
  return (
    <Labelled hint={hint} label={label}>
      {(id) => {
        const field = {
          'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
          autoComplete: 'off',
          'data-testid': testId,
          fontSize: 1,
          id,
          onChange: ({currentTarget}: {currentTarget: {value: string}}) => onChange(currentTarget.value),
          ...props,
        }
        if (rows !== undefined) return <TextArea rows={rows} {...field} />
        return (
          <>
            <TextInput list={`${id}-list`} type={type} {...field} />
            <Suggestions id={`${id}-list`} of={suggestions} />
          </>
        )
      }}
    </Labelled>
  )
}
