import {Flex, Stack, Tab, TabList, TabPanel} from '@sanity/ui'
import {useCallback, useEffect, useId, useRef, useState} from 'react'
import {type StringInputProps, set} from 'sanity'
import {renameParameter} from '../../../schemas/actions/parameters.ts'
import {lazily} from '../../parts/lazily.tsx'
import {Muted} from '../../parts/note.tsx'
import {useTool} from '../actions/useTool.ts'
import {schemaDiagnostics} from '../code/diagnostics.ts'
import {type Change, readSchema, writeSchema} from './table.ts'
import {Table} from './tableView.tsx'

const CodeEditor = lazily(async () => (await import('../code/codeEditor.tsx')).CodeEditor)

/** The input of a tool's parameters: a table that edits the text of a JSON Schema, and the text itself. */
export function ParametersInput(field: StringInputProps) {
  const {value = '', readOnly = false, onChange} = field
  const [view, setView] = useState<'table' | 'json'>('table')
  const id = useId()
  const schema = readSchema(value)
  // Leaving a field and pressing a button are two changes, and the form renders only after the second.
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  }, [value])
  const {tool, change} = useTool()
  const rename = (from: string, to: string) => {
    const changed = renameParameter(tool, from, to)
    if (Object.keys(changed).length > 0) change(changed)
  }
  const update: Change = useCallback(
    (next) => {
      const before = readSchema(latest.current)
      if (before === undefined) return
      latest.current = writeSchema(next(before))
      onChange(set(latest.current))
    },
    [onChange],
  )
  const shown = schema === undefined ? 'json' : view
  return (
    <Stack data-testid="parameters" gap={3}>
      <Flex justify="flex-end">
        <TabList gap={2}>
          {(['table', 'json'] as const).map((one) => (
            <Tab
              aria-controls={`${id}-panel`}
              disabled={one === 'table' && schema === undefined}
              fontSize={1}
              id={`${id}-${one}`}
              key={one}
              label={one === 'table' ? 'Table' : 'JSON'}
              selected={shown === one}
              onClick={() => setView(one)}
            />
          ))}
        </TabList>
      </Flex>
      <TabPanel aria-labelledby={`${id}-${shown}`} id={`${id}-panel`}>
        {shown === 'table' && schema !== undefined ? (
          <Table change={update} label="Parameters" onRename={rename} readOnly={readOnly} schema={schema} />
        ) : (
          <Stack gap={3}>
            {schema === undefined && value.trim() !== '' && (
              <Muted>The table shows the parameters once the text is a JSON Schema of an object.</Muted>
            )}
            <CodeEditor
              check={schemaDiagnostics}
              field={field}
              label="Parameters as JSON Schema"
              language="json"
            />
          </Stack>
        )}
      </TabPanel>
    </Stack>
  )
}
