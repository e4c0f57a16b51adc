import {useToast} from '@sanity/ui/toast'
import {uuid} from '@sanity/uuid'
import {useState} from 'react'
import {useRouter} from 'sanity/router'
import {accept, type Parsed} from '../../../../schemas/rules/parsed.ts'
import type {Fields} from '../../../../schemas/rules/tool.ts'
import {useContent} from '../../../live/useContent.ts'
import {type MadeDraft, parseMadeTool} from '../../../making/madeTool.ts'
import {saveDrafts} from '../../../making/saveDrafts.ts'
import {useAddresses} from '../../../parts/addresses.ts'
import {errorWords} from '../../../saving/errorWords.ts'
import type {OpenApiFile} from './openApiFile.ts'

/** Makes a draft of each operation for a site, and opens the page of it. */
export function useDraftsOf(file: OpenApiFile, site: string, onSaved: () => void) {
  const client = useContent()
  const router = useRouter()
  const addresses = useAddresses()
  const toast = useToast()
  const [isSaving, setSaving] = useState(false)
  const [problems, setProblems] = useState<readonly string[]>([])

  const save = async (operations: readonly string[]) => {
    setSaving(true)
    try {
      const {drafts, refused} = await draftsOf(operations, file, site)
      setProblems(refused)
      if (refused.length > 0) return
      await saveDrafts(drafts, client)
      toast.push({
        status: 'success',
        title: drafts.length === 1 ? '1 draft saved' : `${drafts.length} drafts saved`,
      })
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
