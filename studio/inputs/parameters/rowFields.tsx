import {makePatches} from '@sanity/diff-match-patch'
import {Box, Flex, Stack, Text, TextInput} from '@sanity/ui'
import {type KeyboardEvent, useEffect, useId, useRef, useState} from 'react'
import {mergePatches} from '../../../common/text/mergePatches.ts'
import type {Kind, ParameterSchema} from '../../../schemas/rules/jsonSchema/parameterKind.ts'
import {Muted} from '../../parts/note.tsx'
import {useKeptCaret} from '../../saving/keptCaret.ts'
import {DEFINITIONS, MORE_TITLES} from '../parameterKinds.ts'
import {readNumber, readValue, readValues, showValue} from './values.ts'

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

type MoreProps = {
  readonly kind: Exclude<Kind, 'other'>
  readonly schema: ParameterSchema
  readonly readOnly: boolean
  readonly set: (keyword: string, value: unknown) => void
}

/** Limits, the default and examples of a parameter. */
export function More({kind, schema, readOnly, set}: MoreProps) {
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
