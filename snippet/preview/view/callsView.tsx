import type {Call} from '../calls.ts'
import {OutcomeView, Text} from './outcomeView.tsx'

const MARKS: Record<Call['outcome']['kind'], string> = {
  running: 'running',
  stopped: 'stopped',
  unknown: 'called',
  result: 'result',
  error: 'error',
}

/** The calls of the page, newest first. */
export function CallsView({calls}: {calls: readonly Call[]}) {
  if (calls.length === 0)
    return <p class="empty">No tool was called yet. Calls appear here as they happen, those of agents too.</p>
  return (
    <ul class="list">
      {calls.map((call) => (
        <li key={call.id}>
          <details data-call={call.tool}>
            <summary>
              <code>{call.tool}</code>{' '}
              <span class={`badge ${call.outcome.kind}`}>{MARKS[call.outcome.kind]}</span>
              <span class="what">
                {call.by === 'agent' ? 'By an agent' : 'From this panel'}, {call.at.toLocaleTimeString()}
              </span>
            </summary>
            {call.args !== undefined && (
              <Text text={JSON.stringify(call.args, null, 2)} label={`Arguments of ${call.tool}`} />
            )}
            <OutcomeView call={call} />
          </details>
        </li>
      ))}
    </ul>
  )
}
