import {windowOf} from '../../snippet/webmcp.ts'
import type {Present} from '../entries.ts'
import type {Panel} from '../panel.ts'
import {OutcomeView} from '../parts/outcomeView.tsx'
import {Text} from '../parts/text.tsx'
import {KeepCallButton} from '../tests/keepCall.tsx'

/** The calls of the page, newest first. */
export function CallsView({panel, tools}: {panel: Panel; tools: readonly Present[]}) {
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
