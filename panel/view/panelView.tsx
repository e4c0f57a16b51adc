import type {ComponentChildren} from 'preact'
import {useEffect, useRef} from 'preact/hooks'
import {windowOf} from '../../snippet/webmcp.ts'
import {type Missing, missingTools, type Present, presentTools, testedTools} from '../entries.ts'
import {MakeView} from '../making/makeView.tsx'
import type {Panel} from '../panel.ts'
import {type PanelSite, unreviewedDrafts} from '../panelSite.ts'
import {OutcomeView} from '../parts/outcomeView.tsx'
import {Text} from '../parts/text.tsx'
import {KeepCallButton} from '../tests/keepCall.tsx'
import {TestsView} from '../tests/testsView.tsx'
import {Header} from './header.tsx'
import {AdviceList, EditLink, STATES} from './toolParts.tsx'
import {ToolsView} from './toolsView.tsx'

/** The whole panel. Collapsed, it is a button. */
export function PanelView({panel}: {panel: Panel}) {
  const {tab, place, size} = panel.layout
  const isOpen = size === 'open'
  const root = useRef<HTMLElement>(null)
  const present = presentTools(panel)
  const missing = missingTools(panel)
  const tested = testedTools(panel, present)
  const show = (name: string) => {
    panel.arrange('tab', 'tools')
    const item = root.current?.querySelector<HTMLDetailsElement>(`[data-tool="${CSS.escape(name)}"]`)
    if (!item) return
    item.open = true
    // Hidden elements take no focus, and the tab is shown after this event.
    requestAnimationFrame(() =>
      item.querySelector<HTMLElement>('.try :is(input, select, textarea, button)')?.focus(),
    )
  }
  const tabs: Tab[] = [
    {
      id: 'tools',
      title: 'Tools',
      count: present.length,
      view: <ToolsView panel={panel} tools={present} />,
    },
    {
      id: 'missing',
      title: 'Not here',
      count: missing.length,
      view: (
        <OnceShown isShown={tab === 'missing'}>
          <MissingView panel={panel} tools={missing} />
        </OnceShown>
      ),
    },
    {
      id: 'calls',
      title: 'Calls',
      count: panel.calls.list.length,
      view: <CallsView panel={panel} tools={present} />,
    },
    {
      id: 'tests',
      title: 'Tests',
      count: tested.reduce((count, {draft}) => count + draft.tests.length, 0),
      view: (
        <OnceShown isShown={tab === 'tests'}>
          <TestsView panel={panel} tools={tested} present={present} />
        </OnceShown>
      ),
    },
    {
      id: 'make',
      title: 'Make a tool',
      view: (
        <OnceShown isShown={tab === 'make'}>
          <MakeView
            panel={panel}
            // Also while the panel is collapsed: on a small screen, people use the page then.
            isShown={tab === 'make'}
            nameOf={(id) => present.find(({draft}) => draft?.id === id)?.name}
            taken={[...present, ...missing].map(({name}) => name)}
            show={show}
          />
        </OnceShown>
      ),
    },
  ]
  return (
    <aside ref={root} class={isOpen ? `panel open ${place}` : 'panel'} aria-label="Handrail">
      <Header panel={panel} count={present.length} />
      <div class="body" hidden={!isOpen}>
        {panel.sites.map((site) => (
          <Question key={site.siteId} site={site} />
        ))}
        <Tabs tabs={tabs} chosen={tab} choose={(chosen) => panel.arrange('tab', chosen)} />
      </div>
    </aside>
  )
}

/** The content of a tab that begins when it is first shown: it looks at the page, and at what led to it. */
function OnceShown({isShown, children}: {isShown: boolean; children: ComponentChildren}) {
  const wasShown = useRef(false)
  wasShown.current ||= isShown
  return <>{wasShown.current && children}</>
}

/** What is not on the page, and why. */
function MissingView({panel, tools}: {panel: Panel; tools: Missing[]}) {
  const unknown = panel.sites.filter(({isPreviewed, names}) => !isPreviewed && !names)
  useEffect(() => {
    for (const site of unknown) void site.fetchNames()
  }, [unknown.length])
  return (
    <>
      {tools.length + unknown.length === 0 && <p class="empty">All tools of the site are on this page.</p>}
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
    </>
  )
}

type Tab = {id: string; title: string; count?: number; view: ComponentChildren}

/** Tabs by the pattern of https://www.w3.org/WAI/ARIA/apg/patterns/tabs/. All views stay, so that what was typed does. */
function Tabs({tabs, chosen, choose}: {tabs: Tab[]; chosen: string; choose: (id: string) => void}) {
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({id}) => id === chosen)
    const steps: Record<string, number> = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1}
    const next = tabs.at((steps[event.key] ?? Number.NaN) % tabs.length)
    if (!(event.key in steps) || !next) return
    event.preventDefault()
    choose(next.id)
    list.current?.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus()
  }
  return (
    <>
      <div role="tablist" aria-label="What the panel shows" ref={list} onKeyDown={move}>
        {tabs.map(({id, title, count}) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-controls={`view-${id}`}
            aria-selected={id === chosen}
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => choose(id)}
          >
            {title} {count !== undefined && <span class="count">{count}</span>}
          </button>
        ))}
      </div>
      {tabs.map(({id, view}) => (
        <div key={id} role="tabpanel" id={`view-${id}`} aria-labelledby={`tab-${id}`} hidden={id !== chosen}>
          {view}
        </div>
      ))}
    </>
  )
}

/** The calls of the page, newest first. */
function CallsView({panel, tools}: {panel: Panel; tools: readonly Present[]}) {
  const calls = panel.calls.list
  if (calls.length === 0)
    return <p class="empty">No tool was called yet. Calls appear here as they happen, those of agents too.</p>
  return (
    <ul class="list">
      {calls.map((call) => (
        <li key={call.id}>
          <details data-call={call.tool}>
            <summary>
              <code>{call.tool}</code>{' '}
              <span class={`badge ${call.outcome.kind}`}>
                {call.outcome.kind === 'unknown' ? 'called' : call.outcome.kind}
              </span>
              <span class="what">
                {call.by === 'agent' ? 'By an agent' : 'From this panel'}, {call.at.toLocaleTimeString()}
              </span>
            </summary>
            {call.args !== undefined && <Text value={call.args} label={`Arguments of ${call.tool}`} />}
            <OutcomeView call={call} />
            <KeepCallButton
              panel={panel}
              present={tools.find(({name, tool}) => name === call.tool && windowOf(tool) === call.window)}
              call={call}
            />
          </details>
        </li>
      ))}
    </ul>
  )
}

/** Asks before drafts run that were not reviewed, or that somebody wrote who may not publish. */
function Question({site}: {site: PanelSite}) {
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
