import {makePatches} from '@sanity/diff-match-patch'
import {Box, Card, Flex, Stack, Text, TextInput} from '@sanity/ui'
import {type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState} from 'react'
import {mergePatches} from '../../../common/text/mergePatches.ts'
import {isRecord} from '../../../schemas/record.ts'
import {
  KIND_TITLES,
  KINDS,
  type Kind,
  type ParameterSchema,
} from '../../../schemas/rules/jsonSchema/parameterKind.ts'
import {Choice, Tick} from '../../parts/fields.tsx'
import {Muted, RemoveButton, SmallButton} from '../../parts/layout.tsx'
import {useKeptCaret} from '../../saving/keptCaret.ts'
import {changeKind, DEFINITIONS, MORE_TITLES} from '../parameterKinds.ts'
import {type Change, type Row, renameRow, requireRow, setKeyword, updateRow} from './table.ts'
import {readNumber, readTexts, readValue, readValues, showValue} from './values.ts'

type RowViewProps = {
  readonly schema: ParameterSchema
  readonly row: Row
  readonly remove: () => void
  readonly onRename: ((from: string, to: string) => void) | undefined
  readonly readOnly: boolean
  readonly change: Change
  /** The parameters of a group. */
  readonly children: ReactNode
}

/** One parameter of a tool: its name, kind and description, with rarely used settings under "More". */
export function RowView({schema, row, readOnly, ...props}: RowViewProps) {
  const {remove, onRename, change, children} = props
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
          {!readOnly && <RemoveButton label={`Remove ${name}`} onClick={remove} />}
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

type DraftTextProps = {
  readonly label: string
  readonly value: string
  readonly readOnly: boolean
  readonly placeholder?: string
  readonly testId?: string
  /**
   * Called with the text when the editor leaves the field or presses Enter. Returns a message to reject it.
   */
  readonly commit: (text: string) => string | undefined
}

/**
 * A text field that commits when the editor leaves it, so that a partly typed name is never used. What others change
 * meanwhile is merged with what was typed.
 */
function DraftText({label, value, readOnly, placeholder, testId, commit}: DraftTextProps) {
  const [text, setText] = useState(value)
  const [problem, setProblem] = useState<string>()
  const problemId = useId()
  const before = useRef(value)
  useEffect(() => {
    const changes = makePatches(before.current, value)
    before.current = value
    setText((typed) => mergePatches(changes, typed))
  }, [value])
  useKeptCaret()
  const finish = () => {
    const rejected = text === value ? undefined : commit(text)
    setProblem(rejected)
    // The form may have it in other words.
    if (rejected === undefined) before.current = text
  }
  return (
    <Stack gap={2}>
      <TextInput
        aria-describedby={problem === undefined ? undefined : problemId}
        aria-invalid={problem !== undefined}
        aria-label={label}
        data-testid={testId}
        fontSize={1}
        placeholder={placeholder}
        readOnly={readOnly}
        value={text}
        onBlur={finish}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key === 'Enter') finish()
        }}
      />
      {problem !== undefined && (
        <Text id={problemId} role="alert" size={1} style={{color: 'var(--card-badge-critical-fg-color)'}}>
          {problem}
        </Text>
      )}
    </Stack>
  )
}

type MoreProps = {
  readonly kind: Exclude<Kind, 'other'>
  readonly schema: ParameterSchema
  readonly readOnly: boolean
  readonly set: (keyword: string, value: unknown) => void
}

/** Limits, the default and examples of a parameter. */
function More({kind, schema, readOnly, set}: MoreProps) {
  return (
    <Stack gap={3}>
      {DEFINITIONS[kind].more.map((keyword) => (
        <Flex align="center" gap={3} key={keyword} wrap="wrap">
          <Box flex={1} style={{minWidth: '12em'}}>
            <Muted>{MORE_TITLES[keyword]}</Muted>
          </Box>
          <Box flex={2}>
            <DraftText
              commit={(text) => {
                const value = text.trim() === '' ? undefined : readMore(keyword, kind, text.trim())
                if (value === undefined && text.trim() !== '')
                  return kind === 'boolean' ? 'Type yes or no.' : 'Type a number, such as 3 or 0.5.'
                set(keyword, value)
                return undefined
              }}
              label={MORE_TITLES[keyword]}
              readOnly={readOnly}
              value={showValue(schema[keyword])}
            />
          </Box>
        </Flex>
      ))}
    </Stack>
  )
}

/** Undefined: the text is no such value. */
function readMore(keyword: keyof typeof MORE_TITLES, kind: Kind, text: string): unknown {
  if (keyword === 'default') return readValue(kind, text)
  if (keyword === 'examples') return readValues(kind, text)
  return keyword === 'pattern' ? text : readNumber(text)
}
