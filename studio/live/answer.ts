/** The state of a request. */
export type Answer<T> =
  | {state: 'waiting'}
  | {state: 'answered'; value: T}
  /** Why it failed, in words for an editor. */
  | {state: 'failed'; problem: string}
