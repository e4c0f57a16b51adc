/** Milliseconds by which the system's clock may fall behind before that counts as being set back. */
const TOLERANCE = 1_000

/**
 * A clock for ages: milliseconds since 1970 that never go backwards. A monotonic clock alone would not do, because it
 * stands still while a machine is suspended: so this one follows the system's clock, and goes on from where it was when
 * that is set back.
 * @param systemClock milliseconds since 1970.
 * @param onSetBack called when the system's clock was set back: it is wrong now, or was wrong before.
 */
export function steadyClock(systemClock: () => number, onSetBack: () => void): () => number {
  /** By how much the system's clock was ahead of the monotonic one, at most since it was last set back. */
  let lead = systemClock() - performance.now()
  let correction = 0
  let latest = Number.NEGATIVE_INFINITY
  return () => {
    const now = systemClock()
    const currentLead = now - performance.now()
    const setBackBy = lead - currentLead
    if (setBackBy > TOLERANCE) {
      correction += setBackBy
      lead = currentLead
    } else if (setBackBy < 0) lead = currentLead
    latest = Math.max(latest, now + correction)
    if (setBackBy > TOLERANCE) onSetBack()
    return latest
  }
}
