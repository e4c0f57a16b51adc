import {makePatches} from '@sanity/diff-match-patch'
import {Box, Flex, Select, Stack, Text, TextInput} from '@sanity/ui'
import {type KeyboardEvent, useEffect, useId, useRef, useState} from 'react'
import {mergePatches} from '../../../common/text/mergePatches.ts'
import {isRecord} from '../../../schemas/rules/json.ts'
import {KINDS, type Kind} from '../../../schemas/rules/jsonSchema/parameterKind.ts'
import {Options} from '../../parts/fields/options.tsx'
import {Muted} from '../../parts/note.tsx'
import {useKeptCaret} from '../../saving/keptCaret.ts'
import {DEFINITIONS, KIND_TITLES} from '../parameterKinds.ts'
import {readNumber, readValue, readValues, showValue} from './values.ts'

const LIMIT_TITLES: Readonly<Record<string, string>> = {
  minLength: 'Minimum length',
  maxLength: 'Maximum length',
  pattern: 'Pattern (regular expression)',
  minimum: 'Minimum',
  maximum: 'Maximum',
  minItems: 'Minimum number of entries',
  maxItems: 'Maximum number of entries',
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
export function DraftText({label, value, readOnly, placeholder, testId, commit}: DraftTextProps) {
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

type KindSelectProps = {
  readonly name: string
  readonly kind: Kind
  readonly readOnly: boolean
  readonly change: (kind: Exclude<Kind, 'other'>) => void
}

/** Selects the type of a parameter's value. */
export function KindSelect({name, kind, readOnly, change}: KindSelectProps) {
  return (
    <Select
      aria-label={`Kind of ${name}`}
      data-testid="parameter-kind"
      disabled={readOnly}
      fontSize={1}
      value={kind}
      onChange={(event) => {
        const chosen = KINDS.find((known) => known === event.currentTarget.value)
        if (chosen !== undefined) change(chosen)
      }}
    >
      {kind === 'other' && <option value="other">{KIND_TITLES.other}</option>}
      <Options of={KINDS.map((known) => [known, KIND_TITLES[known]])} />
    </Select>
  )
}

type MoreProps = {
  readonly kind: Exclude<Kind, 'other'>
  readonly schema: unknown
  readonly readOnly: boolean
  readonly set: (keyword: string, value: unknown) => void
}

/** Limits, the default and examples of a parameter. */
export function More({kind, schema, readOnly, set}: MoreProps) {
  const parameter = isRecord(schema) ? schema : {}
  const fields = [
    ...DEFINITIONS[kind].limits.map(({keyword, value}) => ({
      keyword,
      title: LIMIT_TITLES[keyword] ?? keyword,
      read: (text: string) => (value === 'number' ? readNumber(text) : text),
    })),
    ...DEFINITIONS[kind].values.map((keyword) => ({
      keyword,
      title: keyword === 'default' ? 'Default value' : 'Examples, separated by commas',
      read: (text: string) => (keyword === 'default' ? readValue(kind, text) : readValues(kind, text)),
    })),
  ]
  if (fields.length === 0) return null
  return (
    <Stack gap={3}>
      {fields.map(({keyword, title, read}) => (
        <Flex align="center" gap={3} key={keyword} wrap="wrap">
          <Box flex={1} style={{minWidth: '12em'}}>
            <Muted>{title}</Muted>
          </Box>
          <Box flex={2}>
            <DraftText
              commit={(text) => {
                const value = text.trim() === '' ? undefined : read(text.trim())
                if (value === undefined && text.trim() !== '')
                  return kind === 'boolean' ? 'Type yes or no.' : 'Type a number, such as 3 or 0.5.'
                set(keyword, value)
                return undefined
              }}
              label={title}
              readOnly={readOnly}
              value={showValue(parameter[keyword])}
            />
          </Box>
        </Flex>
      ))}
    </Stack>
  )
}
