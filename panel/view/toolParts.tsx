import type {PreviewedAdvice, PreviewedTool} from '../../schemas/preview.ts'
import type {PanelSite} from '../panelSite.ts'

/** What is shown of a tool, as a badge says it. */
export const STATES = {published: 'Published', changed: 'Changed draft', new: 'New draft'} as const

/** What is probably wrong with a tool, and what to do about it. */
export function AdviceList({advice}: {advice: readonly PreviewedAdvice[]}) {
  if (advice.length === 0) return null
  return (
    <ul class="advice">
      {advice.map(({severity, message, line}) => (
        <li key={message} class={severity}>
          {line !== undefined && <strong>Line {line}: </strong>}
          {message}
        </li>
      ))}
    </ul>
  )
}

/** A link to a tool in Studio, while a preview says where Studio is. */
export function EditLink({site, draft}: {site: PanelSite | undefined; draft: PreviewedTool | undefined}) {
  const studioUrl = site?.drafts?.studioUrl
  if (!draft || !studioUrl) return null
  // Sanity's intent "edit".
  const intent = `id=${encodeURIComponent(draft.id)};type=${encodeURIComponent(draft.type)}`
  return (
    <p>
      <a
        href={`${studioUrl.replace(/\/+$/, '')}/intent/edit/${intent}/`}
        target="_blank"
        rel="noopener noreferrer"
      >
        Edit in Studio
      </a>
    </p>
  )
}
