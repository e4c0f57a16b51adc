import {useCallback, useMemo} from 'react'
import {type StringInputProps, useFormValue} from 'sanity'
import {textOf} from '../../../schemas/rules/text.ts'
import {CodeEditor} from './codeEditor.tsx'
import {scriptCompletions} from './completions.ts'
import {outputSchemaDiagnostics, scriptDiagnostics} from './diagnostics.ts'

/** The input of a tool's script. */
export function ScriptInput(field: StringInputProps) {
  const schemaText = textOf(useFormValue(['inputSchema']))
  const check = useCallback((text: string) => scriptDiagnostics(text, schemaText), [schemaText])
  const complete = useMemo(() => scriptCompletions(schemaText), [schemaText])
  return <CodeEditor check={check} complete={complete} field={field} label="Script" language="javascript" />
}

/** The input of a tool's output schema. */
export function OutputSchemaInput(props: StringInputProps) {
  return <CodeEditor check={outputSchemaDiagnostics} field={props} label="Output schema" language="json" />
}
