import {parsePatch} from '@sanity/diff-match-patch'
import {mergePatches} from '../../../common/text/mergePatches.ts'
import {TooMuchWorkError, type Work} from './work.ts'

/** Units of {@link Work}, as measured. */
const UNITS_PER_HUNK = 200

/**
 * Applies a patch in the format of `diffMatchPatch`. Studio sends one for each change of a string, based on
 * the text that it last received. If the text is still the same, the patch fits exactly, and its size does
 * not matter. If somebody else has changed the text, similar places are searched, which is slow for large
 * patches.
 * @throws TooMuchWorkError if the search would take too long
 * @throws Error for an invalid patch
 */
export function applyTextPatch(text: string, patch: string, work: Work): string {
  const hunks = patch.split('\n@@').length
  work.spend(hunks * UNITS_PER_HUNK + patch.length / 16)
  const patches = parsePatch(patch)
  work.spend(text.length / 4 + (hunks * text.length) / 80)
  return mergePatches(patches, text, (units) => {
    try {
      work.spend(units)
    } catch (error) {
      if (!(error instanceof TooMuchWorkError)) throw error
      throw new TooMuchWorkError(
        'the text has changed, and this diffMatchPatch is too large to merge: use "set" with the whole text',
      )
    }
  })
}
