import {
  adjustIndiciesToUcs2,
  applyPatches,
  DIFF_DELETE,
  DIFF_EQUAL,
  DIFF_INSERT,
  type Diff,
  type Patch,
  parsePatch,
} from '@sanity/diff-match-patch'
import {TooMuchWorkError, type Work} from './work.ts'

/** Characters that the library searches for at once, without the overlap of its parts. */
const PART_LENGTH = 24

/** Characters of context that the library needs on both sides of a change. */
const CONTEXT = 4

/** Units of {@link Work}, as measured. */
const UNITS_PER_HUNK = 200
const UNITS_PER_FUZZY_PART = 8_000

const OPTIONS = {allowExceedingIndices: true}

/**
 * Applies a patch in the format of `diffMatchPatch`. Studio sends one for each change of a string, based on
 * the text that it last received. If the text is still the same, the patch fits exactly, and its size does
 * not matter. If another editor has changed the text, the library searches for similar places, which is slow
 * for large patches and texts.
 * @throws TooMuchWorkError if the search would take too long
 * @throws Error for an invalid patch
 */
export function applyTextPatch(text: string, patch: string, work: Work): string {
  const hunks = patch.split('\n@@').length
  work.spend(hunks * UNITS_PER_HUNK + patch.length / 16)
  const patches = parsePatch(patch)
  work.spend(text.length / 4 + (hunks * text.length) / 80)
  const exact = applyExactly(text, patches)
  if (exact !== undefined) return exact
  try {
    work.spend(fuzzyUnits(text, patches))
  } catch (error) {
    if (!(error instanceof TooMuchWorkError)) throw error
    throw new TooMuchWorkError(
      'the text has changed, and this diffMatchPatch is too large to merge: use "set" with the whole text',
    )
  }
  return applyPatches(patches, text, OPTIONS)[0]
}

/** Applies the patch if every hunk fits at its exact position; undefined if one does not. */
function applyExactly(text: string, patches: Patch[]): string | undefined {
  let result = text
  const hunks = adjustIndiciesToUcs2(patches, text, OPTIONS)
  for (const [number, {diffs, start2}] of hunks.entries()) {
    const before = diffs.map(([type, part]) => (type === DIFF_INSERT ? '' : part)).join('')
    const after = diffs.map(([type, part]) => (type === DIFF_DELETE ? '' : part)).join('')
    const end = start2 + before.length
    if (start2 < 0 || end > result.length || !result.startsWith(before, start2)) return undefined
    // The library assumes that a hunk with less context is at an end of the text.
    if (number === 0 && start2 > 0 && lengthOf(diffs.at(0)) < CONTEXT) return undefined
    if (number === hunks.length - 1 && end < result.length && lengthOf(diffs.at(-1)) < CONTEXT)
      return undefined
    result = result.slice(0, start2) + after + result.slice(end)
  }
  return result
}

/** Characters of unchanged text. */
function lengthOf(diff: Diff | undefined): number {
  return diff?.[0] === DIFF_EQUAL ? diff[1].length : 0
}

/**
 * An upper bound of the library's search: it searches for each part of a hunk, and compares a long deletion
 * with the text at that place.
 */
function fuzzyUnits(text: string, patches: Patch[]): number {
  let units = 0
  for (const {diffs} of patches) {
    let length = 0
    for (const [type, part] of diffs) {
      if (type !== DIFF_INSERT) length += part.length
      if (type === DIFF_DELETE) units += (part.length * part.length) / 2
    }
    const parts = 1 + Math.ceil(length / PART_LENGTH)
    // For each part of a hunk, the library joins the rest of the hunk again.
    units += parts * (UNITS_PER_FUZZY_PART + text.length + length)
  }
  return units
}
