import {AddIcon} from '@sanity/icons/Add'
import {Box, Button, Stack} from '@sanity/ui'
import {useEffect, useRef} from 'react'
import {Muted} from '../../parts/note.tsx'
import {type Moved, RowView, type TableProps} from './row.tsx'
import {addRow, rowsOf} from './table.ts'

/** The parameters of a tool, or of a group. */
export function Table({schema, label, readOnly, change}: TableProps) {
  const rows = rowsOf(schema)
  const list = useRef<HTMLUListElement>(null)
  const add = useRef<HTMLButtonElement>(null)
  const isAdding = useRef(false)
  const moved = useRef<Moved>(undefined)
  // A new row asks for its name first.
  useEffect(() => {
    if (!isAdding.current || rows.length === 0) return
    isAdding.current = false
    const name = list.current?.lastElementChild?.querySelector('input')
    name?.focus()
    name?.select()
  }, [rows.length])
  // The button that was pressed is gone, or in another row: the focus follows the row, or goes to the next one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows a change of the rows.
  useEffect(() => {
    if (moved.current === undefined) return
    const {to, action} = moved.current
    moved.current = undefined
    const row = list.current?.children.item(Math.min(to, rows.length - 1))
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
            Table={Table}
            change={change}
            isFirst={at === 0}
            isLast={at === rows.length - 1}
            // By place: a row that is renamed keeps the focus.
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is what identifies a row
            key={at}
            at={at}
            onMove={(next) => {
              moved.current = next
            }}
            readOnly={readOnly}
            row={row}
            schema={schema}
          />
        ))}
      </Stack>
      {!readOnly && (
        <Box>
          <Button
            data-testid="parameter-add"
            fontSize={1}
            icon={AddIcon}
            mode="ghost"
            ref={add}
            text="Add a parameter"
            onClick={() => {
              isAdding.current = true
              change(addRow)
            }}
          />
        </Box>
      )}
    </Stack>
  )
}
