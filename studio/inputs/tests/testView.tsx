import {Card, Flex, Stack} from '@sanity/ui'
import {useState} from 'react'
import {type FormPatch, set, unset} from 'sanity'
import {isRecord} from '../../../schemas/record.ts'
import type {ParameterSchema} from '../../../schemas/rules/jsonSchema/parameterKind.ts'
import {parseTests, SIGNED_OUT} from '../../../schemas/rules/tests/toolTests.ts'
import {describeTest} from '../../../schemas/rules/tests/words.ts'
import type {Proposal} from '../../../verdicts/proposals.ts'
import {Field} from '../../parts/fields.tsx'
import {entryOf} from '../../parts/keyed.ts'
import {Muted, RemoveButton, SmallButton, Strong} from '../../parts/layout.tsx'
import {addition, textPatch} from '../patches.ts'
import {ArgumentField} from './argumentField.tsx'
import {Expectations} from './expectations.tsx'
import type {TestRow} from './rows.ts'

type Props = {
  readonly test: TestRow
  readonly parameters: ParameterSchema
  /** Pages, and parts of the result, to suggest. */
  readonly pages: readonly string[]
  readonly parts: readonly string[]
  readonly proposals: () => readonly Proposal[]
  readonly isOpen: boolean
  readonly readOnly: boolean
  readonly toggle: () => void
  readonly remove: () => void
  readonly propose: (proposal: Proposal) => void
  /** Paths begin in the test. */
  readonly change: (...patches: FormPatch[]) => void
}

/** One test: a line that says what it does, and its fields once it is opened. */
export function TestView({test, isOpen, readOnly, toggle, remove, ...props}: Props) {
  const parsed = parseTests([
    {...test, visitor: test.visitor || undefined, arguments: test.given, prompt: undefined},
  ])
  const [complete] = parsed.ok ? parsed.value : []
  const title = titleOf(test)
  return (
    <Card as="li" border data-testid="tool-test" padding={2} radius={2}>
      <Stack gap={3}>
        <Flex align="center" gap={2}>
          <Stack flex={1} gap={2} paddingX={1}>
            <Strong>{title}</Strong>
            <Muted>{complete === undefined ? `${test.page}: not complete` : describeTest(complete)}</Muted>
          </Stack>
          <SmallButton
            aria-expanded={isOpen}
            aria-label={`${isOpen ? 'Close' : 'Open'} the test “${title}”`}
            mode="bleed"
            onClick={toggle}
            text={isOpen ? 'Close' : 'Open'}
          />
          {!readOnly && <RemoveButton label={`Remove the test “${title}”`} onClick={remove} />}
        </Flex>
        {isOpen && <TestFields readOnly={readOnly} test={test} {...props} />}
      </Stack>
    </Card>
  )
}

function titleOf({title}: TestRow): string {
  return title === '' ? 'Test without a title' : title
}

type FieldsProps = Omit<Props, 'isOpen' | 'toggle' | 'remove'>

function TestFields({test, parameters, pages, parts, proposals, propose, readOnly, change}: FieldsProps) {
  const text = (name: 'title' | 'page' | 'visitor' | 'prompt') => ({
    readOnly,
    value: test[name],
    onChange: (value: string) => change(textPatch([name], value)),
  })
  const properties = isRecord(parameters.properties) ? parameters.properties : {}
  const required: unknown[] = Array.isArray(parameters.required) ? parameters.required : []
  // An argument whose parameter has gone is still passed.
  const names = new Set([...Object.keys(properties), ...test.given.map(({name}) => name)])
  return (
    <Stack aria-label={`Test “${titleOf(test)}”`} gap={3} padding={1} role="group">
      <Field label="Title" {...text('title')} />
      <Field label="Page" suggestions={pages} {...text('page')} />
      <Field
        label="Visitor, if it matters who opens the page"
        placeholder={SIGNED_OUT}
        {...text('visitor')}
      />
      {[...names].map((name) => (
        <Stack gap={2} key={name}>
          <Muted>
            {labelOf(name, properties)}
            {required.includes(name) ? ' (required)' : ''}
          </Muted>
          <ArgumentField
            change={(value) => change(...patchArgument(test, name, value))}
            name={name}
            readOnly={readOnly}
            schema={Object.hasOwn(properties, name) ? properties[name] : {}}
            value={test.given.find((one) => one.name === name)?.value}
          />
        </Stack>
      ))}
      <Stack gap={2}>
        <Muted>Expected. Without any, the call only has to succeed.</Muted>
        <Expectations change={change} parts={parts} readOnly={readOnly} rows={test.expect} />
      </Stack>
      <Field
        label="Prompt, only for evaluations with a model"
        placeholder="Do you have ropes?"
        {...text('prompt')}
      />
      {!readOnly && <Proposals propose={propose} proposals={proposals} />}
    </Stack>
  )
}

function labelOf(name: string, properties: Readonly<Record<string, unknown>>): string {
  if (!Object.hasOwn(properties, name)) return `${name} (not a parameter of the tool)`
  const schema = properties[name]
  return isRecord(schema) && typeof schema.title === 'string' ? `${schema.title} (${name})` : name
}

function patchArgument({given}: TestRow, name: string, value: string | undefined): FormPatch[] {
  const row = given.find((one) => one.name === name)
  if (row !== undefined) {
    const path = ['arguments', {_key: row._key}]
    return [value === undefined ? unset(path) : set(value, [...path, 'value'])]
  }
  return value === undefined ? [] : addition(['arguments'], entryOf('argument', {name, value}))
}

function Proposals({proposals, propose}: Pick<Props, 'proposals' | 'propose'>) {
  const [isOpen, setIsOpen] = useState(false)
  const shown = isOpen ? proposals() : []
  return (
    <Stack gap={2}>
      <SmallButton aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)} text="Test with another input" />
      {isOpen && shown.length === 0 && (
        <Muted>There is no other input to propose. Give the parameters limits, choices or examples.</Muted>
      )}
      {shown.length > 0 && (
        <Flex gap={2} wrap="wrap">
          {shown.map((proposal) => (
            <SmallButton
              key={proposal.title}
              mode="bleed"
              onClick={() => propose(proposal)}
              text={proposal.isRefused ? `${proposal.title}: must fail` : proposal.title}
            />
          ))}
        </Flex>
      )}
    </Stack>
  )
}
