import {type HandedKind, handedIn} from '../../making/studioLink.ts'
import {tabItems} from '../saving/storage.ts'

/** What a page handed to Studio. */
export type Handed = {
  readonly kind: HandedKind
  readonly value: unknown
  /** Of the page; empty: the browser does not say. */
  readonly origin: string
}

/** In the storage of Studio's tab: a person who has to sign in first leaves the address. */
const KEY = 'handrail-handed'

/** Takes a tool or a test out of Studio's address, before anything sends that address on. */
export function takeHanded(): void {
  if (typeof document === 'undefined') return
  const found = handedIn(location.hash)
  if (found === undefined) return
  history.replaceState(history.state, '', location.pathname + location.search)
  const handed: Handed = {...found, origin: URL.parse(document.referrer)?.origin ?? ''}
  tabItems.setItem(KEY, JSON.stringify(handed))
}

/** What was taken; undefined: nothing. */
export function readHanded(): Handed | undefined {
  const text = tabItems.getItem(KEY)
  return text === null ? undefined : JSON.parse(text)
}

/** Forgets it: it was saved or refused. */
export function forgetHanded(): void {
  tabItems.removeItem(KEY)
}
