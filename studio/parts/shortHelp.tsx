import type {ReactElement} from 'react'

/** The first sentence, and the others. A colon begins no sentence. */
const SENTENCES = /^(.+?[^ ]{2}\.) (?=[“A-Z])(.+)$/s

/** Help under a field: one sentence, and more when somebody opens it. */
export function shortHelp(text: string): string | ReactElement {
  const [, first, more] = SENTENCES.exec(text) ?? []
  if (more === undefined) return text
  return (
    <details>
      <summary style={{cursor: 'pointer', listStyle: 'none'}}>
        {first} <u>More</u>
      </summary>
      {more}
    </details>
  )
}
