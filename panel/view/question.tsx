import {type PanelSite, unreviewedDrafts} from '../panelSite.ts'
import {STATES} from './toolParts.tsx'

/** Asks before drafts run that were not reviewed, or that somebody wrote who may not publish. */
export function Question({site}: {site: PanelSite}) {
  const {waiting} = site
  if (!waiting) return null
  const drafts = unreviewedDrafts(waiting)
  const name = waiting.site.name || site.siteId
  return (
    <section class="note warning" aria-labelledby={`ask-${site.siteId}`}>
      <h3 id={`ask-${site.siteId}`}>Run drafts that were not reviewed?</h3>
      <p>
        {waiting.site.asksForReview
          ? `${name} asks for a review before anything runs on its pages. These drafts had none:`
          : `Somebody wrote these drafts of ${name} who may not publish, or it is not known who wrote them:`}
      </p>
      <ul>
        {drafts.map(({id, name, state, author}) => (
          <li key={id}>
            <code>{name}</code> ({STATES[state].toLowerCase()},{' '}
            {author ? `last changed by ${author}` : 'author unknown'})
          </li>
        ))}
      </ul>
      <p>
        They can do everything that you can do on this page, in your name. Run them only if you expected this
        preview and trust its authors. Later changes run too, until you end the preview.
      </p>
      {isFramedByOthers() ? (
        <p>Another website shows this page in a frame: open the page in a tab of its own to run them.</p>
      ) : (
        <p>
          <button
            type="button"
            class="primary"
            onClick={(event) => {
              // A script can click too.
              if (event.isTrusted) site.runDrafts()
            }}
          >
            Run the drafts
          </button>
        </p>
      )}
    </section>
  )
}

/** Whether a page of another origin has this one in a frame, where it could make a person click without knowing it. */
function isFramedByOthers(): boolean {
  try {
    return !window.top?.location.href
  } catch {
    return true
  }
}
