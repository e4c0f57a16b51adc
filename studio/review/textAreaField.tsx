import {TextArea} from '@sanity/ui'
import {Labelled} from '../parts/labelled.tsx'

/** The lake refuses longer texts. */
const MAX_LENGTH = 2_000

type TextAreaFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  rows: number
  testId: string
}

/** What people write to each other about a review. */
export function TextAreaField({label, value, onChange, rows, testId}: TextAreaFieldProps) {
  return (
    <Labelled label={label}>
      {(id) => (
        <TextArea
          data-testid={testId}
          fontSize={1}
          id={id}
          maxLength={MAX_LENGTH}
          onChange={(event) => onChange(event.currentTarget.value)}
          rows={rows}
          value={value}
        />
      )}
    </Labelled>
  )
}
