import {type ReactNode, useId} from 'react'
import type {StringInputProps} from 'sanity'
import {type Fields, isRecord, recordsIn} from '../../schemas/record.ts'
import {parseInputSchema} from '../../schemas/rules/inputSchema.ts'
import {resultParts} from '../../verdicts/resultParts.ts'
import {Suggestions} from '../parts/fields.tsx'
import {useFormDocument} from '../parts/useFormDocument.ts'
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

/** The inputs of the fields of a test that suggest something, by their paths. */
export const INPUTS_OF_TESTS: Readonly<Record<string, (props: StringInputProps) => ReactNode>> = {
  'tests.[].page': (props) => <PageOfTest {...props} />,
  'tests.[].arguments.[].name': (props) => <PartOfTool input={props} partsOf={namesOf} />,
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

function namesOf(tool: Fields): string[] {
  return parametersIn(tool).map(({name}) => name)
}

/** The parameters of a tool, with their descriptions. Those of a form tool are its described fields. */
export function parametersIn(tool: Fields): {readonly name: string; readonly description: unknown}[] {
  const parsed = parseInputSchema(tool.inputSchema)
  const properties = parsed.ok ? Object.entries(parsed.value.properties) : []
  return [
    ...properties.map(([name, schema]) => ({
      name,
      description: isRecord(schema) ? schema.description : undefined,
    })),
    ...recordsIn(tool.fields).flatMap(({name, description}) =>
      typeof name === 'string' && name !== '' ? [{name, description}] : [],
    ),
  ]
}
