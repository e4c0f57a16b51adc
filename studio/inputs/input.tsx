import type {ReactNode} from 'react'
import {
  getPublishedId,
  type InputProps,
  isObjectInputProps,
  isStringInputProps,
  type StringInputProps,
  useEditState,
  useFormValue,
} from 'sanity'
import {ScriptInput} from './code/scriptInput.tsx'
import {ParametersInput} from './parameters/parametersInput.tsx'
import {Problems} from './problems.tsx'

/** Every field's input, with the field's problems below it. */
export function Input(props: InputProps) {
  const type = useFormValue(['_type'])
  const [field] = props.path
  const isTopLevel = props.path.length === 1 && typeof field === 'string'
  // The document as a whole, and objects, show the problems of their fields there.
  const isLeaf = props.path.length > 0 && !isObjectInputProps(props)
  return (
    <>
      {isTopLevel ? renderField(`${type}.${field}`, props) : props.renderDefault(props)}
      {isLeaf && <Problems problems={props.validation} />}
    </>
  )
}

function renderField(field: string, props: InputProps): ReactNode {
  if (!isStringInputProps(props)) return props.renderDefault(props)
  switch (field) {
    case 'site.publicId':
      return <PublicIdInput {...props} />
    case 'tool.inputSchema':
      return <ParametersInput {...props} />
    case 'tool.executeJs':
      return <ScriptInput {...props} />
    default:
      return props.renderDefault(props)
  }
}

/**
 * A public ID stands in the pages of a published site, and stays. The schema can say so of the published document
 * alone: it does not see, from a draft, whether there is one.
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
