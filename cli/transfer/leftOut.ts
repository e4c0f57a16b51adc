import {printable} from '../printable.ts'

/** Maximum documents that are named per reason. */
const MAX_NAMED = 20

type Group = {count: number; readonly names: string[]; readonly isProblem: boolean}

/** The documents that a transfer leaves out, by reason. */
export class LeftOut {
  readonly #groups = new Map<string, Group>()

  /** Whether something was left out that a person has to look at. */
  get hasProblems(): boolean {
    return [...this.#groups.values()].some(({isProblem}) => isProblem)
  }

  /**
   * @param reason a part of a sentence: `drafts, which …`
   * @param isProblem false for what no transfer of this kind includes
   */
  add(reason: string, name: string, isProblem: boolean): void {
    const group = this.#groups.get(reason) ?? {count: 0, names: [], isProblem}
    this.#groups.set(reason, group)
    group.count += 1
    if (group.names.length < MAX_NAMED) group.names.push(name)
  }

  /** The report; empty if nothing was left out. */
  toString(): string {
    return Array.from(this.#groups, ([reason, {count, names}]) => {
      const more = count > names.length ? [`… and ${count - names.length} more`] : []
      return [`Left out: ${count} ${reason}`, ...names.map(printable), ...more].join('\n  ')
    })
      .map((lines) => `${lines}\n`)
      .join('')
  }
}
