import {useState} from 'preact/hooks'
import type {Missing} from '../entries.ts'
import type {Panel} from '../panel.ts'
import {AdviceList, EditLink} from './toolParts.tsx'

/** What is not on the page, and why. */
export function MissingView({panel, tools}: {panel: Panel; tools: Missing[]}) {
  const unknown = panel.sites.filter(({drafts, names}) => !drafts && !names)
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      {tools.length === 0 && unknown.length === 0 && (
        <p class="empty">All tools of the site are on this page.</p>
      )}
      <ul class="list">
        {tools.map(({name, title, reasons, advice, site, draft}) => (
          <li key={`${site.siteId} ${title} ${name}`} class="item" data-missing={name}>
            <code>{name}</code> <span class="badge">{title}</span>
            {reasons.map((reason) => (
              <p key={reason}>{reason}</p>
            ))}
            <AdviceList advice={advice} />
            <EditLink site={site} draft={draft} />
          </li>
        ))}
      </ul>
      {unknown.length > 0 && (
        <p>
          <button
            type="button"
            disabled={isAsked}
            onClick={() => {
              setAsked(true)
              void Promise.all(unknown.map((site) => site.fetchNames())).then(() => setAsked(false))
            }}
          >
            List the tools of other pages
          </button>
        </p>
      )}
    </>
  )
}
