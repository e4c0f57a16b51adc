import type {ConsumerListing} from '../../../schemas/agents/listings.ts'
import {aboutConsumer, countListed, groupRemarks, hintsInWords} from '../../../schemas/agents/words.ts'

/** Which agents get which tools of the page. */
export function AgentsView({agents}: {agents: readonly ConsumerListing[]}) {
  if (agents.length === 0) return <p class="empty">This page has no tools.</p>
  return (
    <ul class="list">
      {agents.map((listing) => (
        <li key={listing.consumer.id}>
          <Agent listing={listing} />
        </li>
      ))}
    </ul>
  )
}

function Agent({listing}: {listing: ConsumerListing}) {
  const {consumer, listings} = listing
  return (
    <details data-agent={consumer.id}>
      <summary>
        {consumer.title} <span class="badge">{countListed(listing)}</span>
      </summary>
      <p>{aboutConsumer(consumer)}</p>
      <ul class="advice">
        {groupRemarks(listing).map(({code, severity, tools, message, help}) => (
          <li key={code + message} class={severity === 'problem' ? 'warning' : 'info'}>
            <strong>{tools.join(', ')}: </strong>
            {message} {help}
          </li>
        ))}
      </ul>
      <p class="facts">
        {listings
          .map((one) => {
            const hints = hintsInWords(one)
            return one.name === undefined ? '' : `${one.name}${hints && ` (${hints})`}`
          })
          .filter(Boolean)
          .join(', ')}
      </p>
      <p class="facts">
        As of {consumer.date}: {consumer.source}.
      </p>
    </details>
  )
}
