import {Box, Stack, Text} from '@sanity/ui'
import {type ClipboardEvent, type ReactNode, useEffect, useRef} from 'react'
import {
  type ArrayOfObjectsInputProps,
  type ArrayOfPrimitivesInputProps,
  getPublishedId,
  type InputProps,
  isArrayOfObjectsInputProps,
  isArrayOfPrimitivesInputProps,
  isObjectInputProps,
  isStringInputProps,
  type ObjectInputProps,
  type StringInputProps,
  set,
  useEditState,
  useFormValue,
} from 'sanity'
import {describeField} from '../../schemas/document.ts'
import {annotations} from '../../schemas/fields/annotations.ts'
import {isDeclared} from '../../schemas/index.ts'
import {HINT_TITLES, HINTS, type Hint} from '../../schemas/rules/hints/annotations.ts'
import {originIn} from '../../schemas/rules/origin.ts'
import {pathOfAddress} from '../../schemas/rules/paths/pathPattern.ts'
import type {ShownField} from '../making/shownField.ts'
import {ShowOnPage} from '../making/showOnPage.tsx'
import {TakesShown} from '../making/takesShown.tsx'
import {Choice} from '../parts/fields.tsx'
import {lazily} from '../parts/lazily.tsx'
import {useFormDocument} from '../parts/useFormDocument.ts'
import {KeptText} from '../saving/keptText.tsx'
import {ActionInput} from './actions/actionInput.tsx'
import {RequestInput} from './actions/requestInput.tsx'
import {RowsInput} from './actions/rowsInput.tsx'
import {LANGUAGES} from './languages.ts'
import {ParametersInput} from './parameters/parametersInput.tsx'
import {PatternInput} from './patternInput.tsx'
import {Problems} from './problems.tsx'
import {INPUTS_IN_LISTS} from './suggested.tsx'

const OutputSchemaInput = lazily(async () => (await import('./code/codeInputs.tsx')).OutputSchemaInput)
const ScriptInput = lazily(async () => (await import('./code/codeInputs.tsx')).ScriptInput)

const TOOLS: readonly unknown[] = ['tool', 'formTool']

/** The input of every field, with the field's problems below it. */
export function Input(props: InputProps) {
  const type = useFormValue(['_type'])
  const id = useFormValue(['_id'])
  const documentId = props.path.length === 0 && typeof id === 'string' ? id : undefined
  const field = props.path.every((part) => typeof part === 'string') ? props.path.join('.') : undefined
  // Documents and objects would repeat the problems of their fields.
  const isLeaf =
    props.path.length > 0 && (!isObjectInputProps(props) || props.schemaType.name === 'reference')
  useOpenFilled(props, TOOLS.includes(type))
  useBeginsWithName(field === 'name' && props.readOnly !== true ? id : undefined)
  const shown = field === undefined ? renderInList(props) : renderField(field, props)
  return (
    <>
      {documentId !== undefined && <KeptText id={documentId} type={String(type)} />}
      {documentId !== undefined && props.readOnly !== true && TOOLS.includes(type) && (
        <TakesShown id={getPublishedId(documentId)} />
      )}
      {isStringInputProps(props) ? <PastedInput input={props}>{shown}</PastedInput> : shown}
      {isLeaf && <Problems problems={props.validation} readOnly={props.readOnly === true} />}
    </>
  )
}

/**
 * A person who adds a document types its name first. Sanity leaves the focus on the button that was pressed.
 * @param documentId undefined: this is not the input of the name, which comes later than that of the document, or it takes no text yet
 */
function useBeginsWithName(documentId: unknown): void {
  const isNew = useFormValue(['_createdAt']) === undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once it is saved, the focus stays where the person is.
  useEffect(() => {
    if (documentId === undefined || !isNew) return undefined
    // After Sanity, which gives the focus to the first link or tab of the form.
    const timer = setTimeout(() =>
      document.querySelector<HTMLElement>('[data-testid="field-name"] input')?.focus(),
    )
    return () => clearTimeout(timer)
  }, [documentId])
}

