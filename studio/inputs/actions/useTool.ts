import {getPublishedId, useDocumentOperation, useEditState, useFormValue} from 'sanity'
import {isRecord} from '../../../schemas/rules/json.ts'
import type {Fields} from '../../../schemas/rules/tool.ts'

/** The tool in the form, the names of its parameters, and a function that changes several of its fields at once. */
export function useTool(): {
  readonly tool: Fields
  readonly parameters: readonly string[]
  readonly change: (fields: Fields, unset?: readonly string[]) => void
} {
  const value = useFormValue([])
  const tool = isRecord(value) ? value : {}
  const id = typeof tool._id === 'string' ? tool._id : ''
  const {patch} = useDocumentOperation(getPublishedId(id), 'tool')
  return {
    tool,
    parameters: parametersOf(tool.inputSchema),
    change: (fields, unset = []) => patch.execute([{set: {...fields}}, {unset: [...unset]}]),
  }
}

function parametersOf(text: unknown): string[] {
  if (typeof text !== 'string') return []
  try {
    const schema: unknown = JSON.parse(text)
    return isRecord(schema) && isRecord(schema.properties) ? Object.keys(schema.properties) : []
  } catch {
    // The field with the parameters says what is wrong.
    return []
  }
}

/** The addresses of the tool's site, as its draft has them. */
export function useSiteAddresses({site}: Fields): readonly string[] {
  const id = isRecord(site) && typeof site._ref === 'string' ? getPublishedId(site._ref) : ''
  const {draft, published} = useEditState(id, 'site')
  const {addresses} = {addresses: undefined, ...(draft ?? published)}
  const list: unknown = addresses
  return Array.isArray(list) ? list.filter((address) => typeof address === 'string') : []
}
