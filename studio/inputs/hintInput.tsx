import {Stack, Text} from '@sanity/ui'
import type {StringInputProps} from 'sanity'
import {explainHint} from '../../advice/explainHint.ts'
import type {Hint} from '../../schemas/rules/hints/annotations.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {useFormDocument} from '../parts/useFormDocument.ts'

/** The choice for a hint. Below it stands what Auto comes to for the tool as it is. */
export function HintInput({hint, ...props}: StringInputProps & {hint: Hint}) {
  const {name, action, request} = useFormDocument().document
  const isAuto = props.value === undefined || props.value === 'auto'
  return (
    <Stack gap={3}>
      {props.renderDefault(props)}
      {isAuto && (
        <Text aria-live="polite" as="p" data-testid={`auto-${hint}`} muted size={1}>
          {explainHint(hint, textOf(name), {action, request})}
        </Text>
      )}
    </Stack>
  )
}
