import type {DraftTool} from './answer.ts'

/** Where Studio edits a document: Sanity's intent "edit". */
export function editUrl(studioUrl: string, {id, type}: Pick<DraftTool, 'id' | 'type'>): string {
  return `${studioUrl.replace(/\/+$/, '')}/intent/edit/id=${encodeURIComponent(id)};type=${encodeURIComponent(type)}/`
}
