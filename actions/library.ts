/** A declaration of the functions that actions run. */
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

/** The text of these functions and all that they need. Texts that begin with the same functions compress best. */
export function textOf(library: Library, exported: readonly string[]): string {
  const texts = known.get(library) ?? new Map<string, string>()
  known.set(library, texts)
  const key = exported.join()
  const before = texts.get(key)
  if (before !== undefined) return before
  const pieces: string[] = []
  const seen = new Set<number>()
  // What a piece needs stands before it.
  const add = (at: number) => {
    const piece = library.pieces[at]
    if (!piece || seen.has(at)) return
    seen.add(at)
    piece.needs.forEach(add)
    pieces.push(piece.text)
  }
  for (const name of exported) add(library.names[name]?.at ?? -1)
  const text = library.isShort ? `var ${pieces.join()};` : pieces.join('')
  texts.set(key, text)
  return text
}
