import {Stack, Text, TextInput} from '@sanity/ui'
import {useId} from 'react'

type PathFieldProps = {
  path: string
  /** Suggestions. */
  paths: readonly string[]
  /** What to type. */
  hint: string
  onChange: (path: string) => void
}

/** A text field for the path of a page, which suggests paths of the site. */
export function PathField({path, paths, hint, onChange}: PathFieldProps) {
  const id = useId()
  return (
    <Stack gap={3}>
      <Text as="label" htmlFor={id} size={1} weight="medium">
        Page
      </Text>
      <TextInput
        data-testid="page-path"
        id={id}
        list={`${id}-paths`}
        onChange={(event) => onChange(event.currentTarget.value)}
        placeholder="/"
        spellCheck={false}
        value={path}
      />
      <datalist id={`${id}-paths`}>
        {paths.map((known) => (
          <option key={known} value={known} />
        ))}
      </datalist>
      <Text muted size={1}>
        {hint}
      </Text>
    </Stack>
  )
}
