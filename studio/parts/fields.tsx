import {Checkbox, Flex, Select, Stack, Text, TextArea, TextInput} from '@sanity/ui'
import {type CSSProperties, type ReactNode, useId, useState} from 'react'
import type {Parsed} from '../../schemas/rules/parsed.ts'
import type {TypedPage} from '../../schemas/rules/paths/page.ts'
import {Note} from './layout.tsx'

export type ChoiceProps = {
  /** The accessible name. Undefined: a label has the {@link id}. */
  label?: string
  id?: string
  /** What to choose from, by value and title. */
  of: readonly (readonly [value: string, title: string])[]
  value: string
  onChange: (value: string) => void
  readOnly?: boolean
  testId?: string | undefined
}

/** A list to choose from. */
export function Choice({label, id, of, value, onChange, readOnly = false, testId}: ChoiceProps) {
  return (
    <Select
      aria-label={label}
      data-testid={testId}
      fontSize={1}
      id={id}
      onChange={({currentTarget}) => onChange(currentTarget.value)}
      readOnly={readOnly}
      value={value}
    >
      <Options of={of} />
    </Select>
  )
}

type FieldProps = {
  label: string
  hint?: string
  type?: 'text' | 'email' | 'password'
  autoComplete?: 'off' | 'current-password' | 'new-password'
  maxLength?: number
  placeholder?: string
  readOnly?: boolean
  /** Of a field for several lines. */
  rows?: number
  spellCheck?: boolean
  suggestions?: readonly string[]
  testId?: string
  value: string
  onChange: (value: string) => void
}

/** A text field with its label. */
export function Field({
  label,
  hint,
  onChange,
  rows,
  suggestions = [],
  testId,
  type = 'text',
  ...props
}: FieldProps) {
  return (
    <Labelled hint={hint} label={label}>
      {(id) => {
        const field = {
          'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
          autoComplete: 'off',
          'data-testid': testId,
          fontSize: 1,
          id,
          onChange: ({currentTarget}: {currentTarget: {value: string}}) => onChange(currentTarget.value),
          ...props,
        }
        if (rows !== undefined) return <TextArea rows={rows} {...field} />
        return (
          <>
            <TextInput list={`${id}-list`} type={type} {...field} />
            <Suggestions id={`${id}-list`} of={suggestions} />
          </>
        )
      }}
    </Labelled>
  )
}

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

/** The options of a list to choose from, by value and title. */
function Options({of}: {of: readonly (readonly [value: string, title: string])[]}) {
  return of.map(([value, title]) => (
    <option key={value} value={value}>
      {title}
    </option>
  ))
}

/** What a text field suggests that has this as its `list`. */
export function Suggestions({id, of}: {id: string; of: readonly string[]}) {
  return (
    <datalist id={id}>
      {of.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  )
}

/** A list to choose from, with its label. Several stand in one line if there is room. */
export function SelectField({label, ...choice}: Omit<ChoiceProps, 'id'> & {label: string}) {
  return (
    <Labelled label={label} style={{flex: 1, minWidth: '12em'}}>
      {(id) => <Choice {...choice} id={id} />}
    </Labelled>
  )
}

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

type PathFieldProps = {
  path: string
  /** Suggestions. */
  paths: readonly string[]
  /** What to know besides {@link PAGE_HINT}. */
  hint?: string
  onChange: (path: string) => void
}

/** What an editor can type into a field for a page. */
const PAGE_HINT = 'A path such as /products/7, or the address of the page from your browser.'

/** Says what is wrong with a page that was typed, or that it is not on this site. Else nothing. */
export function PageNote({page}: {page: Parsed<TypedPage>}) {
  if (!page.ok) return <Note tone="critical">{page.problem}</Note>
  const {elsewhere, path} = page.value
  if (elsewhere === undefined) return null
  return (
    <Note tone="caution">
      {elsewhere} is not one of the addresses of this site. What follows is only true for the page {path} of
      this site. If its pages are at {elsewhere} too, add that address under Settings, Addresses.
    </Note>
  )
}

/** A text field for a page, which suggests paths of the site. */
export function PathField({path, paths, hint = '', onChange}: PathFieldProps) {
  return (
    <Field
      hint={`${PAGE_HINT} ${hint}`.trim()}
      label="Page"
      onChange={onChange}
      placeholder="/"
      spellCheck={false}
      suggestions={paths}
      testId="page-path"
      value={path}
    />
  )
}

/** Entries of a list that are shown without a search. */
export const MANY = 20

/**
 * Finds entries of a long list by words of their names.
 * @param what such as `a site`
 * @returns also the field to type into; nothing if the list is short
 */
export function useFound<Entry extends {readonly name: string}>(
  entries: readonly Entry[],
  what: string,
): {readonly field: ReactNode; readonly found: readonly Entry[]} {
  const [words, setWords] = useState('')
  const wanted = words.trim().toLowerCase()
  const found = entries.filter(({name}) => name.toLowerCase().includes(wanted))
  if (entries.length <= MANY) return {field: null, found: entries}
  const label = `Find ${what} of ${entries.length.toLocaleString('en-US')}`
  const field = (
    <TextInput
      aria-label={label}
      onChange={({currentTarget}) => setWords(currentTarget.value)}
      placeholder={label}
      value={words}
    />
  )
  return {field, found}
}
