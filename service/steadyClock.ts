/** How far the system clock may be set back without revalidating the cache, in milliseconds. */
const TOLERANCE = 1_000

/**
 * Interval between checks of the system clock while the clock is not read, in milliseconds. A step back that
 * is longer than the time since the last check is detected.
 */
const CHECK_INTERVAL = 1_000

/**
 * Creates a clock for ages, in milliseconds since 1970, that follows the system clock forwards, and continues from its last value when the system
 * clock is set back. A monotonic clock is not an alternative: it stops while the machine is suspended. Each
 * request reads this clock twice, so it reads a single underlying clock.
 * @param systemClock milliseconds since 1970.
 * @param onSetBack called when the system clock was set back: it is wrong now, or was wrong before.
 * @param checkEvery see `CHECK_INTERVAL`.
 * @returns the clock, and what stops watching the system clock, so that the process can exit
 */
export function steadyClock(systemClock: () => number, onSetBack: () => void, checkEvery = CHECK_INTERVAL) {
  let latest = systemClock()
  /** How far the system clock was set back in total. */
  let correction = 0

  function now(): number {
    const time = systemClock()
    const setBackBy = latest - time
    latest = time
    if (setBackBy > 0) {
      correction += setBackBy
      if (setBackBy > TOLERANCE) onSetBack()
    }
    return correction === 0 ? time : time + correction
  }

  const timer = setInterval(now, checkEvery).unref()
  return {now, stop: () => clearInterval(timer)}
}
