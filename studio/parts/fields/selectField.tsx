import {Select} from '@sanity/ui'
import type {ReactNode} from 'react'
import {Labelled} from './labelled.tsx'

type SelectFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  testId?: string
  /** The options. */
  children: ReactNode
}

/** A list to choose from, with its label. Several stand in one line if there is room. */
export function SelectField({label, value, onChange, testId, children}: SelectFieldProps) {
  return (
    <Labelled label={label} style={{flex: 1, minWidth: '12em'}}>
      {(id) => (
        <Select
          data-testid={testId}
          fontSize={1}
          id={id}
          onChange={({currentTarget}) => onChange(currentTarget.value)}
          value={value}
        >
          {children}
        </Select>
      )}
    </Labelled>
  )
}
