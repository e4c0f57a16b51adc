import {handoverLink} from '../../making/studioLink.ts'
import {membersOf} from '../../snippet/members.ts'
import {windowOf} from '../../snippet/webmcp.ts'
import type {Present} from '../entries.ts'
import type {Panel} from '../panel.ts'
import {StudioLink} from '../parts/studioLink.tsx'
import {AdviceList, EditLink, STATES} from './toolParts.tsx'
import {TryIt} from './tryIt.tsx'

/** Tools of a page from which agents choose badly (advice/site/pages.ts). */
const MANY = 20

/** The tools of the page, each with what calls it. */
export function ToolsView({panel, tools}: {panel: Panel; tools: Present[]}) {
  const {studio} = panel
  const own = tools.filter(({site}) => !site)
  const names = own.filter(({tool}) => windowOf(tool) === window).map(({name}) => name)
  const documents = [...new Set(tools.map(({tool}) => windowOf(tool)))]
  return (
    <>
      {tools.length === 0 && <p class="empty">{whyEmpty(panel)}</p>}
      {own.length > 0 && (
        <p class="facts">
          Of the page itself: {own.length}. Agents see all {tools.length} tools of this page
          {tools.length > MANY ? `, and choose better from ${MANY} or fewer.` : '.'}
        </p>
      )}
      {studio && names.length > 0 && (
        <p class="buttons">
          <StudioLink class="button" href={handoverLink(studio, 'pageTools', {site: studio.siteId, names})}>
            Tell Studio about them
          </StudioLink>
          <small>It gets their names only, and warns of a second tool of the same name.</small>
        </p>
      )}
      <ul class="list">
        {tools.map((present) => (
          <li key={`${documents.indexOf(windowOf(present.tool))} ${present.name}`}>
            <ToolItem panel={panel} present={present} />
          </li>
        ))}
      </ul>
      <p class="buttons">
        <button type="button" onClick={() => panel.refresh()}>
          Refresh
        </button>
      </p>
    </>
  )
}

function whyEmpty({sites}: Panel): string {
  if (sites.some(({state}) => !state || state.state === 'loading')) return 'Loading the tools…'
  return 'This page has no tools.'
}

function ToolItem({panel, present}: {panel: Panel; present: Present}) {
  const {name, tool, site, draft} = present
  return (
    <details data-tool={name}>
      <summary>
        <code>{name}</code> {tool.title && <span class="title">{tool.title}</span>}
        <Badges present={present} />
        <span class="what">{tool.description}</span>
      </summary>
      <AdviceList advice={draft?.advice ?? []} />
      <EditLink site={site} draft={draft} />
      <TryIt panel={panel} present={present} />
    </details>
  )
}

function Badges({present: {tool, form, site, draft}}: {present: Present}) {
  const annotations = membersOf(tool.annotations)
  const origin = windowOf(tool) === window ? 'By the page' : 'In a frame'
  const state = draft ? STATES[draft.state] : site ? 'Published' : origin
  return (
    <span class="badges">
      <span class={`badge ${draft?.state ?? ''}`}>{state}</span>
      {form && (
        <span class="badge">
          {form.hasAttribute('toolautosubmit') ? 'Form, submits itself' : 'Form, you submit'}
        </span>
      )}
      {annotations.readOnlyHint === true && <span class="badge">Only reads</span>}
      {annotations.consequentialHint === true && <span class="badge">Consequential</span>}
      {annotations.untrustedContentHint === true && <span class="badge">Untrusted content</span>}
      {annotations.debugging === true && <span class="badge">For developers</span>}
    </span>
  )
}
