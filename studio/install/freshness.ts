import {parsePollInterval} from '../../schemas/rules/pollInterval.ts'

/** Says how long pages may show the state before a change. */
export function describeFreshness(pollInterval: unknown): string {
  const parsed = parsePollInterval(pollInterval)
  const every = parsed.ok ? durationOf(parsed.value) : 'few minutes'
  return `After a change, a page may show the old tools for up to a minute, even after a reload. Pages that are already open check for changes every ${every}.`
}

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
