import {
  DIFF_DELETE,
  DIFF_EQUAL,
  DIFF_INSERT,
  type Diff,
  makeDiff,
  makePatches,
  stringifyPatches,
} from '@sanity/diff-match-patch'

/** Replaces a range of a text. Positions are those before the change. */
export type TextChange = {readonly from: number; readonly to: number; readonly insert: string}

/** Characters of unchanged text at both ends of a change, by which it is found in a text that others have changed. */
const CONTEXT = 12

/** Texts that are kept as possible late echoes. */
const MAX_ECHOES = 100

/**
 * Keeps the text of a code editor and the value of a form equal, while several people and programs change it.
 *
 * The editor sends what was typed as patches, never the whole text: a whole text would undo what others changed and
 * this editor does not show yet. The form applies them to its newest value, and the Content Lake to its own.
 */
export class TextSync {
  /** The form's value, with the patches of this editor. */
  #value: string
  /** The text in the editor. It differs from the value in line ends only. */
  #shown: string
  /** Earlier values. The form may render one of them after more was typed. */
  #echoes: string[] = []

  constructor(value: string) {
    this.#value = value
    this.#shown = withEditorLineEnds(value)
  }

  /** The text that the editor shows. */
  get text(): string {
    return this.#shown
  }

  /**
   * Notes what was typed in the editor.
   * @param changes in the order of their positions
   * @returns a patch for `diffMatchPatch`, relative to the value of which the form knows
   */
  typed(changes: readonly TextChange[]): string {
    const before = this.#value
    const diffs = diffsOf(this.#shown, changes)
    const text = diffs.map(([type, part]) => (type === DIFF_DELETE ? '' : part)).join('')
    // The patch of a text from Windows also replaces its line ends, as the editor did.
    const patches = makePatches(before, before === this.#shown ? diffs : makeDiff(before, text), {
      margin: CONTEXT,
    })
    this.#echoes = [...this.#echoes, before].slice(-MAX_ECHOES)
    this.#value = text
    this.#shown = text
    return stringifyPatches(patches)
  }

  /**
   * Notes a value of the form.
   * @returns what to change in the editor: nothing for a value that this editor sent
   */
  received(value: string): TextChange[] {
    if (value === this.#value) {
      this.#echoes = []
      return []
    }
    const late = this.#echoes.indexOf(value)
    if (late >= 0) {
      this.#echoes = this.#echoes.slice(late + 1)
      return []
    }
    const text = withEditorLineEnds(value)
    const changes = changesOf(makeDiff(this.#shown, text))
    this.#echoes = []
    this.#value = value
    this.#shown = text
    return changes
  }

  /** Call this some time after the last change: a value that the form still has then is no late echo. */
  settle(): void {
    this.#echoes = []
  }
}

/** Editors use line feeds only. */
function withEditorLineEnds(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}

function diffsOf(text: string, changes: readonly TextChange[]): Diff[] {
  const diffs: Diff[] = []
  const add = (type: Diff[0], part: string) => {
    if (part !== '') diffs.push([type, part])
  }
  let end = 0
  for (const {from, to, insert} of changes) {
    add(DIFF_EQUAL, text.slice(end, from))
    add(DIFF_DELETE, text.slice(from, to))
    add(DIFF_INSERT, insert)
    end = to
  }
  add(DIFF_EQUAL, text.slice(end))
  return diffs
}

function changesOf(diffs: readonly Diff[]): TextChange[] {
  const changes: TextChange[] = []
  let from = 0
  let to = 0
  let insert = ''
  const flush = () => {
    if (to > from || insert !== '') changes.push({from, to, insert})
    from = to
    insert = ''
  }
  for (const [type, part] of diffs) {
    if (type === DIFF_INSERT) insert += part
    else if (type === DIFF_DELETE) to += part.length
    else {
      flush()
      from += part.length
      to = from
    }
  }
  flush()
  return changes
}
