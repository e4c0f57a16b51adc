import {membersOf} from '../../snippet/members.ts'
import {messageOf} from '../../snippet/messageOf.ts'
import type {RequestSeen} from '../../verdicts/cause.ts'
import type {Answer, Note, Recording} from '../traffic/recording.ts'

/** Characters of a response that are kept. */
const BODY = 300

/** Milliseconds that responses have to arrive after a call. */
const SETTLING = 1_000

type Seen = RequestSeen & {readonly address: string; readonly startedAt: number; readonly hasEnded: boolean}

/** The requests of the page during a test. */
export class Traffic implements Recording {
  readonly #origin: string
  readonly #isBlocked: (address: string) => boolean
  readonly #settling: number
  #seen: readonly Seen[] = []
  #ended: () => void = () => {}

  /**
   * @param origin of the page
   * @param isBlocked whether the policy of the page blocked an address
   */
  constructor(origin: string, isBlocked: (address: string) => boolean, settling: number = SETTLING) {
    this.#origin = origin
    this.#isBlocked = isBlocked
    this.#settling = settling
  }

  begin({method, address}: Note): number {
    const {origin, pathname, search} = new URL(address)
    const url = origin === this.#origin ? pathname + search : address
    const startedAt = performance.now()
    this.#seen = [...this.#seen, {method, url, address, startedAt, milliseconds: 0, hasEnded: false}]
    return this.#seen.length - 1
  }

  answer(id: number, {status, contentType, text}: Answer): void {
    this.#end(id, {status, contentType, body: text.slice(0, BODY)})
  }

  fail(id: number, error?: unknown): void {
    // The script has cancelled it.
    const isCancelled = membersOf(error).name === 'AbortError'
    this.#end(id, isCancelled ? {} : {failure: error === undefined ? 'no response' : messageOf(error)})
  }

  /** The requests, once they have ended or a second has passed. */
  async settled(): Promise<RequestSeen[]> {
    if (this.#isOpen())
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, this.#settling)
        this.#ended = () => {
          if (this.#isOpen()) return
          clearTimeout(timer)
          resolve()
        }
      })
    const now = performance.now()
    return this.#seen.map(({address, startedAt, hasEnded, milliseconds, failure, ...seen}) => ({
      ...seen,
      milliseconds: hasEnded ? milliseconds : now - startedAt,
      failure: failure !== undefined && this.#isBlocked(address) ? 'csp' : failure,
    }))
  }

  #isOpen(): boolean {
    return this.#seen.some(({hasEnded}) => !hasEnded)
  }

  #end(id: number, change: Partial<RequestSeen>): void {
    const now = performance.now()
    this.#seen = this.#seen.map((seen, at) =>
      at === id ? {...seen, ...change, milliseconds: now - seen.startedAt, hasEnded: true} : seen,
    )
    this.#ended()
  }
}
