import {Stack, Text} from '@sanity/ui'
import {type CSSProperties, type ReactNode, useId} from 'react'

type LabelledProps = {
  label: string
  /** What to know or to type, below the field. The field refers to it by `${id}-hint`. */
  hint?: string | undefined
  style?: CSSProperties
  /** Renders the field with this id. */
  children: (id: string) => ReactNode
}

/** A field with its label. */
export function Labelled({label, hint, style, children}: LabelledProps) {
  const id = useId()
  return (
    <Stack gap={3} style={style}>
      <Text as="label" htmlFor={id} size={1} weight="medium">
        {label}
      </Text>
      {children(id)}
      {hint !== undefined && (
        <Text id={`${id}-hint`} muted size={1}>
          {hint}
        </Text>
      )}
    </Stack>
  )
}
