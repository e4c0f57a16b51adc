import {parsePatch} from '@sanity/diff-match-patch'
import {mergePatches} from '../../../common/text/mergePatches.ts'
import {type Operation, replaceItems, replaceMembers, TooMuchWorkError, type Work} from './place.ts'

// The operations of a patch, with the same results as `@sanity/mutator` in Studio.
// https://www.sanity.io/docs/http-reference/patches

export function set(value: unknown): Operation {
  return {
    ...replace(() => value, true),
    onItems(items, {indexes}, work) {
      work.spend(items.length + indexes.length)
      const copy = [...items]
      // The index after the last item appends; higher ones would leave holes.
      for (const index of indexes) if (index <= copy.length) copy[index] = value
      return copy
    },
  }
}

export function setIfMissing(value: unknown): Operation {
  return replace((known) => (known === undefined ? value : known), true)
}

export const unset: Operation = {
  creates: false,
  onItems: (items, {indexes}, work) => withoutItems(items, indexes, work),
  onMembers(object, names, work) {
    const gone = new Set(names)
    const entries = Object.entries(object)
    work.spend(entries.length)
    return Object.fromEntries(entries.filter(([name]) => !gone.has(name)))
  },
}

/** Adds to numbers. Other values stay unchanged. */
export function inc(delta: number): Operation {
  return replace((value) => {
    if (typeof value !== 'number') return value
    const sum = value + delta
    // JSON has no infinity: it would be stored as null.
    if (!Number.isFinite(sum)) throw new Error(`${value} plus ${delta} is too large for a number`)
    return sum
  })
}

/**
 * Patches strings. Other values stay unchanged. A missing text is an error, because the edit would be lost.
 */
export function diffMatchPatch(patch: string): Operation {
  return replace((value, work) => {
    if (value === undefined) throw new Error('There is no text that diffMatchPatch could change')
    return typeof value === 'string' ? applyTextPatch(value, patch, work) : value
  })
}

export function insert(position: 'before' | 'after' | 'replace', added: readonly unknown[]): Operation {
  return {
    creates: false,
    onItems(items, {indexes, start, end}, work) {
      work.spend(items.length + added.length)
      const kept = position === 'replace' ? withoutItems(items, indexes, work) : items
      const at = position === 'after' ? end : start
      return [...kept.slice(0, at), ...added, ...kept.slice(at)]
    },
    onMembers: (object) => object,
  }
}

/** @param change returns the new value; of a missing one, undefined */
function replace(change: (value: unknown, work: Work) => unknown, creates = false): Operation {
  return {
    creates,
    onItems: (items, {indexes}, work) => replaceItems(items, indexes, work, (item) => change(item, work)),
    onMembers: (object, names, work) => replaceMembers(object, names, work, (member) => change(member, work)),
  }
}

function withoutItems(items: readonly unknown[], indexes: readonly number[], work: Work): readonly unknown[] {
  const gone = new Set(indexes)
  work.spend(items.length)
  return items.filter((_, index) => !gone.has(index))
}

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
