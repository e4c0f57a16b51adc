import type {Patch} from '@sanity/diff-match-patch'
import {mergePatches} from '../../common/text/mergePatches.ts'

// What Studio's model of a document gets instead of the library: see `build/mergedTexts.ts`.

export * from '@sanity/diff-match-patch'

/** Applies patches as the lake does. Whether each one fits exactly is not told. */
export function applyPatches(patches: readonly Patch[], text: string): [text: string, results: boolean[]] {
  return [mergePatches(patches, text), []]
}
