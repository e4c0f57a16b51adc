/** Characters of a text that are shown at most. */
const SHOWN_LENGTH = 20_000

/** A text, or another value as JSON, in a code font, which scrolls. */
export function Text({value, label}: {value: unknown; label: string}) {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
  const isCut = text.length > SHOWN_LENGTH
  return (
    <figure aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard. */}
      <pre tabIndex={0}>
        {text.slice(0, SHOWN_LENGTH)}
        {isCut && '\n… (shortened here)'}
      </pre>
    </figure>
  )
}
