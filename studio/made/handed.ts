import {toolIn} from '../../schemas/actions/propose/toolLink.ts'

/** What a page handed to Studio. */
export type Handed = {
  readonly tool: unknown
  /** Of the page; empty: the browser does not say. */
  readonly origin: string
}

/** In the storage of Studio's tab: a person who has to sign in first leaves the address. */
const KEY = 'handrail-made-tool'

/** Takes a tool out of Studio's address, before anything sends that address on. */
export function takeHanded(): void {
  if (typeof document === 'undefined') return
  const tool = toolIn(location.hash)
  if (tool === undefined) return
  history.replaceState(history.state, '', location.pathname + location.search)
  const handed: Handed = {tool, origin: URL.parse(document.referrer)?.origin ?? ''}
  sessionStorage.setItem(KEY, JSON.stringify(handed))
}

/** The tool that was taken; undefined: there is none. */
export function handedTool(): Handed | undefined {
  const text = sessionStorage.getItem(KEY)
  return text === null ? undefined : JSON.parse(text)
}

/** Forgets the tool: it was saved or refused. */
export function forgetHanded(): void {
  sessionStorage.removeItem(KEY)
}
