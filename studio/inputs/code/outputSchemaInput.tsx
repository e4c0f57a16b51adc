import type {StringInputProps} from 'sanity'
import {CodeEditor} from './codeEditor.tsx'
import {outputSchemaDiagnostics} from './diagnostics.ts'

/** The input of a tool's output schema. */
export function OutputSchemaInput(props: StringInputProps) {
  return <CodeEditor check={outputSchemaDiagnostics} field={props} label="Output schema" language="json" />
}
