import type {Answer} from './answer.ts'

/** Whether a page that was opened from Studio has done what is expected of it. */
export type Watched<T> =
  | {readonly state: 'waiting' | 'silent'}
  | {readonly state: 'seen'; readonly value: T}
  | {readonly state: 'failed'; readonly problem: string}

/** Times in milliseconds. */
export type Limits = {
  /** Between two requests. */
  readonly interval: number
  /** Until a page that has not done it counts as silent. */
  readonly silentAfter: number
  /** Until it is not asked for any more. */
  readonly endAfter: number
}

/** @param passed milliseconds since the page was opened */
export function watched<T>(
  answer: Answer<T | undefined>,
  passed: number,
  {silentAfter}: Pick<Limits, 'silentAfter'>,
): Watched<T> {
  if (answer.state !== 'answered') return answer
  const {value} = answer
  if (value !== undefined) return {state: 'seen', value}
  return {state: passed >= silentAfter ? 'silent' : 'waiting'}
}

/** How long to wait until the next request; undefined after the last one. */
export function pauseAfter(
  answer: Answer<unknown>,
  passed: number,
  {interval, endAfter}: Pick<Limits, 'interval' | 'endAfter'>,
): number | undefined {
  const isSeen = answer.state === 'answered' && answer.value !== undefined
  return isSeen || passed >= endAfter ? undefined : interval
}
