import {AddIcon} from '@sanity/icons/Add'
import {Box, Button, Stack, Text} from '@sanity/ui'
import {useEffect, useRef} from 'react'
import {RowView, type TableProps} from './row.tsx'
import {addRow, rowsOf} from './table.ts'

/** The parameters of a tool, or of a group. */
export function Table({schema, label, readOnly, change}: TableProps) {
  const rows = rowsOf(schema)
  const list = useRef<HTMLUListElement>(null)
  const isAdding = useRef(false)
  // A new row asks for its name first.
  useEffect(() => {
    if (!isAdding.current || rows.length === 0) return
    isAdding.current = false
    const name = list.current?.lastElementChild?.querySelector('input')
    name?.focus()
    name?.select()
  }, [rows.length])
  return (
    <Stack gap={3}>
      {rows.length === 0 && (
        <Text muted size={1}>
          No parameters: agents call the tool without arguments.
        </Text>
      )}
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
