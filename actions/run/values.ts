import type {Arguments, Fixed, Joined, OnPage, Pair, Tree} from './plan.ts'

/** A page, as far as values that are sent come from it. */
export type ValuesOfPage = {
  querySelector(selector: string): {getAttribute(name: string): string | null} | null
  readonly cookie: string
}

/** The functions that read values which are no arguments, of which a tool has those that it needs. */
export type ValueReaders = {
  readonly fixed?: (value: Fixed, read: Reader['read']) => unknown
  readonly onPage?: (value: OnPage, page: ValuesOfPage) => string
  readonly joined?: (value: Joined, reader: Reader) => string | undefined
}

/** Reads values of one call. */
export type Reader = {
  readonly args: Arguments
  readonly read: (tree: Tree) => unknown
  /** Several of a list, none of what the agent leaves out. */
  readonly pairsOf: (pairs?: readonly Pair[]) => [name: string, text: string][]
}

/** The reader of a call. */
export function readerOf(args: Arguments, page: ValuesOfPage, readers: ValueReaders): Reader {
  const reader: Reader = {
    args,
    read: (tree) => {
      if ('parameter' in tree) return args[tree.parameter]
      if ('field' in tree || 'cookie' in tree) return readers.onPage?.(tree, page)
      if ('json' in tree || 'pairs' in tree || 'template' in tree) return readers.joined?.(tree, reader)
      return readers.fixed?.(tree, reader.read)
    },
    pairsOf: (pairs = []) =>
      pairs.flatMap(([name, value]) =>
        [reader.read(value) ?? []].flat().map((one): [string, string] => [name, `${one}`]),
      ),
  }
  return reader
}

/** What is always the same, or a group or a list of JSON. */
export function fixed(tree: Fixed, read: Reader['read']): unknown {
  if ('fixed' in tree) return tree.fixed
  if ('list' in tree) return tree.list.map(read)
  return Object.fromEntries(Object.entries(tree.group).map(([name, one]) => [name, read(one)]))
}

/** A text that is put together; undefined if the agent leaves out a part of it. */
export function joined(value: Joined, {args, read, pairsOf}: Reader): string | undefined {
  if ('json' in value) return JSON.stringify(read(value.json))
  if ('pairs' in value) return `${new URLSearchParams(pairsOf(value.pairs))}`
  const parts = value.template.map((part) => (typeof part === 'string' ? part : args[part.parameter]))
  return parts.includes(undefined) ? undefined : parts.join('')
}

/** What stands on the page now. It goes to the page's own website only, and is not kept. */
export function onPage(place: OnPage, page: ValuesOfPage): string {
  if ('cookie' in place) return cookieOf(place.cookie, page)
  const {field, attribute} = place
  const element = page.querySelector(field)
  const value = attribute ? element?.getAttribute(attribute) : element && 'value' in element && element.value
  if (!value) throw new Error(`The page has no “${field}”. Open another page of the website and try again.`)
  return `${value}`
}

function cookieOf(cookie: string, page: ValuesOfPage): string {
  const found = page.cookie.split('; ').find((one) => one.startsWith(`${cookie}=`))
  const value = found?.slice(cookie.length + 1)
  if (!value) throw new Error(`The page has no cookie “${cookie}”. The visitor may have to sign in first.`)
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
