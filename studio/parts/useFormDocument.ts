import {getPublishedId, useDocumentOperation, useFormValue} from 'sanity'
import {isRecord} from '../../schemas/rules/json.ts'
import {textOf} from '../../schemas/rules/text.ts'
import type {Fields} from '../../schemas/rules/tool.ts'

/** The document in the form, and a function that changes several of its fields at once. */
export type FormDocument = {
  readonly document: Fields
  /** Whether it can be changed now. */
  readonly isReady: boolean
  readonly change: (fields: Fields, unset?: readonly string[]) => void
}

export function useFormDocument(): FormDocument {
  const value = useFormValue([])
  const document = isRecord(value) ? value : {}
  const {patch} = useDocumentOperation(getPublishedId(textOf(document._id)), textOf(document._type))
  return {
    document,
    isReady: !patch.disabled,
    // A document that is not saved yet begins with what the form shows.
    change: (fields, unset = []) => patch.execute([{set: {...fields}}, {unset: [...unset]}], {...document}),
  }
}
