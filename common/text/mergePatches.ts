import {
  adjustIndiciesToUcs2,
  applyPatches,
  DIFF_DELETE,
  DIFF_INSERT,
  type Diff,
  type Patch,
} from '@sanity/diff-match-patch'

/** Characters before and after its expected place in which a changed place is searched. */
const REACH = 500

/** Characters of the longest hunk that is aligned with the text. The library searches for the place of longer ones. */
const MAX_PATTERN = 250

/** Units of work, about 50 ns each, as measured. */
const UNITS_PER_STEP = 0.3
const UNITS_PER_CHARACTER = 0.1
const UNITS_PER_FUZZY_PART = 8_000

/** Characters for which the library searches at once, without the overlap of its parts. */
const PART_LENGTH = 24

const OPTIONS = {allowExceedingIndices: true}

/**
 * Applies patches to a text that others may have changed. What the patches insert is not lost: it is placed after the
 * characters that it followed, or where it would have been. They delete only what they name.
 *
 * `applyPatches` of the library leaves out a change when others have inserted a few characters at the same place.
 * @param spend is called before each search with its cost; it may throw
 */
export function mergePatches(
  patches: readonly Patch[],
  text: string,
  spend: (units: number) => void = () => {},
): string {
  let result = text
  let shift = 0
  for (const hunk of adjustIndiciesToUcs2([...patches], text, OPTIONS)) {
    const {diffs, start2} = hunk
    const before = without(DIFF_INSERT, diffs)
    const expected = clamped(start2 + shift, result)
    if (result.startsWith(before, expected)) {
      result = replaced(result, expected, before, without(DIFF_DELETE, diffs))
      continue
    }
    if (before.length > MAX_PATTERN) {
      spend(libraryUnits(hunk, result))
      const [changed, done] = applyPatches([hunk], result, OPTIONS)
      // What is inserted is kept, if the place of what was there is not found.
      result = done.every(Boolean) ? changed : replaced(result, expected, '', insertedBy(diffs))
      continue
    }
    spend(result.length * UNITS_PER_CHARACTER)
    const far = farPlaceOf(before, result, expected)
    if (far !== undefined) {
      result = replaced(result, far, before, without(DIFF_DELETE, diffs))
      shift = far - start2
      continue
    }
    spend(before.length * (before.length + 2 * REACH) * UNITS_PER_STEP)
    const merged = mergeHunk(result, diffs, expected)
    result = merged.text
    shift += merged.shift
  }
  return result
}

function replaced(text: string, at: number, before: string, after: string): string {
  return text.slice(0, at) + after + text.slice(at + before.length)
}

function insertedBy(diffs: readonly Diff[]): string {
  return diffs.map(([type, part]) => (type === DIFF_INSERT ? part : '')).join('')
}

/** The place of a text that has moved far, if there is only one. */
function farPlaceOf(before: string, text: string, expected: number): number | undefined {
  const at = text.indexOf(before)
  const isFar = at >= 0 && Math.abs(at - expected) > REACH
  return isFar && text.indexOf(before, at + 1) < 0 ? at : undefined
}

/** Changes the characters of a text that are those of the hunk, wherever they are now. */
function mergeHunk(
  text: string,
  diffs: readonly Diff[],
  expected: number,
): {readonly text: string; readonly shift: number} {
  const length = without(DIFF_INSERT, diffs).length
  const start = wholeCharacter(text, expected - REACH)
  const end = wholeCharacter(text, expected + length + REACH)
  const characters = [...text.slice(start, end)]
  const origin = [...text.slice(start, expected)].length
  const pattern = diffs.flatMap(([type, part]) => (type === DIFF_INSERT ? [] : [...part]))
  const found = align(pattern, characters, origin) ?? []
  const first = found.findIndex((at) => at >= 0)
  const inserted = new Map<number, string>()
  let place = found[first] ?? origin
  let index = 0
  for (const [type, part] of diffs) {
    if (type === DIFF_INSERT) {
      inserted.set(place, (inserted.get(place) ?? '') + part)
      continue
    }
    for (const end = index + [...part].length; index < end; index += 1) {
      const at = found[index] ?? -1
      if (first < 0) place = Math.min(place + 1, characters.length)
      if (at < 0) continue
      place = at + 1
      const isSure = isNextTo(found, index) || isOnlyOne(characters, found, index)
      if (type === DIFF_DELETE && isSure) characters[at] = ''
    }
  }
  const parts = characters.map((character, at) => (inserted.get(at) ?? '') + character)
  const last = inserted.get(characters.length) ?? ''
  return {
    text: text.slice(0, start) + parts.join('') + last + text.slice(end),
    shift: first < 0 ? 0 : (found[first] ?? 0) - first - origin,
  }
}

/** Whether a found character is still next to one that it was next to. */
function isNextTo(found: readonly number[], index: number): boolean {
  const at = found[index] ?? -1
  return (at > 0 && found[index - 1] === at - 1) || found[index + 1] === at + 1
}

/** Whether a found character is the only one of its kind between those that it was between. */
function isOnlyOne(characters: readonly string[], found: readonly number[], index: number): boolean {
  const before = found.findLast((at, other) => other < index && at >= 0) ?? -1
  const after = found.find((at, other) => other > index && at >= 0) ?? characters.length
  const between = characters.slice(before + 1, after)
  return between.filter((character) => character === characters[found[index] ?? -1]).length === 1
}

function without(left: Diff[0], diffs: readonly Diff[]): string {
  return diffs.map(([type, part]) => (type === left ? '' : part)).join('')
}

function clamped(at: number, text: string): number {
  return Math.min(Math.max(at, 0), text.length)
}

/** The same place, or the one before, which does not divide a character. */
function wholeCharacter(text: string, at: number): number {
  const place = clamped(at, text)
  const code = text.charCodeAt(place)
  return code >= 0xdc00 && code <= 0xdfff && place > 0 ? place - 1 : place
}

/**
 * An upper bound of the library's search: it searches for each part of a hunk, and compares a long deletion with the
 * text at that place.
 */
function libraryUnits({diffs}: Patch, text: string): number {
  let units = 0
  let length = 0
  for (const [type, part] of diffs) {
    if (type !== DIFF_INSERT) length += part.length
    if (type === DIFF_DELETE) units += (part.length * part.length) / 2
  }
  const parts = 1 + Math.ceil(length / PART_LENGTH)
  // For each part of a hunk, the library joins the rest of the hunk again.
  return units + parts * (UNITS_PER_FUZZY_PART + text.length + length)
}

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
function align(pattern: readonly string[], text: readonly string[], expected: number): number[] | undefined {
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
