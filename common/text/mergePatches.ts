import {
  adjustIndiciesToUcs2,
  applyPatches,
  DIFF_DELETE,
  DIFF_INSERT,
  type Diff,
  type Patch,
} from '@sanity/diff-match-patch'
import {align} from './alignment.ts'

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
