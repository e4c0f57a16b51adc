import {getPublishedId, useDocumentOperation, useFormValue} from 'sanity'
import {type Fields, isRecord} from '../../schemas/record.ts'
import {textOf} from '../../schemas/rules/text.ts'

/** The document in the form, and a function that changes several of its fields at once. */
export function useFormDocument() {
  const value = useFormValue([])
  const document: Fields = isRecord(value) ? value : {}
  const {patch} = useDocumentOperation(getPublishedId(textOf(document._id)), textOf(document._type))
  return {
    document,
    /** Whether it can be changed now. */
    isReady: !patch.disabled,
    // A document that is not saved yet begins with what the form shows.
    change: (fields: Fields, unset: readonly string[] = []) =>
      patch.execute([{set: {...fields}}, {unset: [...unset]}], {...document}),
  }
}
