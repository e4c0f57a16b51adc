import {TextArea} from '@sanity/ui'
import {Labelled} from './labelled.tsx'

type TextAreaFieldProps = {
  label: string
  hint?: string
  maxLength?: number
  value: string
  onChange: (value: string) => void
  rows: number
  spellCheck?: boolean
  testId?: string
}

/** A field for several lines, with its label. */
export function TextAreaField({label, hint, onChange, testId, ...props}: TextAreaFieldProps) {
  return (
    <Labelled hint={hint} label={label}>
      {(id) => (
        <TextArea
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          data-testid={testId}
          fontSize={1}
          id={id}
          onChange={(event) => onChange(event.currentTarget.value)}
          {...props}
        />
      )}
    </Labelled>
  )
}
