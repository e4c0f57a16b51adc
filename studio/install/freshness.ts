import {parsePollInterval} from '../../schemas/rules/pollInterval.ts'

/** Says who gets a change when. */
export function describeFreshness(pollInterval: unknown): string {
  const parsed = parsePollInterval(pollInterval)
  const every = parsed.ok ? durationOf(parsed.value) : 'few minutes'
  return `New page loads get a change within a minute. Pages that are already open check for changes every ${every}. To see it now, reload the page.`
}

/** Who gets a change when, whatever the poll interval of the site is. */
export const REACHES_PAGES =
  'New page loads get the change within a minute, pages that are open when they next check, within 5 minutes unless the site has another poll interval. To see it now, reload the page.'

function durationOf(seconds: number): string {
  for (const [size, unit] of [
    [3_600, 'hour'],
    [60, 'minute'],
  ] as const) {
    if (seconds === size) return unit
    if (seconds % size === 0) return `${seconds / size} ${unit}s`
  }
  return `${seconds} seconds`
}
