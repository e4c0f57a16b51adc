import {type ReactNode, useId} from 'react'
import type {StringInputProps} from 'sanity'
import {type Fields, recordsIn} from '../../schemas/record.ts'
import {parseInputSchema} from '../../schemas/rules/inputSchema.ts'
import {resultParts} from '../../verdicts/resultParts.ts'
import {Suggestions} from '../parts/fields.tsx'
import {useFormDocument} from '../parts/useFormDocument.ts'
import {LANGUAGES} from './languages.ts'
import {pagesOf, usePages} from './usePages.ts'

/** A text field that suggests what is usually written there. */
export function Suggested({input, of}: {input: StringInputProps; of: readonly string[]}) {
  const list = useId()
  return (
    <>
      {input.renderDefault({...input, elementProps: {...input.elementProps, ...{list}}})}
      <Suggestions id={list} of={of} />
    </>
  )
}

/** The inputs of fields in entries of lists that suggest something, by their paths. */
export const INPUTS_IN_LISTS: Readonly<Record<string, (props: StringInputProps) => ReactNode>> = {
  'texts.[].language': (props) => <Suggested input={props} of={LANGUAGES.map(([tag]) => tag)} />,
  'texts.[].parameters.[].name': (props) => <PartOfTool input={props} partsOf={parametersIn} />,
  'tests.[].page': (props) => <PageOfTest {...props} />,
  'tests.[].arguments.[].name': (props) => <PartOfTool input={props} partsOf={parametersIn} />,
  'tests.[].expect.[].member': (props) => <PartOfTool input={props} partsOf={resultParts} />,
}

function PageOfTest(props: StringInputProps) {
  const {document: tool} = useFormDocument()
  const own = pagesOf(tool.pathPattern ?? tool.pagePath)
  return <Suggested input={props} of={[...new Set([...own, ...usePages()])]} />
}

type PartOfToolProps = {input: StringInputProps; partsOf: (tool: Fields) => string[]}

function PartOfTool({input, partsOf}: PartOfToolProps) {
  return <Suggested input={input} of={partsOf(useFormDocument().document)} />
}

/** The names of the parameters of a tool. Those of a form tool are its described fields. */
function parametersIn(tool: Fields): string[] {
  const parsed = parseInputSchema(tool.inputSchema)
  const names = recordsIn(tool.fields).flatMap(({name}) => (typeof name === 'string' ? [name] : []))
  return [...(parsed.ok ? Object.keys(parsed.value.properties) : []), ...names]
}
