/** Costs of a difference between a pattern and a place in a text. */
const SKIPPED = 1_000
const GAP = 400
const GAP_CHARACTER = 10
const DISTANCE = 50
const MAX_DISTANCE = 4_000

/** A pattern of which less can be found is not in the text. */
const MIN_FOUND = 0.4

const NEVER = 2 ** 30

/** What the best way to a cell does with the last character. */
const MATCHED = 1
const MATCHED_AFTER_GAP = 2
const LEFT_OUT = 3

/** The number of steps that an alignment takes. */
function stepsOf(pattern: readonly string[], text: readonly string[]): number {
  return (pattern.length + 1) * (text.length + 1)
}

/**
 * Finds where the characters of a pattern are in a text from which others removed characters of the pattern, and to
 * which they added some in between. Both are lists of characters.
 * @param expected where the pattern would begin if the text were unchanged. The nearest of equal places is found.
 * @returns the index in the text of each character of the pattern: -1 for one that is gone. Undefined if the text has no
 * such place
 */
export function align(
  pattern: readonly string[],
  text: readonly string[],
  expected: number,
): number[] | undefined {
  const width = text.length + 1
  const steps = new Uint8Array(stepsOf(pattern, text))
  // The costs of the best way to each place in the text, for the pattern so far: `gap` if it ends with added text.
  let cost = new Int32Array(width)
  let gap = new Int32Array(width).fill(NEVER)
  for (let at = 0; at < width; at += 1) cost[at] = costOfDistance(Math.abs(at - expected))
  const gapsFrom = new Int32Array((pattern.length + 1) * width).fill(-1)
  for (const [index, character] of pattern.entries()) {
    const row = (index + 1) * width
    const nextCost = new Int32Array(width)
    const nextGap = new Int32Array(width).fill(NEVER)
    for (let at = 0; at < width; at += 1) {
      let best = (cost[at] ?? NEVER) + SKIPPED
      let step = LEFT_OUT
      if (at > 0 && text[at - 1] === character) {
        const before = cost[at - 1] ?? NEVER
        const beforeGap = gap[at - 1] ?? NEVER
        if (before <= best) {
          best = before
          step = MATCHED
        }
        if (beforeGap < best) {
          best = beforeGap
          step = MATCHED_AFTER_GAP
        }
      }
      nextCost[at] = best
      steps[row + at] = step
      if (at === 0) continue
      const opened = (nextCost[at - 1] ?? NEVER) + GAP + GAP_CHARACTER
      const continued = (nextGap[at - 1] ?? NEVER) + GAP_CHARACTER
      nextGap[at] = Math.min(opened, continued)
      gapsFrom[row + at] = opened <= continued ? at - 1 : (gapsFrom[row + at - 1] ?? -1)
    }
    cost = nextCost
    gap = nextGap
  }
  return traced(pattern.length, {width, steps, gapsFrom, end: indexOfLeast(cost)})
}

/** Others may have inserted much before the pattern, but similar parts of a text are often near each other. */
function costOfDistance(distance: number): number {
  return distance + Math.min(distance * DISTANCE, MAX_DISTANCE)
}

type Ways = {
  readonly width: number
  readonly steps: Uint8Array
  readonly gapsFrom: Int32Array
  readonly end: number
}

function traced(length: number, {width, steps, gapsFrom, end}: Ways): number[] | undefined {
  const found: number[] = Array(length).fill(-1)
  let count = 0
  let at = end
  for (let index = length - 1; index >= 0; index -= 1) {
    const step = steps[(index + 1) * width + at]
    if (step === LEFT_OUT) continue
    at -= 1
    found[index] = at
    count += 1
    if (step === MATCHED_AFTER_GAP) at = gapsFrom[index * width + at] ?? at
  }
  return count < length * MIN_FOUND ? undefined : found
}

function indexOfLeast(values: Int32Array): number {
  return values.reduce((least, value, index) => (value < (values[least] ?? NEVER) ? index : least), 0)
}
