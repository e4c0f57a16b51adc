import {fileURLToPath} from 'node:url'

const REPLACED = '@sanity/diff-match-patch'
const IMPORTER = '/@sanity/mutator/'
const REPLACEMENT = fileURLToPath(new URL('../saving/textPatches.ts', import.meta.url))

/** The file that Studio's model of a document imports instead of a module; undefined for others. */
export function replacementOf(id: string, importer: string | undefined): string | undefined {
  return id === REPLACED && importer?.includes(IMPORTER) ? REPLACEMENT : undefined
}

/**
 * Studio applies patches of texts itself before the lake does, and shows the result. So it must merge them as the lake
 * does: the library leaves out what somebody typed where somebody else typed at the same time.
 */
export function mergedTexts() {
  return {name: 'merged-texts', enforce: 'pre' as const, resolveId: replacementOf}
}
