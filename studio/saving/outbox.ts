import type {RequestHandler} from '@sanity/client'
import {publishedIdOf} from '../../schemas/documentId.ts'
import {attempt, type Pause, pause, pauseAfter} from './attempts.ts'
import {parseSave, type Refusal, refusalIn, type Save, saveIn} from './saves.ts'
import {tabItems} from './storage.ts'

/** Milliseconds between two attempts at most: to reach the lake, and to ask it again for what it refuses. */
const LONGEST_PAUSE = {failed: 2_000, refused: 60_000, signedOut: 60_000}

/** Documents that are read as a form shows them. */
const DOCUMENTS = /\/data\/doc\/[^/]+\/([^/]+)$/

/** The keys in the storage of the tab: one with the IDs of all saves in their order, and one for each save. */
const INDEX = 'handrail.unsaved'
const keyOf = (transactionId: string) => `${INDEX}.${transactionId}`

type Options = {
  /** Keeps saves for a page that is loaded again. */
  readonly items: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  readonly wait: Pause
}

/**
 * Sends what was typed, in order, until the lake has it, and knows what it does not have yet.
 *
 * Studio must not learn that a save failed. It drops what was typed into a document without a draft when the first save
 * fails in any way, since it then believes that somebody deleted the draft. And it holds back what is typed while it waits
 * for a response, so that a tab that is loaded again would lose it. So saves are acknowledged here before the page can do
 * anything else, which a response of `fetch` is too late for, and sent again with the same transaction ID, by which the
 * lake applies each once. Studio shows the text, and "Saving…" until the lake tells it of the transaction.
 */
export class Outbox {
  readonly #items: Options['items']
  readonly #wait: Pause
  /** Saves that the lake has not acknowledged, by document, the oldest first. */
  readonly #queues = new Map<string, readonly Save[]>()
  /** Why they are not saved, by document, after the last attempt failed. */
  readonly #refusals = new Map<string, Refusal>()
  readonly #listeners = new Set<() => void>()
  /** Sends the saves. Undefined: Studio has another server than a lake. */
  #fetch: typeof fetch | undefined

  constructor({items, wait}: Options = {items: tabItems, wait: pause}) {
    this.#items = items
    this.#wait = wait
  }

  /** Why a document is not saved, by its published ID, after the last attempt failed. */
  of(documentId: string): Refusal | undefined {
    return this.#refusals.get(documentId)
  }

  /** Whether a page that is loaded again has what is not saved of a document: the storage of a tab may be full. */
  keeps(documentId: string): boolean {
    const kept = this.#kept().map(({transactionId}) => transactionId)
    return (this.#queues.get(documentId) ?? []).every(({transactionId}) => kept.includes(transactionId))
  }

  /** @returns a function that stops listening */
  readonly listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Forgets what is not saved of a document. */
  discard(documentId: string): void {
    for (const save of this.#queues.get(documentId) ?? []) this.#remove(save)
  }

  /** A `fetch` for the requests of Studio. Sends what was not saved before the page was loaded again. */
  watch(origin: string, inner: typeof fetch): typeof fetch {
    this.#fetch = inner
    for (const save of this.#kept()) this.#add(save, inner)
    return async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input, origin)
      // A form that is opened or connected again shows what the lake has.
      const [, ids = ''] = DOCUMENTS.exec(url.pathname) ?? []
      await Promise.all(ids.split(',').map((id) => this.#attempted(publishedIdOf(decodeURIComponent(id)))))
      return inner(input, init)
    }
  }

  /** Takes saves from the client of Studio. */
  readonly take: RequestHandler = async (request, next) => {
    const url = new URL(request.url)
    for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, String(value))
    const save = saveIn(url, request.body)
    if (save === undefined || this.#fetch === undefined) return next(request)
    this.#items.setItem(keyOf(save.transactionId), JSON.stringify(save))
    this.#add(save, this.#fetch)
    return {transactionId: save.transactionId}
  }

  /** Waits until a document is saved, or an attempt to save it has failed. */
  #attempted(documentId: string): Promise<void> {
    const isOver = () => !this.#queues.has(documentId) || this.#refusals.has(documentId)
    return new Promise((resolve) => {
      if (isOver()) return resolve()
      const stop = this.listen(() => {
        if (!isOver()) return
        stop()
        resolve()
      })
    })
  }

  #add(save: Save, inner: typeof fetch): void {
    const {documentId} = save
    const waiting = this.#queues.get(documentId)
    this.#set(documentId, [...(waiting ?? []), save])
    if (waiting === undefined) void this.#send(documentId, inner)
  }

  /** Sends the saves of a document until none is left. */
  async #send(documentId: string, inner: typeof fetch): Promise<void> {
    let failures = 0
    for (let save = this.#next(documentId); save !== undefined; save = this.#next(documentId)) {
      const refusal = await send(save, inner)
      if (refusal === undefined) {
        failures = 0
        this.#remove(save)
        continue
      }
      // Not if the document was discarded meanwhile.
      if (this.#queues.has(documentId)) this.#refusals.set(documentId, refusal)
      this.#tell()
      await this.#wait(pauseAfter(failures, LONGEST_PAUSE[refusal.kind]))
      failures += 1
    }
  }

  #next(documentId: string): Save | undefined {
    return this.#queues.get(documentId)?.[0]
  }

  #remove(save: Save): void {
    const saves = this.#queues.get(save.documentId) ?? []
    this.#set(
      save.documentId,
      saves.filter((other) => other !== save),
    )
    this.#items.removeItem(keyOf(save.transactionId))
  }

  #set(documentId: string, saves: readonly Save[]): void {
    if (saves.length > 0) this.#queues.set(documentId, saves)
    else {
      this.#queues.delete(documentId)
      this.#refusals.delete(documentId)
    }
    const ids = [...this.#queues.values()].flat().map(({transactionId}) => transactionId)
    if (ids.length === 0) this.#items.removeItem(INDEX)
    else this.#items.setItem(INDEX, ids.join(' '))
    this.#tell()
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener()
  }

  /** The saves that this tab had when its page was left. */
  #kept(): Save[] {
    const ids = this.#items.getItem(INDEX)?.split(' ') ?? []
    return ids.flatMap((id) => parseSave(this.#items.getItem(keyOf(id))) ?? [])
  }
}

/** That of this tab. */
export const outbox = new Outbox()

/** Sends a save once. Returns why it is not saved, if it is not. */
async function send({url, body}: Save, inner: typeof fetch): Promise<Refusal | undefined> {
  const headers = {'content-type': 'application/json'}
  try {
    const {response, body: text} = await attempt(inner, url, {method: 'POST', headers, body})
    return refusalIn(response, text)
  } catch {
    return {kind: 'failed'}
  }
}
