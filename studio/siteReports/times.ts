const DAY = 86_400_000

/** A day that is not long ago by its name, others as a date. */
export function dayOf(time: number, now: number): string {
  const date = new Date(time)
  if (date.toDateString() === new Date(now).toDateString()) return 'today'
  const format: Intl.DateTimeFormatOptions =
    now - time < 6 * DAY
      ? {weekday: 'long'}
      : {day: 'numeric', month: 'long', ...(now - time > 300 * DAY && {year: 'numeric'})}
  return date.toLocaleDateString('en-US', format)
}
