import {useMemo, useState} from 'preact/hooks'
import {operationOf} from '../../../making/exchange.ts'
import {inputsOf, problemOfBody} from '../../../making/inputs.ts'
import type {MakeProps} from '../makeProps.ts'
import type {Exchanges, Recorded} from './exchanges.ts'
import {addressShown, RequestTool} from './requestTool.tsx'
import type {Typed} from './typed.ts'

/** Lists what the page asks servers for, and makes a tool of a request. */
export function RecordMode(props: MakeProps & {recorder: Exchanges}) {
  const exchanges = props.recorder
  const [chosen, setChosen] = useState<Recorded>()
  if (chosen)
    return (
      <RequestTool
        key={chosen.id}
        {...props}
        exchange={chosen.exchange}
        typed={exchanges.typed}
        earlier={exchanges.earlierThan(chosen)}
        recorded={chosen}
        unlisted={exchanges.unlisted}
        back={() => setChosen(undefined)}
      />
    )
  const loadAgain = ({id, exchange}: Recorded) => {
    exchanges.remove(id)
    // It is recorded like those of the page.
    fetch(exchange.address, {headers: {accept: 'application/json'}}).catch(() => {})
  }
  return (
    <>
      <p>Use the page as a visitor: search, filter, open something. What the page requests appears here.</p>
      <ul class="list" aria-label="Requests of the page">
        {exchanges.list.map((recorded) => (
          <li key={recorded.id} class="item" data-request={recorded.exchange.address}>
            <RequestItem
              recorded={recorded}
              typed={exchanges.typed}
              choose={() => setChosen(recorded)}
              loadAgain={() => loadAgain(recorded)}
            />
          </li>
        ))}
      </ul>
      <p class="empty" role="status">
        {exchanges.list.length === 0 ? 'No request with data yet.' : `Requests: ${exchanges.list.length}`}
      </p>
    </>
  )
}

/** Not every page encodes as UTF-8. */
function queryShown(search: string): string {
  return [...new URLSearchParams(search)].map(([name, value]) => `${name}=${value}`).join('&')
}

const MISSING = {
  waiting: 'Waiting for the answer…',
  failed: 'The request failed, or the page’s policy blocked it.',
  large: 'The answer is too large for a tool.',
  page: 'The answer is a page: “On this page” lists what it has.',
  binary: 'The answer has no data or text that a tool can return.',
  unreadable: 'The other website does not let this page read the answer.',
} as const

function RequestItem(props: {
  recorded: Recorded
  typed: Typed | undefined
  choose: () => void
  loadAgain: () => void
}) {
  const {typed} = props
  const {exchange, status, missing, page} = props.recorded
  const {origin, search} = new URL(exchange.address)
  const isOfPage = origin === location.origin
  const problem = problemOfBody(exchange)
  const first = useMemo(
    () =>
      inputsOf(exchange, typed?.texts(), typed?.secrets()).find(
        ({place, use, isSecret}) => place === 'body' && use === 'parameter' && !isSecret,
      ),
    [exchange],
  )
  return (
    <>
      <span class="badge">{exchange.method}</span> <code>{addressShown(exchange.address)}</code>{' '}
      {operationOf(exchange)}
      {first && (
        <p class="facts">
          {first.name}={String(first.value).slice(0, 60)}
        </p>
      )}
      {search && <p class="facts">{queryShown(search)}</p>}
      {status ? <p class={status < 400 ? 'facts' : 'problem'}>Status {status}</p> : null}
      {problem && <p class="problem">{problem}</p>}
      {missing && missing !== 'timeline' && <p class="facts">{MISSING[missing]}</p>}
      {page && <p class="facts">{MISSING.page}</p>}
      {missing === 'timeline' && (
        <p class="facts">
          {isOfPage
            ? 'It was sent before the recording began, or in a way that cannot be recorded.'
            : 'Its answer is missing: the page sent it before the recording began. Do the same on the page again.'}
        </p>
      )}
      <p class="buttons">
        {missing === 'timeline' && isOfPage && (
          <button type="button" onClick={props.loadAgain}>
            Load it again
          </button>
        )}
        {!missing && !problem && (
          <button type="button" class="primary" onClick={props.choose}>
            Use this request
          </button>
        )}
      </p>
    </>
  )
}
