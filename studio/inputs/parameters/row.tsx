import {ArrowDownIcon} from '@sanity/icons/ArrowDown'
import {ArrowUpIcon} from '@sanity/icons/ArrowUp'
import {CopyIcon} from '@sanity/icons/Copy'
import {TrashIcon} from '@sanity/icons/Trash'
import {Box, Button, Card, Flex, Stack} from '@sanity/ui'
import {type ComponentType, type ReactNode, useState} from 'react'
import {isRecord} from '../../../schemas/rules/json.ts'
import {KIND_TITLES, KINDS, type ParameterSchema} from '../../../schemas/rules/jsonSchema/parameterKind.ts'
import {Choice} from '../../parts/fields/choice.tsx'
import {Tick} from '../../parts/fields/tick.tsx'
import {Muted} from '../../parts/note.tsx'
import {SmallButton} from '../../parts/smallButton.tsx'
import {changeKind} from '../parameterKinds.ts'
import {DraftText, More} from './rowFields.tsx'
import {
  type Change,
  duplicateRow,
  moveRow,
  type Row,
  removeRow,
  renameRow,
  requireRow,
  setKeyword,
  updateRow,
} from './table.ts'
import {readTexts, showValue} from './values.ts'

/** Where the focus goes after a change of the rows: to the name or a button of the row at a place. */
export type Moved = {readonly to: number; readonly action: RowAction | 'add'}

type RowAction = 'up' | 'down' | 'copy' | 'remove'

type RowViewProps = {
  readonly schema: ParameterSchema
  readonly row: Row
  readonly at: number
  /** The place of the last row. */
  readonly last: number
  /** Called before a change that moves or removes the row. */
  readonly onMove: (moved: Moved) => void
  readonly onRename: ((from: string, to: string) => void) | undefined
  readonly readOnly: boolean
  readonly change: Change
  /** The parameters of a group. */
  readonly children: ReactNode
}

/** One parameter of a tool: its name, kind and description, with rarely used settings under "More". */
export function RowView({schema, row, at, last, readOnly, ...props}: RowViewProps) {
  const {onMove, onRename, change, children} = props
  const {name, kind, required, description, hidden} = row
  const [showsMore, setShowsMore] = useState(false)
  const parameter = isRecord(row.schema) ? row.schema : {}
  const actions: [RowAction, ComponentType, label: string, to: number, update: Parameters<Change>[0]][] = [
    ['up', ArrowUpIcon, `Move ${name} up`, at - 1, (schema) => moveRow(schema, name, -1)],
    ['down', ArrowDownIcon, `Move ${name} down`, at + 1, (schema) => moveRow(schema, name, 1)],
    ['copy', CopyIcon, `Duplicate ${name}`, at, (schema) => duplicateRow(schema, name)],
    ['remove', TrashIcon, `Remove ${name}`, at, (schema) => removeRow(schema, name)],
  ]
  return (
    <Card as="li" border data-testid={`parameter-${name}`} padding={3} radius={2}>
      <Stack gap={3}>
        <Flex align="flex-start" gap={2} wrap="wrap">
          <Box flex={2} style={{minWidth: '9em'}}>
            <DraftText
              commit={(text) => {
                const next = text.trim()
                if (renameRow(schema, name, next) === undefined)
                  return next === '' ? 'Type a name.' : 'Another parameter has this name.'
                change((schema) => renameRow(schema, name, next) ?? schema)
                onRename?.(name, next)
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
            <Choice
              label={`Kind of ${name}`}
              of={(kind === 'other' ? [kind, ...KINDS] : KINDS).map((one) => [one, KIND_TITLES[one]])}
              onChange={(value) => {
                const next = KINDS.find((known) => known === value)
                if (next === undefined) return
                change((schema) => updateRow(schema, name, (parameter) => changeKind(parameter, next)))
              }}
              readOnly={readOnly}
              testId="parameter-kind"
              value={kind}
            />
          </Box>
          <Box paddingY={3}>
            <Tick
              checked={required}
              disabled={readOnly}
              onChange={(checked) => change((schema) => requireRow(schema, name, checked))}
              testId="parameter-required"
            >
              Required
            </Tick>
          </Box>
          {!readOnly && (
            <Flex>
              {actions.map(([action, icon, label, to, update]) => (
                <Button
                  aria-label={label}
                  data-action={action}
                  disabled={to < 0 || to > last}
                  fontSize={1}
                  icon={icon}
                  key={action}
                  mode="bleed"
                  padding={3}
                  title={label}
                  onClick={() => {
                    onMove({to, action})
                    change(update)
                  }}
                />
              ))}
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
        {kind === 'group' && <Box paddingLeft={3}>{children}</Box>}
        {kind === 'other' && (
          <Muted>
            The table cannot show the values of this parameter. They stay unchanged; edit them under “JSON”.
          </Muted>
        )}
        {hidden.length > 0 && <Muted>Also set, and shown under “JSON” only: {hidden.join(', ')}.</Muted>}
        {kind !== 'other' && kind !== 'group' && (
          <Stack gap={3}>
            <SmallButton
              aria-expanded={showsMore}
              mode="bleed"
              text={showsMore ? 'Less' : 'More'}
              onClick={() => setShowsMore(!showsMore)}
            />
            {showsMore && (
              <More
                kind={kind}
                readOnly={readOnly}
                schema={parameter}
                set={(keyword, value) => change((schema) => setKeyword(schema, name, keyword, value))}
              />
            )}
          </Stack>
        )}
      </Stack>
    </Card>
  )
}
