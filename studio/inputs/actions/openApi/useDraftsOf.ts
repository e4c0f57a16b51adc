import {useToast} from '@sanity/ui/toast'
import {uuid} from '@sanity/uuid'
import {useState} from 'react'
import {useClient} from 'sanity'
import {useRouter} from 'sanity/router'
import {isRecord} from '../../../../schemas/rules/json.ts'
import {accept, type Parsed} from '../../../../schemas/rules/parsed.ts'
import {textOf} from '../../../../schemas/rules/text.ts'
import type {Fields} from '../../../../schemas/rules/tool.ts'
import {API_VERSION} from '../../../live/apiVersion.ts'
import {type MadeDraft, parseMadeTool} from '../../../making/madeTool.ts'
import {saveDrafts} from '../../../making/saveDrafts.ts'
import {useAddresses} from '../../../parts/addresses.ts'
import {errorWords} from '../../../saving/errorWords.ts'
import {useTool} from '../useTool.ts'
import type {OpenApiFile} from './openApiFile.ts'

/** Makes a draft of each operation, for the site of the tool in the form, and opens the list of them. */
export function useDraftsOf(file: OpenApiFile, onSaved: () => void) {
  const client = useClient({apiVersion: API_VERSION})
  const router = useRouter()
  const addresses = useAddresses()
  const toast = useToast()
  const {tool} = useTool()
  const [isSaving, setSaving] = useState(false)
  const [problems, setProblems] = useState<readonly string[]>([])
  const site = isRecord(tool.site) ? textOf(tool.site._ref) : ''

  const save = async (operations: readonly string[]) => {
    setSaving(true)
    try {
      const {drafts, refused} = await draftsOf(operations, file, site)
      setProblems(refused)
      if (refused.length > 0) return
      await saveDrafts(drafts, client)
      toast.push({status: 'success', title: `${drafts.length} drafts saved`})
      onSaved()
      router.navigateUrl({path: addresses.site(site)})
    } catch (error) {
      setProblems([errorWords(error)])
    } finally {
      setSaving(false)
    }
  }
  return {save, isSaving, problems}
}

/** The drafts, and why some operations cannot be one. */
async function draftsOf(operations: readonly string[], file: OpenApiFile, site: string) {
  const drafts: MadeDraft[] = []
  const refused: string[] = []
  for (const operation of operations) {
    const tool = await file.toolOf(operation)
    const draft = tool.ok ? draftOf(tool.value.fields, site) : tool
    if (draft.ok) drafts.push(draft.value)
    else refused.push(`${operation}: ${draft.problem}`)
  }
  return {drafts, refused}
}

/** A request does not depend on the page: it is offered on all. */
function draftOf(fields: Fields, site: string): Parsed<MadeDraft> {
  const made = parseMadeTool({id: uuid(), site, type: 'tool', fields: {pathPattern: '/**', ...fields}})
  if (!made.ok) return made
  const {annotations} = fields
  return accept({...made.value, document: {...made.value.document, annotations}})
}
