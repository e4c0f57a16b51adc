import {AddIcon} from '@sanity/icons/Add'
import {Box, Flex, Select, Stack, TextInput} from '@sanity/ui'
import {type ArrayOfObjectsInputProps, insert, set, setIfMissing, unset} from 'sanity'
import {recordsIn} from '../../../schemas/rules/json.ts'
import {textOf} from '../../../schemas/rules/text.ts'
import {Options} from '../../parts/fields/options.tsx'
import {entryOf} from '../../parts/keyed.ts'
import {RemoveButton, SmallButton} from '../../parts/smallButton.tsx'
import {useTool} from './useTool.ts'

/** The value of a choice that stands for a fixed value. A parameter cannot have this name. */
const FIXED = ' '

type Row = {readonly _key: string; readonly name: string; readonly parameter: string; readonly value: string}

/** What a request sends, one row each: a name, and the parameter whose value it is, or what is always sent. */
export function RowsInput({value, readOnly = false, onChange, schemaType}: ArrayOfObjectsInputProps) {
  const {parameters} = useTool()
  const rows = rowsOf(value)
  const add = () => {
    const used = rows.map(({parameter}) => parameter)
    const [free] = parameters.filter((name) => !used.includes(name))
    const row = entryOf('row', free === undefined ? {name: ''} : {name: free, parameter: free})
    onChange([setIfMissing([]), insert([row], 'after', [-1])])
  }
  return (
    <Stack gap={2}>
      <Stack as="ul" gap={2}>
        {rows.map((row) => (
          <RowFields
            key={row._key}
            onSet={(member, text) =>
              onChange(
                text === '' ? unset([{_key: row._key}, member]) : set(text, [{_key: row._key}, member]),
              )
            }
            onRemove={() => onChange(unset([{_key: row._key}]))}
            parameters={parameters}
            readOnly={readOnly}
            row={row}
          />
        ))}
      </Stack>
      {!readOnly && (
        <Flex>
          <SmallButton data-testid={`add-${schemaType.name}`} icon={AddIcon} onClick={add} text="Add a row" />
        </Flex>
      )}
    </Stack>
  )
}

type RowFieldsProps = {
  row: Row
  parameters: readonly string[]
  readOnly: boolean
  onSet: (member: 'name' | 'parameter' | 'value', text: string) => void
  onRemove: () => void
}

function RowFields({row, parameters, readOnly, onSet, onRemove}: RowFieldsProps) {
  const {name, parameter, value} = row
  const names = parameter === '' || parameters.includes(parameter) ? parameters : [...parameters, parameter]
  const choose = (chosen: string) => {
    onSet('parameter', chosen === FIXED ? '' : chosen)
    if (chosen !== FIXED) onSet('value', '')
  }
  return (
    <Flex align="center" as="li" data-testid="request-row" gap={2} wrap="wrap">
      <Box flex={1} style={{minWidth: '8em'}}>
        <TextInput
          aria-label="Name"
          fontSize={1}
          onChange={(event) => onSet('name', event.currentTarget.value)}
          placeholder="name"
          readOnly={readOnly}
          value={name}
        />
      </Box>
      <Box flex={1} style={{minWidth: '8em'}}>
        <Select
          aria-label={`What is sent as “${name}”`}
          fontSize={1}
          onChange={(event) => choose(event.currentTarget.value)}
          readOnly={readOnly}
          value={parameter === '' ? FIXED : parameter}
        >
          <Options of={names.map((one) => [one, one])} />
          <option value={FIXED}>Always the same</option>
        </Select>
      </Box>
      {parameter === '' && (
        <Box flex={1} style={{minWidth: '8em'}}>
          <TextInput
            aria-label={`What is always sent as “${name}”`}
            fontSize={1}
            onChange={(event) => onSet('value', event.currentTarget.value)}
            readOnly={readOnly}
            value={value}
          />
        </Box>
      )}
      {!readOnly && <RemoveButton label={`Remove the row “${name}”`} onClick={onRemove} />}
    </Flex>
  )
}

function rowsOf(value: unknown): Row[] {
  return recordsIn(value).flatMap(({_key, name, parameter, value}) =>
    typeof _key === 'string'
      ? [{_key, name: textOf(name), parameter: textOf(parameter), value: textOf(value)}]
      : [],
  )
}
