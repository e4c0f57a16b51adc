/** Counts per client, such as open connections. A count of zero takes no memory. */
export class Tally {
  readonly #counts = new Map<string, number>()

  of(client: string): number {
    return this.#counts.get(client) ?? 0
  }

  add(client: string, amount = 1): void {
    this.#counts.set(client, this.of(client) + amount)
  }

  remove(client: string, amount = 1): void {
    const left = this.of(client) - amount
    if (left > 0) this.#counts.set(client, left)
    else this.#counts.delete(client)
  }
}
