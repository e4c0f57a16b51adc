import {TextInput} from '@sanity/ui'
import {Labelled} from './labelled.tsx'

type FieldProps = {
  label: string
  hint?: string
  type?: 'text' | 'email' | 'password'
  autoComplete?: 'off' | 'current-password' | 'new-password'
  placeholder?: string
  spellCheck?: boolean
  value: string
  onChange: (value: string) => void
}

/** A text field with its label. */
export function Field({label, hint, onChange, ...props}: FieldProps) {
  return (
    <Labelled hint={hint} label={label}>
      {(id) => (
        <TextInput
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          autoComplete="off"
          fontSize={1}
          id={id}
          onChange={(event) => onChange(event.currentTarget.value)}
          {...props}
        />
      )}
    </Labelled>
  )
}
