import {setImmediate} from 'node:timers/promises'
import {LRUCache} from 'lru-cache'
import {refuse} from './errors.ts'

/** Queries of one client that wait for their turn. A replica of the service asks 32 at once. */
const maxWaiting = 256
/** Milliseconds of a query that cost nothing: what a lookup needs on a busy day, many times over. */
const free = 50
/** Milliseconds beyond that which the queries of one client may take in {@link window} milliseconds. */
const allowance = 5_000
const window = 60_000
/** Clients whose time is remembered. */
const maxClients = 10_000

type Line = {length: number; end: Promise<unknown>}

/**
 * Lets clients take turns: in each turn of the event loop one query of each is answered, so that nobody waits for all
 * that another one asks. Whose queries are slow is refused for a while.
 */
export class Turns {
  readonly #lines = new Map<string, Line>()
  readonly #spent = new LRUCache<string, {milliseconds: number; until: number}>({max: maxClients})

  /**
   * Does work when it is the client's turn.
   * @throws HttpError 429
   */
  async take<T>(client: string, work: () => T): Promise<T> {
    const line = this.#lines.get(client) ?? {length: 0, end: Promise.resolve()}
    if (line.length >= maxWaiting) throw tooMany(1)
    this.#requireAllowance(client)
    line.length += 1
    this.#lines.set(client, line)
    const answer = line.end.then(() => setImmediate()).then(() => this.#timed(client, work))
    line.end = answer.catch(() => undefined)
    try {
      return await answer
    } finally {
      line.length -= 1
      if (line.length === 0) this.#lines.delete(client)
    }
  }

  #timed<T>(client: string, work: () => T): T {
    // Those that wait in the line were let in before it was known how slow they are.
    this.#requireAllowance(client)
    const start = performance.now()
    try {
      return work()
    } finally {
      const now = performance.now()
      const beyond = now - start - free
      const spent = this.#spent.get(client)
      if (beyond > 0 && spent !== undefined && now < spent.until) spent.milliseconds += beyond
      else if (beyond > 0) this.#spent.set(client, {milliseconds: beyond, until: now + window})
    }
  }

  #requireAllowance(client: string): void {
    const spent = this.#spent.get(client)
    if (spent === undefined || spent.milliseconds <= allowance) return
    const left = spent.until - performance.now()
    if (left > 0) throw tooMany(Math.ceil(left / 1_000))
  }
}

function tooMany(seconds: number): Error {
  return refuse.tooMuch('Queries without a session or a token are slow, or too many at once', seconds)
}
