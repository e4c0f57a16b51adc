import {Box, Flex, Stack, TextInput} from '@sanity/ui'
import {useId} from 'react'
import {type FormPatch, unset} from 'sanity'
import {fieldsOf} from '../../../schemas/rules/tests/toolTests.ts'
import {KIND_TITLES} from '../../../schemas/rules/tests/words.ts'
import {Choice, Suggestions} from '../../parts/fields.tsx'
import {entryOf} from '../../parts/keyed.ts'
import {AddButton, RemoveButton} from '../../parts/layout.tsx'
import {addition, textPatch} from '../patches.ts'
import type {ExpectationRow} from './rows.ts'

type Props = {
  readonly rows: readonly ExpectationRow[]
  /** Parts of the result to suggest. */
  readonly parts: readonly string[]
  readonly readOnly: boolean
  /** Paths begin in the test. */
  readonly change: (...patches: FormPatch[]) => void
}

const VALUES: Readonly<Record<string, string>> = {
  fails: 'Words of the message',
  contains: 'Such as Rope',
  atLeast: 'A number, such as 1',
  goesTo: 'A page, such as /cart',
}

/** What a test expects, one row each: a choice in words, and what it needs. */
export function Expectations({rows, parts, readOnly, change}: Props) {
  const list = useId()
  const add = () => change(...addition(['expect'], entryOf('expectation', {kind: 'contains'})))
  return (
    <Stack gap={2}>
      <Suggestions id={list} of={parts} />
      {rows.length > 0 && (
        <Stack as="ul" gap={2}>
          {rows.map((row) => (
            <ExpectationFields
              key={row._key}
              list={list}
              readOnly={readOnly}
              remove={() => change(unset(['expect', {_key: row._key}]))}
              row={row}
              set={(field, text) => change(textPatch(['expect', {_key: row._key}, field], text))}
            />
          ))}
        </Stack>
      )}
      {!readOnly && <AddButton onClick={add} text="Add what is expected" />}
    </Stack>
  )
}

type RowProps = {
  readonly row: ExpectationRow
  /** The `id` of a list of parts of the result. */
  readonly list: string
  readonly readOnly: boolean
  readonly set: (field: 'kind' | 'member' | 'value', text: string) => void
  readonly remove: () => void
}

function ExpectationFields({row: {kind, member, value}, list, readOnly, set, remove}: RowProps) {
  const used = fieldsOf(kind)
  return (
    <Flex align="center" as="li" data-testid="expectation" gap={2} wrap="wrap">
      <Box flex={2} style={{minWidth: '12em'}}>
        <Choice
          label="What is expected"
          of={Object.entries(KIND_TITLES)}
          onChange={(chosen) => set('kind', chosen)}
          readOnly={readOnly}
          value={kind}
        />
      </Box>
      {used.some((field) => field.startsWith('member')) && (
        <Box flex={2} style={{minWidth: '10em'}}>
          <TextInput
            aria-label="Part of the result"
            fontSize={1}
            list={list}
            onChange={({currentTarget}) => set('member', currentTarget.value)}
            placeholder={used.includes('member') ? 'Part, such as title' : 'The whole result, or a part'}
            readOnly={readOnly}
            title="Such as “title”, or “products[0].name”: the name of the first product"
            value={member}
          />
        </Box>
      )}
      {used.some((field) => field.startsWith('value')) && (
        <Box flex={2} style={{minWidth: '10em'}}>
          <TextInput
            aria-label="Value"
            fontSize={1}
            onChange={({currentTarget}) => set('value', currentTarget.value)}
            placeholder={VALUES[kind]}
            readOnly={readOnly}
            value={value}
          />
        </Box>
      )}
      {!readOnly && <RemoveButton label="Remove what is expected" onClick={remove} />}
    </Flex>
  )
}
