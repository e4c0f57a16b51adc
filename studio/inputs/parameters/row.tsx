import {ArrowDownIcon} from '@sanity/icons/ArrowDown'
import {ArrowUpIcon} from '@sanity/icons/ArrowUp'
import {CopyIcon} from '@sanity/icons/Copy'
import {TrashIcon} from '@sanity/icons/Trash'
import {Box, Button, Card, Checkbox, Flex, Stack, Text} from '@sanity/ui'
import {type ComponentType, useState} from 'react'
import {isRecord} from '../../../schemas/rules/json.ts'
import {Muted} from '../../parts/note.tsx'
import {SmallButton} from '../../parts/smallButton.tsx'
import {DraftText, KindSelect, More} from './rowFields.tsx'
import {
  type Change,
  changeRowKind,
  duplicateRow,
  moveRow,
  type ObjectSchema,
  type Row,
  removeRow,
  renameRow,
  requireRow,
  setKeyword,
  updateRow,
} from './table.ts'
import {readTexts, showValue} from './values.ts'

export type TableProps = {
  readonly schema: ObjectSchema
  /** The accessible name of the list. */
  readonly label: string
  readonly readOnly: boolean
  readonly change: Change
}

/** Where the focus goes after a change of the rows: to a button of the row at a place. */
export type Moved = {readonly to: number; readonly action: RowAction} | undefined

type RowAction = 'up' | 'down' | 'copy' | 'remove'

type RowViewProps = {
  /** Shows the parameters of a group. Passed in, because a table shows rows. */
  readonly Table: ComponentType<TableProps>
  readonly schema: ObjectSchema
  readonly row: Row
  readonly at: number
  /** Called before a change that moves or removes the row. */
  readonly onMove: (moved: Moved) => void
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly readOnly: boolean
  readonly change: Change
}

/** One parameter of a tool: its name, kind and description, with rarely used settings under "More". */
export function RowView({Table, schema, row, at, onMove, isFirst, isLast, readOnly, change}: RowViewProps) {
  const {name, kind, required, description, hidden} = row
  const [showsMore, setShowsMore] = useState(false)
  const parameter = isRecord(row.schema) ? row.schema : {}
  return (
    <Card as="li" border data-testid={`parameter-${name}`} padding={3} radius={2}>
      <Stack gap={3}>
        <Flex align="flex-start" gap={2} wrap="wrap">
          <Box flex={2} style={{minWidth: '9em'}}>
            <DraftText
              commit={(text) => {
                const renamed = renameRow(schema, name, text.trim())
                if (renamed === undefined)
                  return text.trim() === '' ? 'Type a name.' : 'Another parameter has this name.'
                change((schema) => renameRow(schema, name, text.trim()) ?? schema)
                return undefined
              }}
              label="Name"
              placeholder="Name, such as city"
              readOnly={readOnly}
              testId="parameter-name"
              value={name}
            />
          </Box>
          <Box flex={1} style={{minWidth: '9em'}}>
            <KindSelect
              change={(next) => change((schema) => changeRowKind(schema, name, next))}
              kind={kind}
              name={name}
              readOnly={readOnly}
            />
          </Box>
          <Flex align="center" as="label" gap={2} paddingY={3}>
            <Checkbox
              checked={required}
              data-testid="parameter-required"
              disabled={readOnly}
              onChange={({currentTarget: {checked}}) => change((schema) => requireRow(schema, name, checked))}
            />
            <Text size={1}>Required</Text>
          </Flex>
          {!readOnly && (
            <Flex>
              <Action
                action="up"
                disabled={isFirst}
                icon={ArrowUpIcon}
                label={`Move ${name} up`}
                onClick={() => {
                  onMove({to: at - 1, action: 'up'})
                  change((schema) => moveRow(schema, name, -1))
                }}
              />
              <Action
                action="down"
                disabled={isLast}
                icon={ArrowDownIcon}
                label={`Move ${name} down`}
                onClick={() => {
                  onMove({to: at + 1, action: 'down'})
                  change((schema) => moveRow(schema, name, 1))
                }}
              />
              <Action
                action="copy"
                icon={CopyIcon}
                label={`Duplicate ${name}`}
                onClick={() => change((schema) => duplicateRow(schema, name))}
              />
              <Action
                action="remove"
                icon={TrashIcon}
                label={`Remove ${name}`}
                onClick={() => {
                  onMove({to: at, action: 'remove'})
                  change((schema) => removeRow(schema, name))
                }}
              />
            </Flex>
          )}
        </Flex>
        {isRecord(row.schema) && (
          <DraftText
            commit={(text) => {
              const next = text.trim() === '' ? undefined : text.trim()
              change((schema) => setKeyword(schema, name, 'description', next))
              return undefined
            }}
            label={`Description of ${name}`}
            placeholder="What an agent should put here, with an example"
            readOnly={readOnly}
            testId="parameter-description"
            value={description}
          />
        )}
        {kind === 'choice' && (
          <DraftText
            commit={(text) => {
              const choices = readTexts(text)
              if (choices.length === 0) return 'Type at least one choice.'
              change((schema) => setKeyword(schema, name, 'enum', [...new Set(choices)]))
              return undefined
            }}
            label={`Choices of ${name}`}
            placeholder="Choices, separated by commas"
            readOnly={readOnly}
            testId="parameter-choices"
            value={showValue(parameter.enum)}
          />
        )}
        {kind === 'group' && (
          <Box paddingLeft={3}>
            <Table
              change={(update) => change((schema) => updateRow(schema, name, update))}
              label={`Parameters in ${name}`}
              readOnly={readOnly}
              schema={parameter}
            />
          </Box>
        )}
        {kind === 'other' && (
          <Muted>
            The table cannot show the values of this parameter. They stay unchanged; edit them under “JSON”.
          </Muted>
        )}
        {hidden.length > 0 && <Muted>Also set, and shown under “JSON” only: {hidden.join(', ')}.</Muted>}
        {kind !== 'other' && kind !== 'group' && (
          <Stack gap={3}>
            <Flex>
              <SmallButton
                aria-expanded={showsMore}
                mode="bleed"
                text={showsMore ? 'Less' : 'More'}
                onClick={() => setShowsMore(!showsMore)}
              />
            </Flex>
            {showsMore && (
              <More
                kind={kind}
                readOnly={readOnly}
                schema={row.schema}
                set={(keyword, value) => change((schema) => setKeyword(schema, name, keyword, value))}
              />
            )}
          </Stack>
        )}
      </Stack>
    </Card>
  )
}

type ActionProps = {
  readonly action: RowAction
  readonly icon: ComponentType
  readonly label: string
  readonly disabled?: boolean
  readonly onClick: () => void
}

function Action({action, icon, label, disabled = false, onClick}: ActionProps) {
  return (
    <Button
      aria-label={label}
      data-action={action}
      disabled={disabled}
      fontSize={1}
      icon={icon}
      mode="bleed"
      padding={3}
      title={label}
      onClick={onClick}
    />
  )
}
