/** ISO 8601 with a time zone: a time without one is another time on each machine. */
const FORM = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

/** Parses a time, as milliseconds since 1970; undefined if there is no such time. */
export function parseIsoTime(value: unknown): number | undefined {
  const [text = '', day = ''] = (typeof value === 'string' && FORM.exec(value)) || []
  // `Date` would make March 3 of February 31.
  const midnight = Date.parse(`${day}T00:00Z`)
  const exists = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day)
  const time = Date.parse(text)
  return exists && !Number.isNaN(time) ? time : undefined
}
