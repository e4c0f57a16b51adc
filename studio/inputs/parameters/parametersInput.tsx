import {AddIcon} from '@sanity/icons/Add'
import {Box, Flex, Stack, Tab, TabList, TabPanel} from '@sanity/ui'
import {useCallback, useEffect, useId, useRef, useState} from 'react'
import {type StringInputProps, set} from 'sanity'
import {isRecord} from '../../../schemas/record.ts'
import {renameParameter} from '../../../schemas/renameParameter.ts'
import type {ParameterSchema} from '../../../schemas/rules/jsonSchema/parameterKind.ts'
import {Muted, PaneButton} from '../../parts/layout.tsx'
import {lazily} from '../../parts/lazily.tsx'
import {useTool} from '../actions/useTool.ts'
import {schemaDiagnostics} from '../code/diagnostics.ts'
import {RowView} from './row.tsx'
import {addRow, type Change, readSchema, removeRow, rowsOf, updateRow, writeSchema} from './table.ts'

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
      // A form that was locked after somebody typed, such as without a connection, drops what it is given.
      if (readOnly) change({inputSchema: latest.current})
      else onChange(set(latest.current))
    },
    [onChange, readOnly, change],
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

type TableProps = {
  readonly schema: ParameterSchema
  /** The accessible name of the list. */
  readonly label: string
  readonly readOnly: boolean
  readonly change: Change
  readonly onRename?: (from: string, to: string) => void
}

/** The parameters of a tool, or of a group. */
function Table({schema, label, readOnly, change, onRename}: TableProps) {
  const rows = rowsOf(schema)
  const list = useRef<HTMLUListElement>(null)
  const add = useRef<HTMLButtonElement>(null)
  /** Where the focus goes after a change: to the name of a new row, or from a row that is gone to the next one. */
  const next = useRef<{at: number; what: 'input' | 'button[aria-label^=Remove]'}>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows a change of the rows.
  useEffect(() => {
    if (next.current === undefined) return
    const {at, what} = next.current
    if (what === 'input' && at >= rows.length) return
    next.current = undefined
    const field = list.current?.children.item(Math.min(at, rows.length - 1))?.querySelector<HTMLElement>(what)
    const target = field ?? add.current
    target?.focus()
    if (target instanceof HTMLInputElement) target.select()
  }, [schema])
  return (
    <Stack gap={3}>
      {rows.length === 0 && <Muted>No parameters: agents call the tool without arguments.</Muted>}
      <Stack aria-label={label} as="ul" gap={2} ref={list} style={{listStyle: 'none', margin: 0, padding: 0}}>
        {rows.map((row, at) => (
          <RowView
            change={change}
            // By place: a row that is renamed keeps the focus.
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is what identifies a row
            key={at}
            onRename={onRename}
            readOnly={readOnly}
            remove={() => {
              next.current = {at, what: 'button[aria-label^=Remove]'}
              change((schema) => removeRow(schema, row.name))
            }}
            row={row}
            schema={schema}
          >
            {row.kind === 'group' && isRecord(row.schema) && (
              <Table
                change={(update) => change((schema) => updateRow(schema, row.name, update))}
                label={`Parameters in ${row.name}`}
                readOnly={readOnly}
                schema={row.schema}
              />
            )}
          </RowView>
        ))}
      </Stack>
      {!readOnly && (
        <Box>
          <PaneButton
            data-testid="parameter-add"
            icon={AddIcon}
            ref={add}
            text="Add a parameter"
            onClick={() => {
              next.current = {at: rows.length, what: 'input'}
              change(addRow)
            }}
          />
        </Box>
      )}
    </Stack>
  )
}
