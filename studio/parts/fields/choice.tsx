import {Select} from '@sanity/ui'
import {Options} from './options.tsx'

export type ChoiceProps = {
  /** The accessible name. Undefined: a label has the {@link id}. */
  label?: string
  id?: string
  /** What to choose from, by value and title. */
  of: readonly (readonly [value: string, title: string])[]
  value: string
  onChange: (value: string) => void
  readOnly?: boolean
  testId?: string | undefined
}

/** A list to choose from. */
export function Choice({label, id, of, value, onChange, readOnly = false, testId}: ChoiceProps) {
  return (
    <Select
      aria-label={label}
      data-testid={testId}
      fontSize={1}
      id={id}
      onChange={({currentTarget}) => onChange(currentTarget.value)}
      readOnly={readOnly}
      value={value}
    >
      <Options of={of} />
    </Select>
  )
}
