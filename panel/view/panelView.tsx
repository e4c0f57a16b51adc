import type {ComponentChildren} from 'preact'
import {useRef} from 'preact/hooks'
import {missingTools, presentTools, testedTools} from '../entries.ts'
import {MakeView} from '../making/makeView.tsx'
import type {Panel} from '../panel.ts'
import {TestsView} from '../tests/testsView.tsx'
import {CallsView} from './callsView.tsx'
import {Header} from './header.tsx'
import {MissingView} from './missingView.tsx'
import {Question} from './question.tsx'
import {type Tab, Tabs} from './tabs.tsx'
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
      view: <MissingView panel={panel} tools={missing} />,
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
