/** Cleanup steps to run when a benchmark ends for any reason, in reverse order. */
export class Cleanup {
  #steps: (() => Promise<unknown>)[] = []

  defer(step: () => Promise<unknown>): void {
    this.#steps.push(step)
  }

  /** Runs all steps once. If a step fails, the others still run. */
  async run(): Promise<void> {
    const steps = this.#steps.reverse()
    this.#steps = []
    for (const step of steps) await step().catch((error: unknown) => console.error(error))
  }
}
