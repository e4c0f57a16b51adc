import {useMemo} from 'react'
import {useSchema} from 'sanity'
import type {TitleOf} from '../../schemas/diagnosis/words.ts'

/** The titles of fields as the forms show them. */
export function useFieldTitle(): TitleOf {
  const schema = useSchema()
  return useMemo(
    () => (type, field) => {
      const found = schema.get(type)
      const fields = found?.jsonType === 'object' ? found.fields : []
      return fields.find(({name}) => name === field)?.type.title ?? field
    },
    [schema],
  )
}
