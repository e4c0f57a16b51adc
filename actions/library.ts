/** A declaration of the functions that actions run, in the order in which they stand. */
export type Piece = {
  readonly text: string
  /** The positions of the pieces that it needs. */
  readonly needs: readonly number[]
}

/** The functions that actions run (`actions/run/`), as texts of which a tool has those that it needs. */
export type Library = {
  readonly pieces: readonly Piece[]
  /** Whether pieces are parts of one declaration. */
  readonly isShort: boolean
  /** Names of members in the texts that are shorter than in the sources. */
  readonly members: Readonly<Record<string, string | false>>
  /** The names in the texts, and the positions, of what `actions/run/all.ts` exports. */
  readonly names: Readonly<Record<string, {readonly name: string; readonly at: number}>>
}

/** Texts by what they have, such as `reads,list`: few sets make all tools. */
const known = new WeakMap<Library, Map<string, string>>()

/** The text of these functions and all that they need. */
export function textOf(library: Library, exported: readonly string[]): string {
  const texts = known.get(library) ?? new Map<string, string>()
  known.set(library, texts)
  const key = exported.join()
  const before = texts.get(key)
  if (before !== undefined) return before
  const kept = new Set(exported.flatMap((name) => library.names[name]?.at ?? []))
  // The loop reaches positions that it adds.
  for (const at of kept) for (const needed of library.pieces[at]?.needs ?? []) kept.add(needed)
  const pieces = library.pieces.flatMap(({text}, at) => (kept.has(at) ? [text] : []))
  const text = library.isShort ? `var ${pieces.join()};` : pieces.join('')
  texts.set(key, text)
  return text
}
