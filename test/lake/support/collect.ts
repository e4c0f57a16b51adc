import type {TestContext} from 'node:test'
import {PATIENCE} from '../../support/eventually.ts'

type Observable<T> = {
  subscribe(observer: {next(event: T): void; error(error: unknown): void}): {unsubscribe(): void}
}

/** Collects the events of a stream so that a test can await them one by one. */
export function collect<T>(context: TestContext, events: Observable<T>) {
  const all: T[] = []
  let taken = 0
  let failure: unknown
  let wake = () => {}
  const subscription = events.subscribe({
    next: (event) => {
      all.push(event)
      wake()
    },
    error: (error) => {
      failure = error
      wake()
    },
  })
  context.after(() => subscription.unsubscribe())
  return {
    all,
    /** The next event that matches; earlier ones are dropped. @throws the error of the stream */
    async until(passes: (event: T) => boolean): Promise<T> {
      const deadline = Date.now() + PATIENCE * 1_000
      for (;;) {
        for (; taken < all.length; taken += 1) {
          const event = all[taken]
          if (event === undefined || !passes(event)) continue
          taken += 1
          return event
        }
        if (failure !== undefined) throw failure
        if (Date.now() > deadline) throw new Error(`no such event arrived; received ${JSON.stringify(all)}`)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, 100) // a bound for the wait
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
    },
  }
}
