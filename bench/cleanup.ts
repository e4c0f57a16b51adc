/** What is to be undone when a benchmark ends, however it ends: the last thing first. */
export class Cleanup {
  #steps: (() => Promise<unknown>)[] = []

  defer(step: () => Promise<unknown>): void {
    this.#steps.push(step)
  }

  /** Undoes all of it, once. A step that fails does not keep the others from their turn. */
  async run(): Promise<void> {
    const steps = this.#steps.reverse()
    this.#steps = []
    for (const step of steps) await step().catch((error: unknown) => console.error(error))
  }
}
