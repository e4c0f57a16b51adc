import {Stack} from '@sanity/ui'
import type {ReactNode} from 'react'
import {type ArrayOfPrimitivesInputProps, set} from 'sanity'
import {Choice} from '../parts/fields/choice.tsx'
import {LANGUAGES} from './languages.ts'

/** What a page must have: selectors, and a choice that adds the one for a language. */
export function ConditionsInput(props: ArrayOfPrimitivesInputProps): ReactNode {
  const {value = [], readOnly = false, onChange} = props
  return (
    <Stack gap={2}>
      {props.renderDefault(props)}
      <Choice
        label="Only pages in a language"
        of={[['', 'Only pages in a language…'], ...LANGUAGES]}
        onChange={(language) => {
          const selector = `html[lang|="${language}"]`
          if (language !== '' && !value.includes(selector)) onChange(set([...value, selector]))
        }}
        readOnly={readOnly}
        testId="language"
        value=""
      />
    </Stack>
  )
}
