import {Checkbox, Flex, Text} from '@sanity/ui'
import type {ReactNode} from 'react'

type TickProps = {
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
  testId?: string
  /** The label. */
  children: ReactNode
}

/** A box to tick, with its label. */
export function Tick({checked, onChange, disabled, testId, children}: TickProps) {
  return (
    <Flex align="center" as="label" gap={2}>
      <Checkbox
        checked={checked}
        data-testid={testId}
        disabled={disabled}
        onChange={({currentTarget}) => onChange(currentTarget.checked)}
      />
      <Text size={1}>{children}</Text>
    </Flex>
  )
}