/** Opens what is folded and has a value, once: a person can fold it again. */
function useOpenFilled(props: InputProps, isTool: boolean): void {
  const seen = useRef(new Set<string>())
  useEffect(() => {
    if (!isTool || !isObjectInputProps(props)) return
    for (const member of props.members) {
      if (member.kind === 'error' || member.kind === 'decoration' || seen.current.has(member.key)) continue
      seen.current.add(member.key)
      if (member.kind === 'field' && member.collapsed && isFilled(member.field.value))
        props.onFieldExpand(member.name)
      if (member.kind !== 'fieldSet' || !member.fieldSet.collapsed) continue
      const values = member.fieldSet.members.map((inside) => inside.kind === 'field' && inside.field.value)
      if (values.some(isFilled)) props.onFieldSetExpand(member.fieldSet.name)
    }
  })
}

/** Whether a value, or one within it, is set. */
function isFilled(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return Boolean(value)
  return Object.entries(value).some(([name, inside]) => !name.startsWith('_') && isFilled(inside))
}

/** A field that a person can fill in by showing it on a page. */
function withPage(props: InputProps, field: ShownField['field'], part?: string): ReactNode {
  if (props.readOnly === true) return props.renderDefault(props)
  return (
    <Stack gap={2}>
      {props.renderDefault(props)}
      <ShowOnPage field={field} {...(part !== undefined && {part})} />
    </Stack>
  )
}

/** The input of a field in an entry of a list. */
function renderInList(props: InputProps): ReactNode {
  const [action, list, entry, field] = props.path
  const isSelector = action === 'reading' && list === 'parts' && field === 'selector'
  if (isSelector && typeof entry === 'object' && '_key' in entry)
    return withPage(props, 'reading', entry._key)
  const own = isStringInputProps(props) ? INPUTS_IN_LISTS[pathOf(props)]?.(props) : undefined
  return own ?? props.renderDefault(props)
}

/** The path of a field, in lists of any of their entries: `tests.[].page`. */
function pathOf({path}: InputProps): string {
  return path.map((name) => (typeof name === 'string' ? name : '[]')).join('.')
}

/** No field of sites has the path of a field of tools. */
function renderField(field: string, props: InputProps): ReactNode {
  return ownInput(field, props) ?? props.renderDefault(props)
}

function ownInput(field: string, props: InputProps): ReactNode {
  if (isArrayOfObjectsInputProps(props)) return LISTS.get(field)?.(props)
  if (isArrayOfPrimitivesInputProps(props)) return LISTS_OF_TEXTS.get(field)?.(props)
  if (isObjectInputProps(props)) return OBJECTS.get(field)?.(props)
  return isStringInputProps(props) ? STRINGS.get(field)?.(props) : undefined
}

/** Inputs by the paths of their fields. @throws Error for a path without a declaration: a renamed field would lose its input */
function inputsOf<Props>(
  inputs: Readonly<Record<string, (props: Props) => ReactNode>>,
): ReadonlyMap<string, (props: Props) => ReactNode> {
  for (const path of Object.keys(inputs))
    if (!isDeclared(path)) throw new Error(`No declared field has the path ${path}.`)
  return new Map(Object.entries(inputs))
}

const LISTS = inputsOf<ArrayOfObjectsInputProps>({
  'request.headers': (props) => <RowsInput {...props} />,
  'request.query': (props) => <RowsInput {...props} />,
  'request.body': (props) => <RowsInput {...props} />,
})

const LISTS_OF_TEXTS = inputsOf<ArrayOfPrimitivesInputProps>({
  'offeredWhile.has': (props) => <ConditionsInput {...props} />,
})

const OBJECTS = inputsOf<ObjectInputProps>({
  request: (props) => <RequestInput {...props} />,
  reading: (props) => withPage(props, 'reading'),
})

