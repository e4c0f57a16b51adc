import {useId} from 'preact/hooks'
import type {Row} from './run.ts'

/** To focus it once it is on the page. An effect would come later, after a key that is pressed at once. */
const focused = (element: HTMLElement | null) => element?.focus()

/** Asks before tests call tools that may change something, and names them. */
export function Question({rows, run, close}: {rows: readonly Row[]; run: () => void; close: () => void}) {
  const heading = useId()
  const tools = [...Map.groupBy(rows, ({tool}) => tool.draft.name)]
  return (
    <section ref={focused} class="note warning" aria-labelledby={heading} tabIndex={-1}>
      <h3 id={heading}>Run tests that may change something?</h3>
      <p>They call these tools on this page, in your name:</p>
      <ul>
        {tools.map(([name, own]) => (
          <li key={name}>
            <code>{name}</code> ({own.length === 1 ? '1 test' : `${own.length} tests`}):{' '}
            {own[0]?.tool.present?.tool.description}
          </li>
        ))}
      </ul>
      <p class="buttons">
        <button type="button" class="primary" onClick={run}>
          Run them
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </p>
    </section>
  )
}
