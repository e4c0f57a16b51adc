import {Box, Flex, Stack, TextInput} from '@sanity/ui'
import {useState} from 'react'
import {type ArrayOfObjectsInputProps, unset} from 'sanity'
import {type Fields, recordsIn} from '../../../schemas/record.ts'
import {textOf} from '../../../schemas/rules/text.ts'
import {Choice} from '../../parts/fields.tsx'
import {entryOf} from '../../parts/keyed.ts'
import {AddButton, RemoveButton} from '../../parts/layout.tsx'
import {addition, textPatch} from '../patches.ts'
import {useTool} from './useTool.ts'

const FIELDS = {
  name: {label: 'Name', placeholder: 'name'},
  value: {label: 'What is always sent as', placeholder: ''},
  selector: {label: 'Element that has', placeholder: 'meta[name=csrf-token]'},
  attribute: {label: 'Attribute that has', placeholder: 'content'},
  cookie: {label: 'Cookie that has', placeholder: 'csrftoken'},
  member: {label: 'Place in the text of', placeholder: 'place in the text'},
} as const
type Field = keyof typeof FIELDS

type Source = {readonly name: string; readonly title: string; readonly fields: readonly Field[]}

/** What a row may send instead of a parameter, with the fields for it. No parameter has such a name. */
const FIXED: Source = {name: ' fixed', title: 'Always the same', fields: ['value']}
const SOURCES: readonly Source[] = [
  FIXED,
  {name: ' element', title: 'From an element of the page', fields: ['selector', 'attribute']},
  {name: ' cookie', title: 'From a cookie of the page', fields: ['cookie']},
]

/** What a request sends, one row each: a name, and the parameter whose value it is, what is always sent, or where it is on the page. */
export function RowsInput({value, readOnly = false, onChange, path}: ArrayOfObjectsInputProps) {
  const {parameters} = useTool()
  const rows = recordsIn(value)
  const list = textOf(path.at(-1))
  // A header is sent in each call.
  const offered = list === 'headers' ? [] : parameters
  const add = () => {
    const used = rows.map(({parameter}) => parameter)
    const [free] = offered.filter((name) => !used.includes(name))
    const row = entryOf('row', free === undefined ? {name: ''} : {name: free, parameter: free})
    onChange(addition([], row))
  }
  return (
    <Stack gap={2}>
      <Stack as="ul" gap={2}>
        {rows.map((row) => {
          const place = {_key: textOf(row._key)}
          return (
            <RowFields
              key={place._key}
              onSet={(member, text) => onChange(textPatch([place, member], text))}
              onRemove={() => onChange(unset([place]))}
              parameters={offered}
              readOnly={readOnly}
              row={row}
            />
          )
        })}
      </Stack>
      {!readOnly && <AddButton onClick={add} testId={`add-${list}`} text="Add a row" />}
    </Stack>
  )
}

type RowFieldsProps = {
  row: Fields
  parameters: readonly string[]
  readOnly: boolean
  onSet: (member: Field | 'parameter', text: string) => void
  onRemove: () => void
}

function RowFields({row, parameters, readOnly, onSet, onRemove}: RowFieldsProps) {
  const parameter = textOf(row.parameter)
  const names = parameter === '' || parameters.includes(parameter) ? parameters : [...parameters, parameter]
  const [chosen, setChosen] = useState(FIXED)
  const isWritten = (field: Field) => textOf(row[field]) !== ''
  const written = SOURCES.findLast(({fields}) => fields.some(isWritten))
  const source = parameter === '' ? (written ?? chosen) : undefined
  const choose = (next: string) => {
    const found = SOURCES.find(({name}) => name === next)
    if (found) setChosen(found)
    onSet('parameter', found ? '' : next)
    for (const field of SOURCES.flatMap(({fields}) => fields).filter(isWritten)) onSet(field, '')
  }
  return (
    <Flex align="center" as="li" data-testid="request-row" gap={2} wrap="wrap">
      <RowText field="name" {...{row, readOnly, onSet}} />
      {textOf(row.inside) !== '' && <RowText field="member" {...{row, readOnly, onSet}} />}
      <Box flex={1} style={{minWidth: '8em'}}>
        <Choice
          label={`What is sent as “${titleOf(row)}”`}
          of={[
            ...names.map((one) => [one, one] as const),
            ...SOURCES.map(({name, title}) => [name, title] as const),
          ]}
          onChange={choose}
          readOnly={readOnly}
          value={source?.name ?? parameter}
        />
      </Box>
      {source?.fields.map((field) => (
        <RowText key={field} {...{field, row, readOnly, onSet}} />
      ))}
      {!readOnly && <RemoveButton label={`Remove the row “${titleOf(row)}”`} onClick={onRemove} />}
    </Flex>
  )
}

type RowTextProps = Pick<RowFieldsProps, 'row' | 'readOnly' | 'onSet'> & {field: Field}

function RowText({field, row, readOnly, onSet}: RowTextProps) {
  const {label, placeholder} = FIELDS[field]
  return (
    <Box flex={1} style={{minWidth: '8em'}}>
      <TextInput
        aria-label={field === 'name' ? label : `${label} “${titleOf(row)}”`}
        fontSize={1}
        onChange={(event) => onSet(field, event.currentTarget.value)}
        placeholder={placeholder}
        readOnly={readOnly}
        value={textOf(row[field])}
      />
    </Box>
  )
}

function titleOf({name, member}: Fields): string {
  return textOf(member) || textOf(name)
}
