import {TextInput} from '@sanity/ui'
import {Labelled} from './labelled.tsx'

type FieldProps = {
  label: string
  hint?: string
  type?: 'text' | 'email' | 'password'
  autoComplete?: 'off' | 'current-password' | 'new-password'
  value: string
  onChange: (value: string) => void
}

/** A text field with its label. */
export function Field({label, hint, type = 'text', autoComplete = 'off', value, onChange}: FieldProps) {
  return (
    <Labelled hint={hint} label={label}>
      {(id) => (
        <TextInput
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          autoComplete={autoComplete}
          fontSize={1}
          id={id}
          onChange={(event) => onChange(event.currentTarget.value)}
          type={type}
          value={value}
        />
      )}
    </Labelled>
  )
}
