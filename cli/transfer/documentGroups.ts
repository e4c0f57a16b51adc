import {printable} from '../printable.ts'

/** Maximum documents that are named per reason. */
const MAX_NAMED = 20

type Group = {count: number; readonly names: string[]; readonly isProblem: boolean}

/** Documents to report, by reason. */
export class DocumentGroups {
  readonly #heading: string
  readonly #groups = new Map<string, Group>()

  /** @param heading such as `Left out` */
  constructor(heading: string) {
    this.#heading = heading
  }

  /** Whether a person has to look at something. */
  get hasProblems(): boolean {
    return [...this.#groups.values()].some(({isProblem}) => isProblem)
  }

  /**
   * @param reason follows the heading and the count: `drafts, which …`
   * @param isProblem false for what needs no attention
   */
  add(reason: string, name: string, isProblem: boolean): void {
    const group = this.#groups.get(reason) ?? {count: 0, names: [], isProblem}
    this.#groups.set(reason, group)
    group.count += 1
    if (group.names.length < MAX_NAMED) group.names.push(name)
  }

  /** The report; empty without documents. */
  toString(): string {
    return Array.from(this.#groups, ([reason, {count, names}]) => {
      const more = count > names.length ? [`… and ${count - names.length} more`] : []
      return [`${this.#heading}: ${count} ${reason}`, ...names.map(printable), ...more].join('\n  ')
    })
      .map((lines) => `${lines}\n`)
      .join('')
  }
}
