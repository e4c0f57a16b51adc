import {
  getPublishedId,
  type InputProps,
  isStringInputProps,
  type StringInputProps,
  useEditState,
  useFormValue,
} from 'sanity'

/** Every field's input: Studio's own, but for the public ID of a site. */
export function Input(props: InputProps) {
  const type = useFormValue(['_type'])
  const isPublicId = type === 'site' && props.path.length === 1 && props.path[0] === 'publicId'
  return isPublicId && isStringInputProps(props) ? <PublicIdInput {...props} /> : props.renderDefault(props)
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
