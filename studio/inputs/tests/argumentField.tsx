import {Stack, TextArea, TextInput} from '@sanity/ui'
import {isRecord} from '../../../schemas/record.ts'
import {parseJson} from '../../../schemas/rules/json.ts'
import {kindOf, type ParameterSchema} from '../../../schemas/rules/jsonSchema/parameterKind.ts'
import {argumentsOf} from '../../../verdicts/arguments.ts'
import {typed} from '../../../verdicts/proposals.ts'
import {Choice} from '../../parts/fields.tsx'
import {Muted} from '../../parts/layout.tsx'

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
  const {enum: listed, description, properties}: ParameterSchema = isRecord(schema) ? schema : {}
  const set = (text: string) => change(text === '' ? undefined : text)
  const texts: unknown[] = Array.isArray(listed) ? listed : []
  const field = {
    'aria-label': `Argument ${name}`,
    fontSize: 1,
    readOnly,
    value: value ?? '',
    placeholder: value === '' ? 'An empty text' : PLACEHOLDERS[kind],
    title: typeof description === 'string' ? description : undefined,
    onChange: ({currentTarget}: {currentTarget: {value: string}}) => set(currentTarget.value),
  }
  const choices = (offered: readonly (readonly [value: string, title: string])[]) => {
    const isOther = field.value !== '' && !offered.some(([one]) => one === field.value)
    return (
      <Choice
        label={field['aria-label']}
        of={[['', 'Not passed'], ...offered, ...(isOther ? [[field.value, field.value] as const] : [])]}
        onChange={set}
        readOnly={readOnly}
        value={field.value}
      />
    )
  }
  switch (kind) {
    case 'boolean':
      return choices([
        ['true', 'Yes'],
        ['false', 'No'],
      ])
    case 'choice':
      return choices(texts.map((one) => [String(one), String(one)]))
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
