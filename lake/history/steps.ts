import type {Document} from '../../content/document.ts'

/**
 * What a transaction did to one draft: `before` is missing if it created the draft, `after` if it removed it.
 */
export type Step = {
  readonly id: string
  readonly timestamp: string
  readonly author: string
  readonly before?: Document | undefined
  readonly after?: Document | undefined
}

export type Bounds = {
  /** Maximum steps of one draft. */
  readonly perDraft: number
  /** Maximum characters of JSON in total. */
  readonly inAll: number
}

type Kept = Step & {readonly size: number}

/** The last steps of every draft, within limits. */
export class Steps {
  readonly #bounds: Bounds
  /** By document, the least recently changed one first. */
  readonly #drafts = new Map<string, Kept[]>()
  #size = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** The steps of a draft, the oldest first. */
  of(id: string): readonly Step[] {
    return this.#drafts.get(id) ?? []
  }

  /** Every draft with its steps. */
  all(): Iterable<readonly [string, readonly Step[]]> {
    return this.#drafts
  }

  /** Adds the latest step of a draft. */
  add(id: string, step: Step): void {
    const size = step.after === undefined ? 100 : JSON.stringify(step.after).length
    const steps = [...(this.#drafts.get(id) ?? []), {...step, size}]
    this.#size += size
    if (steps.length > this.#bounds.perDraft) this.#size -= thin(steps)
    // Deleted and set again, so that it comes last.
    this.#drafts.delete(id)
    this.#drafts.set(id, steps)
    while (this.#size > this.#bounds.inAll) this.#forgetOldest()
  }

  #forgetOldest(): void {
    for (const [id, steps] of this.#drafts) {
      this.#size -= steps.shift()?.size ?? 0
      if (steps.length === 0) this.#drafts.delete(id)
      return
    }
    this.#size = 0
  }
}

/**
 * Makes room for one step, and returns its size. A person who types makes two steps a second, so this merges
 * the oldest two steps within one minute. It drops the oldest step only if there are none, so that a long
 * editing session keeps its beginning.
 */
function thin(steps: Kept[]): number {
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1]
    if (next === undefined || !areOneEdit(step, next)) continue
    const {before} = step
    steps.splice(index, 2, {...next, before})
    return step.size
  }
  return steps.shift()?.size ?? 0
}

function areOneEdit(a: Step, b: Step): boolean {
  const edits = a.before !== undefined && a.after !== undefined && b.after !== undefined
  return edits && a.author === b.author && a.timestamp.slice(0, 16) === b.timestamp.slice(0, 16)
}
