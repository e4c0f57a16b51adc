import {useCallback, useMemo} from 'react'
import {type StringInputProps, set, unset, useFormValue} from 'sanity'
import {CodeEditor} from './codeEditor.tsx'
import {scriptCompletions} from './completions.ts'
import {scriptDiagnostics} from './diagnostics.ts'

/** The input of a tool's script. */
export function ScriptInput({value = '', readOnly = false, onChange, elementProps}: StringInputProps) {
  const schema = useFormValue(['inputSchema'])
  const schemaText = typeof schema === 'string' ? schema : ''
  const check = useCallback((text: string) => scriptDiagnostics(text, schemaText), [schemaText])
  const complete = useMemo(() => scriptCompletions(schemaText), [schemaText])
  const change = useCallback((text: string) => onChange(text === '' ? unset() : set(text)), [onChange])
  return (
    <CodeEditor
      check={check}
      complete={complete}
      label="Script"
      language="javascript"
      readOnly={readOnly}
      value={value}
      onBlur={elementProps.onBlur}
      onChange={change}
      onFocus={elementProps.onFocus}
    />
  )
}
