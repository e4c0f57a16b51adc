import {getPublishedId, useEditState} from 'sanity'
import {jsonIn} from '../../../common/json.ts'
import {siteOf} from '../../../schemas/documents.ts'
import {type Fields, isRecord} from '../../../schemas/record.ts'
import {textOf} from '../../../schemas/rules/text.ts'
import {addressesOfSite} from '../../install/siteAddresses.ts'
import {useFormDocument} from '../../parts/useFormDocument.ts'

/** The tool in the form, the names of its parameters, and a function that changes several of its fields at once. */
export function useTool() {
  const {document, change} = useFormDocument()
  return {tool: document, parameters: parametersOf(document.inputSchema), change}
}

/** None if the schema is not valid: the field with the parameters says what is wrong. */
function parametersOf(text: unknown): string[] {
  const schema = jsonIn(textOf(text))
  return isRecord(schema) && isRecord(schema.properties) ? Object.keys(schema.properties) : []
}

/** The ID of the site of a tool; empty: it has none. */
function siteIdOf(tool: Fields): string {
  return getPublishedId(siteOf(tool) ?? '')
}

/** The addresses of the tool's site, as its draft has them. */
export function useSiteAddresses(tool: Fields): readonly string[] {
  const id = siteIdOf(tool)
  const {draft, published} = useEditState(id, 'site')
  return addressesOfSite(draft ?? published)
}
