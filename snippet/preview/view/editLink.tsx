import type {DraftTool} from '../answer.ts'
import type {PanelSite} from '../panelSite.ts'
import {editUrl} from '../studioLinks.ts'

/** A link to a tool in Studio, while a preview says where Studio is. */
export function EditLink({site, draft}: {site: PanelSite | undefined; draft: DraftTool | undefined}) {
  const studioUrl = site?.drafts?.studioUrl
  if (!draft || !studioUrl) return null
  return (
    <p>
      <a href={editUrl(studioUrl, draft)} target="_blank" rel="noopener noreferrer">
        Edit in Studio
      </a>
    </p>
  )
}
