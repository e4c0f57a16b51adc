import {isRecord} from '../../schemas/rules/json.ts'

/** Why the changes of a document are not saved. */
export type Refusal = {
  /** `refused`: the lake refuses them as they are. `failed`: they could not be sent or stored, and are sent again. */
  readonly kind: 'refused' | 'failed'
  /** What the lake said, if it was reached and says why. */
  readonly reason?: string
}

/** Studio throws away what was typed after these responses; see `TERMINAL_COMMIT_STATUSES` in its source. */
const DISCARDING = [400, 402, 403, 404, 409, 410, 412, 413, 422]

/** A response after which Studio keeps what was typed, and tries again with a growing pause. */
const TRY_AGAIN = 503

/**
 * Knows which documents have changes that could not be saved.
 *
 * Studio answers a refused save by showing the document as the lake has it, and then says "Saved": what somebody typed
 * disappears without a word. So Studio gets another response, after which it keeps the text and tries again, and the
 * form says what happened. When the lake accepts the change later, nothing is lost.
 */
export class RefusedSaves {
  readonly #refusals = new Map<string, Refusal>()
  readonly #listeners = new Set<() => void>()

  /** The refusal of the last attempt to save a document, by its published ID. */
  of(documentId: string): Refusal | undefined {
    return this.#refusals.get(documentId)
  }

  /** @returns a function that stops listening */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** A `fetch` that watches Studio save documents. */
  watch(origin: string, inner: typeof fetch): typeof fetch {
    return async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input, origin)
      const saved = isSave(url) ? documentsIn(init?.body) : []
      if (saved.length === 0) return inner(input, init)
      let response: Response
      try {
        response = await inner(input, joining(init))
      } catch (error) {
        this.#set(saved, {kind: 'failed'})
        throw error
      }
      if (response.ok) {
        this.#set(saved, undefined)
        return response
      }
      if (!DISCARDING.includes(response.status)) {
        if (response.status >= 500)
          this.#set(saved, {kind: 'failed', ...causeIn(await response.clone().text())})
        return response
      }
      const body = await response.text()
      this.#set(saved, {kind: 'refused', ...reasonIn(body, response.status)})
      const {headers} = response
      return new Response(body, {status: TRY_AGAIN, headers})
    }
  }

  #set(documentIds: readonly string[], refusal: Refusal | undefined): void {
    for (const id of documentIds) {
      if (refusal === undefined) this.#refusals.delete(id)
      else this.#refusals.set(id, refusal)
    }
    for (const listener of this.#listeners) listener()
  }
}

/** Those of this tab. */
export const refusedSaves = new RefusedSaves()

/** Studio sends what was typed with this tag. Other changes, such as publishing, report their errors themselves. */
function isSave({pathname, searchParams}: URL): boolean {
  return (
    /\/data\/(?:actions|mutate)\//.test(pathname) &&
    /(?:^|\.)document\.commit$/.test(searchParams.get('tag') ?? '')
  )
}

function documentsIn(body: unknown): string[] {
  const ids = actionsIn(body).map((action) => member(action, 'publishedId'))
  return [...new Set(ids.filter((id) => typeof id === 'string'))]
}

/**
 * Changes a new document that somebody else has created at that moment, instead of insisting on creating it: the lake
 * would refuse it each time.
 */
function joining(init: RequestInit | undefined): RequestInit | undefined {
  const actions = actionsIn(init?.body)
  if (!actions.some((action) => member(action, 'ifExists') === 'fail')) return init
  const joined = actions.map((action) =>
    isRecord(action) && action.ifExists === 'fail' ? {...action, ifExists: 'ignore'} : action,
  )
  return {...init, body: JSON.stringify({...parsed(init?.body), actions: joined})}
}

function actionsIn(body: unknown): unknown[] {
  const {actions} = parsed(body)
  return Array.isArray(actions) ? actions : []
}

/** What the lake says about its refusal. */
function reasonIn(body: string, status: number): {reason?: string} {
  const {error} = parsed(body)
  const items = member(error, 'items')
  const [first]: unknown[] = Array.isArray(items) ? items : []
  const said = member(member(first, 'error'), 'description')
  if (typeof said === 'string') return {reason: said}
  // Somebody who may not write at all is refused before the lake looks at the document.
  if (status === 403)
    return {reason: 'you may no longer change this document. Ask an administrator of the site.'}
  const description = member(error, 'description')
  return typeof description === 'string' ? {reason: description} : {}
}

/** Why the lake can store nothing, such as a full disk. A proxy without a lake responds otherwise. */
function causeIn(body: string): {reason?: string} {
  const {statusCode, message} = parsed(body)
  if (statusCode !== 503 || typeof message !== 'string') return {}
  return {reason: `${message.replace(/^Nothing was saved: /, '')}.`}
}

function parsed(text: unknown): {[name: string]: unknown} {
  try {
    const value: unknown = typeof text === 'string' ? JSON.parse(text) : undefined
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

function member(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined
}
