import {useEffect, useState} from 'preact/hooks'
import {AgentsView} from '../agents/agentsView.tsx'
import {listAgents} from '../agents/listAgents.ts'
import {missingTools, presentTools} from '../entries.ts'
import {pageForms} from '../forms/pageForms.ts'
import type {Panel} from '../panel.ts'
import {CallsView} from './callsView.tsx'
import {FormsView} from './formsView.tsx'
import {Header} from './header.tsx'
import {MissingView} from './missingView.tsx'
import {Question} from './question.tsx'
import {type Tab, Tabs} from './tabs.tsx'
import {ToolsView} from './toolsView.tsx'

/** Milliseconds between two looks at the forms of the page. */
const FORMS_INTERVAL = 1_000

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
  const [tab, setTab] = useState('tools')
  const [forms, setForms] = useState(pageForms)
  useEffect(() => {
    if (!isOpen) return
    setForms(pageForms())
    const timer = setInterval(() => setForms(pageForms()), FORMS_INTERVAL)
    return () => clearInterval(timer)
  }, [isOpen])
  const present = presentTools(panel)
  const missing = missingTools(panel)
  const agents = listAgents(panel.tools)
  const tabs: Tab[] = [
    {id: 'tools', title: 'Tools', count: present.length, view: <ToolsView panel={panel} tools={present} />},
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
      view: <CallsView calls={panel.calls.list} />,
    },
    {id: 'forms', title: 'Forms', count: forms.length, view: <FormsView panel={panel} forms={forms} />},
    {id: 'agents', title: 'Agents', count: agents.length, view: <AgentsView agents={agents} />},
  ]
  return (
    <aside class={isOpen ? 'panel open' : 'panel'} aria-label="Handrail">
      <Header panel={panel} count={present.length} isOpen={isOpen} setOpen={setOpen} />
      <div class="body" hidden={!isOpen}>
        {panel.sites.map((site) => (
          <Question key={site.siteId} site={site} />
        ))}
        <Tabs tabs={tabs} chosen={tab} choose={setTab} />
      </div>
    </aside>
  )
}
