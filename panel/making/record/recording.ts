import type {Came} from '../../../actions/onPage.ts'

/** A request of the page. */
export type Note = {
  readonly method: string
  readonly address: string
  readonly body?: string
  /** The headers that the page sets. Their values are secrets: who takes them keeps none. */
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** The response to a request. */
export type Answer = Came & {
  /** Of the request, if it was not known before. */
  readonly body?: string
}
