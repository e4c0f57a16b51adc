import type {ComponentChildren} from 'preact'
import {useLayoutEffect, useRef, useState} from 'preact/hooks'
import {missingTools, presentTools, testedTools} from '../entries.ts'
import {MakeView} from '../making/makeView.tsx'
import type {Panel} from '../panel.ts'
import {keepInTab, keptInTab} from '../tabStorage.ts'
import {TestsView} from '../tests/testsView.tsx'
import {CallsView} from './callsView.tsx'
import {Header} from './header.tsx'
import {MissingView} from './missingView.tsx'
import {Question} from './question.tsx'
import {type Tab, Tabs} from './tabs.tsx'
import {ToolsView} from './toolsView.tsx'

/** Where the panel stands, and where it goes next. */
const NEXT_PLACES: Readonly<Record<string, string>> = {right: 'left', left: 'below', below: 'right'}

/** The whole panel. Collapsed, it is a button. */
export function PanelView({
  panel,
  isOpen,
  setOpen,
}: {
  panel: Panel
  isOpen: boolean
  setOpen: (isOpen: boolean) => void
}) {
  const [tab, setTab] = useKept('handrail-panel-tab', 'tools', panel.isForMaking ? 'make' : undefined)
  const [side, setSide] = useKept('handrail-panel-place', 'right')
  const next = NEXT_PLACES[side] ?? 'right'
  const place = useRef<HTMLElement>(null)
  const present = presentTools(panel)
  const missing = missingTools(panel)
  const tested = testedTools(panel, present)
  const [wanted, setWanted] = useState<{id: string; count: number}>()
  const runTests = (id: string) => {
    setTab('tests')
    setWanted((before) => ({id, count: (before?.count ?? 0) + 1}))
  }
  const show = (name: string) => {
    setTab('tools')
    const item = place.current?.querySelector<HTMLDetailsElement>(`[data-tool="${CSS.escape(name)}"]`)
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
      view: <ToolsView panel={panel} tools={present} runTests={runTests} />,
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
      view: <CallsView panel={panel} tools={present} runTests={runTests} />,
    },
    {
      id: 'tests',
      title: 'Tests',
      count: tested.reduce((count, {draft}) => count + draft.tests.length, 0),
      view: (
        <OnceShown isShown={tab === 'tests'}>
          <TestsView
            base={panel.base}
            isPreview={panel.isPreview}
            studio={panel.studio}
            tools={tested}
            untested={present.flatMap(({name, draft}) => (draft && draft.tests.length === 0 ? name : []))}
            call={(...call) => panel.call(...call)}
            wanted={wanted}
          />
        </OnceShown>
      ),
    },
    {
      id: 'make',
      title: 'Make a tool',
      view: (
        <OnceShown isShown={tab === 'make'}>
          <MakeView
            base={panel.base}
            studio={panel.studio}
            // Also while the panel is collapsed: on a small screen, people use the page then.
            isShown={tab === 'make'}
            nameOf={(id) => present.find(({draft}) => draft?.id === id)?.name}
            taken={[...present, ...missing].map(({name}) => name)}
            show={show}
            wanted={panel.wanted}
            forget={() => panel.forgetWanted()}
          />
        </OnceShown>
      ),
    },
  ]
  return (
    <aside ref={place} class={isOpen ? `panel open ${side}` : 'panel'} aria-label="Handrail">
      <Header panel={panel} count={present.length} isOpen={isOpen} setOpen={setOpen}>
        <button type="button" class="move" onClick={() => setSide(next)}>
          Move {next}
        </button>
      </Header>
      <div class="body" hidden={!isOpen}>
        {panel.sites.map((site) => (
          <Question key={site.siteId} site={site} />
        ))}
        <Tabs tabs={tabs} chosen={tab} choose={setTab} />
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

/** A choice that this tab of the browser remembers: a person who makes a tool goes from page to page. Its first value leaves nothing. */
function useKept(key: string, first: string, now?: string): [string, (value: string) => void] {
  const [value, setValue] = useState(() => now ?? keptInTab(key) ?? first)
  // At once: the page may be left before anything is painted.
  useLayoutEffect(() => keepInTab(key, value === first ? undefined : value), [key, value, first])
  return [value, setValue]
}
