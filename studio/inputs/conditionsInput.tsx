import {Select, Stack} from '@sanity/ui'
import type {ReactNode} from 'react'
import {type ArrayOfPrimitivesInputProps, set} from 'sanity'
import {Options} from '../parts/fields/options.tsx'

/** Frequent languages of websites. The selector is also right for `de-AT`. */
const LANGUAGES = [
  ['', 'Only pages in a language…'],
  ['cs', 'Czech'],
  ['da', 'Danish'],
  ['nl', 'Dutch'],
  ['en', 'English'],
  ['fi', 'Finnish'],
  ['fr', 'French'],
  ['de', 'German'],
  ['it', 'Italian'],
  ['ja', 'Japanese'],
  ['pl', 'Polish'],
  ['pt', 'Portuguese'],
  ['es', 'Spanish'],
  ['sv', 'Swedish'],
] as const

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
        <Options of={LANGUAGES} />
      </Select>
    </Stack>
  )
}
