import {Stack} from '@sanity/ui'
import {type ReactNode, useEffect, useRef} from 'react'
import {
  getPublishedId,
  type InputProps,
  isArrayOfObjectsInputProps,
  isArrayOfPrimitivesInputProps,
  isObjectInputProps,
  isStringInputProps,
  type StringInputProps,
  useEditState,
  useFormValue,
} from 'sanity'
import {HINTS} from '../../schemas/rules/hints/annotations.ts'
import type {ShownField} from '../making/shownField.ts'
import {ShowOnPage} from '../making/showOnPage.tsx'
import {TakesShown} from '../making/takesShown.tsx'
import {lazily} from '../parts/lazily.tsx'
import {KeptText} from '../saving/keptText.tsx'
import {ActionInput} from './actions/actionInput.tsx'
import {RequestInput} from './actions/requestInput.tsx'
import {ResultInput} from './actions/resultInput.tsx'
import {RowsInput} from './actions/rowsInput.tsx'
import {ConditionsInput} from './conditionsInput.tsx'
import {HintInput} from './hintInput.tsx'
import {ParametersInput} from './parameters/parametersInput.tsx'
import {PastedInput} from './pastedInput.tsx'
import {PatternInput} from './patternInput.tsx'
import {Problems} from './problems.tsx'
import {TestsInput} from './tests/testsInput.tsx'
import {TextsInput} from './textsInput.tsx'

const OutputSchemaInput = lazily(async () => (await import('./code/codeInputs.tsx')).OutputSchemaInput)
const ScriptInput = lazily(async () => (await import('./code/codeInputs.tsx')).ScriptInput)

/** The fields with the rows of a request. */
const ROWS = ['request.headers', 'request.query', 'request.body']
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
  return isSelector && typeof entry === 'object' && '_key' in entry
    ? withPage(props, 'reading', entry._key)
    : props.renderDefault(props)
}

/** No field of sites has the path of a field of tools. */
function renderField(field: string, props: InputProps): ReactNode {
  if (isArrayOfObjectsInputProps(props)) {
    if (ROWS.includes(field)) return <RowsInput {...props} />
    if (field === 'tests') return <TestsInput {...props} />
    if (field === 'texts') return <TextsInput {...props} />
  }
  if (isArrayOfPrimitivesInputProps(props) && field === 'offeredWhile.has')
    return <ConditionsInput {...props} />
  if (isObjectInputProps(props) && field === 'request') return <RequestInput {...props} />
  if (isObjectInputProps(props) && field === 'request.result') return <ResultInput {...props} />
  if (isObjectInputProps(props) && field === 'reading') return withPage(props, 'reading')
  if (!isStringInputProps(props)) return props.renderDefault(props)
  const hint = HINTS.find((known) => field === `annotations.${known}`)
  if (hint !== undefined) return <HintInput {...props} hint={hint} />
  switch (field) {
    case 'publicId':
      return <PublicIdInput {...props} />
    case 'request.address':
      return withPage(props, 'request')
    case 'link.address':
      return withPage(props, 'link')
    case 'selector':
      return withPage(props, 'selector')
    case 'action':
      return <ActionInput {...props} />
    case 'pathPattern':
    case 'pagePath':
      return <PatternInput {...props} />
    case 'inputSchema':
      return <ParametersInput {...props} />
    case 'outputSchema':
      return <OutputSchemaInput {...props} />
    case 'executeJs':
      return <ScriptInput {...props} />
    default:
      return props.renderDefault(props)
  }
}

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