const STRINGS = inputsOf<StringInputProps>({
  ...Object.fromEntries(
    HINTS.map((hint) => [
      `annotations.${hint}`,
      (props: StringInputProps) => <HintInput {...props} hint={hint} />,
    ]),
  ),
  publicId: (props) => <PublicIdInput {...props} />,
  'request.address': (props) => withPage(props, 'request'),
  selector: (props) => withPage(props, 'selector'),
  action: (props) => <ActionInput {...props} />,
  pathPattern: (props) => <PatternInput {...props} />,
  pagePath: (props) => <PatternInput {...props} />,
  inputSchema: (props) => <ParametersInput {...props} />,
  outputSchema: (props) => <OutputSchemaInput {...props} />,
  executeJs: (props) => <ScriptInput {...props} />,
})

/**
 * The public ID is part of the pages of a published site, so it must not change. The schema can make it
 * read-only only for the published document: from a draft, it cannot see whether the site is published.
 */
function PublicIdInput(props: StringInputProps) {
  const id = useFormValue(['_id'])
  const {published} = useEditState(getPublishedId(typeof id === 'string' ? id : ''), 'site')
  if (published === null) return props.renderDefault(props)
  return props.renderDefault({
    ...props,
    readOnly: true,
    elementProps: {...props.elementProps, readOnly: true},
  })
}

/** What a page must have: selectors, and a choice that adds the one for a language. */
function ConditionsInput(props: ArrayOfPrimitivesInputProps): ReactNode {
  const {value = [], readOnly = false, onChange} = props
  return (
    <Stack gap={2}>
      {props.renderDefault(props)}
      {/* Such as “Sign out”, which only visitors with an account see. */}
      <ShowOnPage field="offeredWhile" />
      <Choice
        label="Only pages in a language"
        of={[['', 'Only pages in a language…'], ...LANGUAGES]}
        onChange={(language) => {
          const selector = `html[lang|="${language}"]`
          if (language !== '' && !value.includes(selector)) onChange(set([...value, selector]))
        }}
        readOnly={readOnly}
        testId="language"
        value=""
      />
    </Stack>
  )
}

/** The choice for a hint. Below it stands what Auto comes to for the tool as it is. */
function HintInput({hint, ...props}: StringInputProps & {hint: Hint}) {
  const rows = describeField(annotations, {}, useFormDocument().document) ?? []
  const isAuto = props.value === undefined || props.value === 'auto'
  return (
    <Stack gap={3}>
      {props.renderDefault(props)}
      {isAuto && (
        <Text aria-live="polite" as="p" data-testid={`auto-${hint}`} muted size={1}>
          {rows.find(({title}) => title === HINT_TITLES[hint])?.text}
        </Text>
      )}
    </Stack>
  )
}

/** For fields that need a part of an address, the function that finds this part in a copied one. */
const PARTS: Readonly<Record<string, (copied: string) => string | undefined>> = {
  'addresses.[]': originIn,
  'exposedTo.[]': originIn,
  pathPattern: pathOfAddress,
  pagePath: pathOfAddress,
}

/** A field into which an address can be pasted as it was copied. What is pasted into other text stays as it is. */
function PastedInput({input, children}: {input: StringInputProps; children: ReactNode}) {
  const part = PARTS[pathOf(input)]
  if (part === undefined) return children
  const paste = (event: ClipboardEvent) => {
    const found = part(event.clipboardData.getData('text/plain'))
    if (found === undefined || input.readOnly === true || !replacesAll(event.target)) return
    event.preventDefault()
    input.onChange(set(found))
  }
  return <Box onPasteCapture={paste}>{children}</Box>
}

/** Whether pasting replaces the whole text of a field. */
function replacesAll(target: EventTarget): boolean {
  if (!(target instanceof HTMLInputElement)) return false
  const {value, selectionStart, selectionEnd} = target
  return value.trim() === '' || (selectionStart === 0 && selectionEnd === value.length)
}
