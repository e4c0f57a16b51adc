import {LOAD_LOOKS, PRESS_LOOKS} from '../bounds.ts'
import {NOT_HERE} from '../outcome.ts'
import type {ReadingPlan} from '../plan.ts'
import {stop} from '../said.ts'
import {moreOf} from './otherPages.ts'
import {cutLists, isEmpty, type PartReaders, readParts} from './parts.ts'

/** A reading, with what it needs of the page and the functions that it needs. */
export type ReadingCall = ReadingPlan &
  PartReaders & {
    readonly document: Document
    readonly signal: AbortSignal
    readonly grow?: typeof grow
  }

/** Reads parts of the open page. @throws Error with what the agent reads, if the page has none of it */
export async function runReading(call: ReadingCall): Promise<unknown> {
  const {parts, document, signal} = call
  await until(() => !isEmpty(readParts(parts, document, call)), LOAD_LOOKS, signal)
  await call.grow?.(call)
  return readNow(call)
}

/** Looks ten times a second until something is so. */
async function until(isSo: () => boolean, looks: number, signal: AbortSignal): Promise<void> {
  for (let look = 0; look < looks && !isSo(); look += 1) {
    signal.throwIfAborted()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Reads the page as it is. @throws Error with what the agent reads, if the page has none of it */
export function readNow(call: Omit<ReadingCall, 'signal'>): unknown {
  const {parts, nothing: message, document} = call
  const found = readParts(parts, document, call)
  if (!isEmpty(found)) return cutLists(found, parts)
  return message ? {found: 0, message} : stop(NOT_HERE)
}

/** Presses the buttons under lists, as a visitor does who wants more of them. */
export async function grow({parts, pages = 1, document, findAll, signal}: ReadingCall): Promise<void> {
  for (const part of parts)
    if ('limit' in part) await growList(() => findAll(document, part.selector), pages - 1, signal)
}

async function growList(find: () => Element[], presses: number, signal: AbortSignal): Promise<void> {
  const size = () =>
    find()
      .flatMap((one) => [one, ...one.querySelectorAll('*')])
      .filter((one) => one.checkVisibility()).length
  for (let press = 0; press < presses; press += 1) {
    const before = size()
    const button = moreOf(find().at(-1))
    button?.click()
    if (button) await until(() => size() > before, PRESS_LOOKS, signal)
    if (size() <= before) return
  }
}
