/** A clock for ages: milliseconds since 1970 that never go backwards. */
export type SteadyClock = {
  now(): number
  /** Stops watching the system's clock, so that the process can end. */
  stop(): void
}

/** Milliseconds that the system's clock may be set back without a doubt about what is fresh. */
const TOLERANCE = 1_000

/**
 * Milliseconds between two looks at the system's clock while nobody asks: a step back that is longer than the time since
 * the last look shows.
 */
const LOOK_EVERY = 1_000

/**
 * A clock that follows the system's clock forwards, and goes on from where it was when that is set back. A monotonic clock
 * alone would not do: it stands still while a machine is suspended. It is read twice for each request, so it reads one
 * clock and no second one.
 * @param systemClock milliseconds since 1970.
 * @param onSetBack called when the system's clock was set back: it is wrong now, or was wrong before.
 */
export function steadyClock(systemClock: () => number, onSetBack: () => void): SteadyClock {
  let latest = systemClock()
  /** By how much the system's clock was set back in all. */
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

  const timer = setInterval(now, LOOK_EVERY).unref()
  return {now, stop: () => clearInterval(timer)}
}
