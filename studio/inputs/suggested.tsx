import {type ReactNode, useId} from 'react'
import type {StringInputProps} from 'sanity'
import {Suggestions} from '../parts/fields.tsx'
import {useTool} from './actions/useTool.ts'
import {LANGUAGES} from './languages.ts'

/** A text field that suggests what is usually written there. */
function Suggested({input, of}: {input: StringInputProps; of: readonly string[]}) {
  const list = useId()
  return (
    <>
      {input.renderDefault({...input, elementProps: {...input.elementProps, ...{list}}})}
      <Suggestions id={list} of={of} />
    </>
  )
}

function ParameterName(props: StringInputProps) {
  return <Suggested input={props} of={useTool().parameters} />
}

/** The inputs of fields in entries of lists that suggest something, by their paths. */
export const INPUTS_IN_LISTS: Readonly<Record<string, (props: StringInputProps) => ReactNode>> = {
  'texts.[].language': (props) => <Suggested input={props} of={LANGUAGES.map(([tag]) => tag)} />,
  'texts.[].parameters.[].name': (props) => <ParameterName {...props} />,
  'tests.[].arguments.[].name': (props) => <ParameterName {...props} />,
}
