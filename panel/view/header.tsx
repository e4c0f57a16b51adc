import {pagePath} from '../pagePath.ts'
import type {Panel} from '../panel.ts'
import type {PanelSite} from '../panelSite.ts'

/** Where the panel stands, and where it goes next. */
const NEXT_PLACES: Readonly<Record<string, string>> = {right: 'left', left: 'below', below: 'right'}

/** The head of the panel: what is shown, since when, and how to end it. */
export function Header({panel, count}: {panel: Panel; count: number}) {
  const {isPreview, isPermanent, sites, layout} = panel
  const isOpen = layout.size === 'open'
  const next = NEXT_PLACES[layout.place] ?? 'right'
  const until = sites.find(({drafts}) => drafts)?.drafts?.expiresAt
  const release = sites.find(({drafts}) => drafts?.release)?.drafts?.release
  const canEnd = isPreview || panel.isForOtherSite
  return (
    <header>
      <div class="bar">
        <h2 hidden={!isOpen}>
          {release ? `Release “${release}”` : isPreview ? 'Preview' : 'Tools of this page'}{' '}
          {until && <small>{timeLeft(until)}</small>}
        </h2>
        {isOpen && canEnd && (
          <button type="button" onClick={() => panel.end()}>
            End preview
          </button>
        )}
        {isOpen && !canEnd && !isPermanent && (
          <button type="button" onClick={() => panel.close()}>
            Close
          </button>
        )}
        {isOpen && (
          <button type="button" class="move" onClick={() => panel.arrange('place', next)}>
            Move {next}
          </button>
        )}
        <button
          type="button"
          class="toggle"
          aria-expanded={isOpen}
          aria-keyshortcuts="Alt+Shift+H"
          title="Alt+Shift+H"
          onClick={() => panel.arrange('size', isOpen ? 'collapsed' : 'open')}
        >
          {isOpen
            ? 'Hide'
            : sites.some(({waiting}) => waiting)
              ? 'Preview: run drafts?'
              : `${isPreview ? 'Preview' : 'Handrail'}: ${count === 1 ? '1 tool' : `${count} tools`}`}
        </button>
      </div>
      <div hidden={!isOpen}>
        {sites.map((site) => (
          <p key={site.siteId} class="site">
            <strong>{site.name || (sites.length === 1 ? location.host : site.siteId)}</strong> on{' '}
            <code>{pagePath()}</code>
          </p>
        ))}
        {!panel.hasWebMcp && (
          <p class="note">
            This browser has no WebMCP: tools are only registered in this panel, and no agent finds them.
            {navigator.userAgent.includes('Chrome/') &&
              ' In Chrome 156 or newer, turn it on at chrome://flags/#enable-webmcp-testing.'}
          </p>
        )}
        <div role="status">
          {panel.isForOtherSite && (
            <p class="note warning">
              The preview link is for another site than this page’s. This page has what is published.
            </p>
          )}
          {sites.map((site) => (
            <SiteStatus key={site.siteId} site={site} />
          ))}
        </div>
      </div>
    </header>
  )
}

function SiteStatus({site}: {site: PanelSite}) {
  const {state, ended, drafts, blocked} = site
  return (
    <>
      {ended !== undefined && <p class="note warning">{ended}</p>}
      {blocked.map((directive) => (
        <p key={directive} class="note warning">
          The page’s Content-Security-Policy blocked the service. Ask the person who builds the website to add{' '}
          <code class="selector">{new URL(site.base).origin}</code> to its {directive}. If it has none, the
          new one needs what default-src allows, too.
        </p>
      ))}
      {state?.state === 'failed' && blocked.length === 0 && (
        <p class="note warning">
          {state.error === 'status 404'
            ? `The service has no site with the public ID ${site.siteId}. Check data-site of the tag, or publish the site in Studio.`
            : `The service returned nothing (${state.error}). The panel tries again, and tools stay as they are.`}
        </p>
      )}
      {drafts?.site.reasons.map((reason) => (
        <p key={reason} class="note warning">
          {reason}
        </p>
      ))}
    </>
  )
}

function timeLeft(until: Date): string {
  const minutes = Math.max(0, Math.ceil((until.getTime() - Date.now()) / 60_000))
  return minutes === 1 ? '1 minute left' : `${minutes} minutes left`
}
