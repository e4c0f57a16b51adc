import {Select, Stack} from '@sanity/ui'
import type {ReactNode} from 'react'
import {type ArrayOfPrimitivesInputProps, set} from 'sanity'
import {Options} from '../parts/fields/options.tsx'
import {LANGUAGES} from './languages.ts'

/** What a page must have: selectors, and a choice that adds the one for a language. */
export function ConditionsInput(props: ArrayOfPrimitivesInputProps): ReactNode {
  const {value = [], readOnly = false, onChange} = props
  return (
    <Stack gap={2}>
      {props.renderDefault(props)}
      <Select
        aria-label="Only pages in a language"
        data-testid="language"
        fontSize={1}
        onChange={({currentTarget}) => {
          const selector = `html[lang|="${currentTarget.value}"]`
          if (currentTarget.value !== '' && !value.includes(selector)) onChange(set([...value, selector]))
        }}
        readOnly={readOnly}
        value=""
      >
        <Options of={[['', 'Only pages in a language…'], ...LANGUAGES]} />
      </Select>
    </Stack>
  )
}
