import {AddIcon} from '@sanity/icons/Add'
import {Box, Stack} from '@sanity/ui'
import {useEffect, useRef} from 'react'
import {isRecord} from '../../../schemas/rules/json.ts'
import type {ParameterSchema} from '../../../schemas/rules/jsonSchema/parameterKind.ts'
import {Muted} from '../../parts/note.tsx'
import {PaneButton} from '../../parts/smallButton.tsx'
import {type Moved, RowView} from './row.tsx'
import {addRow, type Change, rowsOf, updateRow} from './table.ts'

type TableProps = {
  readonly schema: ParameterSchema
  /** The accessible name of the list. */
  readonly label: string
  readonly readOnly: boolean
  readonly change: Change
  readonly onRename?: (from: string, to: string) => void
}

/** The parameters of a tool, or of a group. */
export function Table({schema, label, readOnly, change, onRename}: TableProps) {
  const rows = rowsOf(schema)
  const list = useRef<HTMLUListElement>(null)
  const add = useRef<HTMLButtonElement>(null)
  const moved = useRef<Moved>(undefined)
  const onMove = (next: Moved) => {
    moved.current = next
  }
  // A new row asks for its name first. The button that was pressed may be gone, or in another row: the focus follows the row,
  // or goes to the next one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows a change of the rows.
  useEffect(() => {
    if (moved.current === undefined) return
    const {to, action} = moved.current
    if (action === 'add' && to >= rows.length) return
    moved.current = undefined
    const row = list.current?.children.item(Math.min(to, rows.length - 1))
    if (action === 'add') {
      const name = row?.querySelector('input')
      name?.focus()
      return name?.select()
    }
    const buttons = row?.querySelectorAll<HTMLButtonElement>('button[data-action]:not(:disabled)')
    const all = [...(buttons ?? [])]
    const next = all.find((button) => button.dataset.action === action) ?? all[0] ?? add.current
    next?.focus()
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
            at={at}
            last={rows.length - 1}
            onMove={onMove}
            onRename={onRename}
            readOnly={readOnly}
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
              onMove({to: rows.length, action: 'add'})
              change(addRow)
            }}
          />
        </Box>
      )}
    </Stack>
  )
}
