import {LOAD_LOOKS, PRESS_LOOKS} from '../bounds.ts'
import {NOT_HERE} from '../outcome.ts'
import type {ReadingPlan} from '../plan.ts'
import {stop} from '../said.ts'
import {moreOf} from './otherPages.ts'
import {cutLists, type Found, isEmpty, type PartReaders, readParts} from './parts.ts'

/** A reading, with what it needs of the page and the functions that it needs. */
export type ReadingCall = ReadingPlan &
  PartReaders & {
    readonly document: Document
    readonly signal: AbortSignal
    readonly grow?: typeof grow
  }

/** Reads parts of the open page. @throws Error with what the agent reads, if the page has none of it */
export async function runReading(call: ReadingCall): Promise<unknown> {
  let found: Found = {}
  for (let look = 0; look <= LOAD_LOOKS && isEmpty(found); look += 1) {
    if (look) await wait()
    found = await readParts(call)
  }
  return resultOf(call, (await call.grow?.(call)) ?? found)
}

/** Waits a tenth of a second. */
function wait(): Promise<unknown> {
  return new Promise((resolve) => setTimeout(resolve, 100))
}

/** What an agent gets of what was read. @throws Error with what the agent reads, if the page has none of it */
export function resultOf({parts, nothing: message}: ReadingPlan, found: Found): unknown {
  if (!isEmpty(found)) return cutLists(found, parts)
  return message ? {found: 0, message} : stop(NOT_HERE)
}

/** Presses the buttons under lists, as a visitor does who wants more of them, and reads all parts. */
export async function grow(call: ReadingCall): Promise<Found> {
  const {parts, pages = 1, document, findAll, signal} = call
  for (const part of parts)
    if ('limit' in part) await growList(() => findAll(document, part.selector), pages - 1, signal)
  return readParts(call)
}

async function growList(find: () => Element[], presses: number, signal: AbortSignal): Promise<void> {
  const size = () =>
    find()
      .flatMap((one) => [one, ...one.querySelectorAll('*')])
      .filter((one) => one.checkVisibility()).length
  for (let press = 0; press < presses; press += 1) {
    signal.throwIfAborted()
    const before = size()
    const button = moreOf(find().at(-1))
    button?.click()
    for (let look = 0; button && look < PRESS_LOOKS && size() <= before; look += 1) {
      signal.throwIfAborted()
      await wait()
    }
    if (size() <= before) return
  }
}
