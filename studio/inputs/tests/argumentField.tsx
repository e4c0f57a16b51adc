import {Select, Stack, TextArea, TextInput} from '@sanity/ui'
import {isRecord, parseJson} from '../../../schemas/rules/json.ts'
import {kindOf, type ParameterSchema} from '../../../schemas/rules/jsonSchema/parameterKind.ts'
import {argumentsOf} from '../../../schemas/tests/arguments.ts'
import {typed} from '../../../schemas/tests/proposals.ts'
import {Options} from '../../parts/fields/options.tsx'
import {Muted} from '../../parts/note.tsx'

type Props = {
  readonly name: string
  readonly schema: unknown
  /** As an editor typed it. Undefined: the call does not have the argument. */
  readonly value: string | undefined
  readonly readOnly: boolean
  /** Undefined removes the argument. */
  readonly change: (value: string | undefined) => void
}

const PLACEHOLDERS: Readonly<Record<string, string>> = {
  number: 'A number, such as 0.5',
  integer: 'A whole number, such as 3',
  date: 'A date, such as 2026-12-31',
  texts: 'One entry in each line',
  other: 'JSON',
}

/** An argument of a call: a field of its parameter's kind. Accepts other values, too: a tool must refuse them. */
export function ArgumentField({name, schema, value, readOnly, change}: Props) {
  const kind = kindOf(schema)
  const {enum: choices, description, properties}: ParameterSchema = isRecord(schema) ? schema : {}
  const texts: unknown[] = Array.isArray(choices) ? choices : []
  const field = {
    'aria-label': `Argument ${name}`,
    fontSize: 1,
    readOnly,
    value: value ?? '',
    placeholder: value === '' ? 'An empty text' : PLACEHOLDERS[kind],
    title: typeof description === 'string' ? description : undefined,
    onChange: ({currentTarget}: {currentTarget: {value: string}}) =>
      change(currentTarget.value === '' ? undefined : currentTarget.value),
  }
  switch (kind) {
    case 'boolean':
      return <Choices {...field} options={{true: 'Yes', false: 'No'}} />
    case 'choice':
      return <Choices {...field} options={Object.fromEntries(texts.map((one) => [one, String(one)]))} />
    case 'texts':
      return <TextArea {...field} rows={2} />
    case 'other':
      return isRecord(schema) && schema.type !== undefined ? (
        <TextArea {...field} rows={2} />
      ) : (
        <TextInput {...field} placeholder="" />
      )
    case 'group':
      return (
        <Group
          change={change}
          name={name}
          properties={isRecord(properties) ? properties : {}}
          readOnly={readOnly}
          value={value}
        />
      )
    default:
      return <TextInput {...field} />
  }
}

type ChoicesProps = {
  readonly options: Readonly<Record<string, string>>
  readonly value: string
  readonly readOnly: boolean
  readonly placeholder: string | undefined
  readonly onChange: (event: {currentTarget: {value: string}}) => void
}

function Choices({options, value, readOnly, placeholder: _, ...field}: ChoicesProps) {
  return (
    <Select {...field} disabled={readOnly} value={value}>
      <option value="">Not passed</option>
      <Options of={Object.entries(options)} />
      {value !== '' && !Object.hasOwn(options, value) && <option value={value}>{value}</option>}
    </Select>
  )
}

type GroupProps = Omit<Props, 'schema'> & {readonly properties: Readonly<Record<string, unknown>>}

/** The members of a group. They are kept as one value. */
function Group({name, properties, value, readOnly, change}: GroupProps) {
  const parsed = parseJson(value ?? '{}', name)
  const members = parsed.ok && isRecord(parsed.value) ? parsed.value : {}
  const set = (member: string, text: string | undefined) => {
    const {[member]: _, ...rest} = members
    const added = text === undefined ? {} : argumentsOf([{name: member, value: text}], {properties})
    const next = {...rest, ...added}
    change(Object.keys(next).length === 0 ? undefined : JSON.stringify(next))
  }
  return (
    <Stack gap={2} paddingLeft={3}>
      {Object.entries(properties).map(([member, schema]) => (
        <Stack gap={2} key={member}>
          <Muted>{member}</Muted>
          <ArgumentField
            change={(text) => set(member, text)}
            name={`${name}.${member}`}
            readOnly={readOnly}
            schema={schema}
            value={Object.hasOwn(members, member) ? typed(members[member]) : undefined}
          />
        </Stack>
      ))}
    </Stack>
  )
}
