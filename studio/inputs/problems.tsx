import {ErrorOutlineIcon} from '@sanity/icons/ErrorOutline'
import {InfoOutlineIcon} from '@sanity/icons/InfoOutline'
import {WarningOutlineIcon} from '@sanity/icons/WarningOutline'
import {Card, Flex, Stack, Text} from '@sanity/ui'
import type {InputProps} from 'sanity'
import {fixed} from '../../advice/fix.ts'
import {adviseDocument} from '../../advice/tool.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {SmallButton} from '../parts/layout.tsx'
import {useFormDocument} from '../parts/useFormDocument.ts'

type Problem = InputProps['validation'][number]

const ICONS = {error: ErrorOutlineIcon, warning: WarningOutlineIcon, info: InfoOutlineIcon}
const TONES = {error: 'critical', warning: 'caution', info: 'default'} as const

/** The problems of a field as text below it, readable without hovering over an icon. */
export function Problems({problems, readOnly}: {problems: readonly Problem[]; readOnly: boolean}) {
  // The form itself marks required fields that are empty. A message before the editor has typed anything
  // would only be alarming.
  const shown = problems.filter(({message}) => message !== '')
  if (shown.length === 0) return null
  return (
    <Stack as="ul" aria-live="polite" gap={2} paddingTop={3}>
      {shown.map(({level, message}) => {
        const Icon = ICONS[level]
        return (
          <Card
            as="li"
            data-testid={`problem-${level}`}
            key={message}
            padding={2}
            radius={2}
            tone={TONES[level]}
          >
            <Flex gap={2}>
              <Text size={1}>
                <Icon />
              </Text>
              <Stack gap={2}>
                <Text size={1}>{message}</Text>
                {level === 'warning' && !readOnly && (
                  <Flex>
                    <FixButton message={message} />
                  </Flex>
                )}
              </Stack>
            </Flex>
          </Card>
        )
      })}
    </Stack>
  )
}

/** A button that does what a piece of advice says, where there is one right answer. */
function FixButton({message}: {message: string}) {
  const {document, isReady, change} = useFormDocument()
  const advice = adviseDocument(textOf(document._type), document).find((one) => one.message === message)
  const fields = advice && fixed(advice, document)
  if (fields === undefined) return null
  const {field, value} = fields
  return (
    <SmallButton
      data-testid="fix"
      disabled={!isReady}
      onClick={() => change({[field]: value})}
      text={advice?.fix?.title}
    />
  )
}
