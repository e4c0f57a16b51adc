import type {Arguments, Pair, Tree} from './plan.ts'

/** A page, as far as values that are sent come from it. */
export type ValuesOfPage = {
  querySelector(selector: string): {getAttribute(name: string): string | null} | null
  readonly cookie: string
}

/** Reads a value that is not the name of a parameter. */
type ReadValue<Value extends Tree> = (value: Value, reader: Reader) => unknown

type With<Key extends string> = Extract<Tree, {readonly [key in Key]: unknown}>

/** The functions that read values, by the first name in these, of which a tool has those that it needs. */
export type ValueReaders = {
  readonly [Key in
    | 'fixed'
    | 'list'
    | 'group'
    | 'field'
    | 'cookie'
    | 'json'
    | 'pairs'
    | 'template']?: ReadValue<With<Key>>
}

/** Reads values of one call. */
export type Reader = {
  readonly args: Arguments
  readonly page: ValuesOfPage
  readonly read: (tree: Tree) => unknown
  /** Several of a list, none of what the agent leaves out. */
  readonly pairsOf: (pairs?: readonly Pair[]) => [name: string, text: string][]
}

/** The reader of a call. */
export function readerOf(args: Arguments, page: ValuesOfPage, readers: ValueReaders): Reader {
  const reader: Reader = {
    args,
    page,
    read: (tree) =>
      typeof tree === 'string' ? args[tree] : Object(readers)[Object.keys(tree)[0] ?? ''](tree, reader),
    pairsOf: (pairs = []) =>
      pairs.flatMap(([name, value]) =>
        [reader.read(value) ?? []].flat().map((one): [string, string] => [name, `${one}`]),
      ),
  }
  return reader
}

/** A text with a value in the place of each `{name}`. */
export function filled(text: string, valueFor: (name: string) => unknown): string {
  return text.replace(/{([^}]*)}/g, (_, name) => `${valueFor(name)}`)
}

/** What is always the same. */
export const fixed: ReadValue<With<'fixed'>> = (value) => value.fixed

/** A list of JSON. */
export const inList: ReadValue<With<'list'>> = ({list}, {read}) => list.map(read)

/** A group of JSON. */
export const inGroup: ReadValue<With<'group'>> = ({group}, {read}) =>
  Object.fromEntries(Object.entries(group).map(([name, one]) => [name, read(one)]))

/** A text that holds JSON. */
export const asJson: ReadValue<With<'json'>> = ({json}, {read}) => JSON.stringify(read(json))

/** A text that holds names and values, as in an address. */
export const asQuery: ReadValue<With<'pairs'>> = ({pairs}, {pairsOf}) =>
  `${new URLSearchParams(pairsOf(pairs))}`

/** A text with parameters in it; undefined if the agent leaves out one of them. */
export const asText: ReadValue<With<'template'>> = ({template}, {args}) => {
  let isWhole = true
  const text = filled(template, (name) => {
    isWhole &&= args[name] !== undefined
    return args[name]
  })
  return isWhole ? text : undefined
}

/** What stands in a field or an element of the page now. It goes to the page's own website only, and is not kept. */
export const onPage: ReadValue<With<'field'>> = ({field, attribute}, {page}) => {
  const element = page.querySelector(field)
  const value = attribute ? element?.getAttribute(attribute) : element && 'value' in element && element.value
  if (!value) throw new Error(`The page has no “${field}”. Open another page of the website and try again.`)
  return `${value}`
}

/** A cookie of the page now. It goes to the page's own website only, and is not kept. */
export const ofCookie: ReadValue<With<'cookie'>> = ({cookie}, {page}) => {
  const found = page.cookie.split('; ').find((one) => one.startsWith(`${cookie}=`))
  const value = found?.slice(cookie.length + 1)
  if (!value) throw new Error(`The page has no cookie “${cookie}”. The visitor may have to sign in first.`)
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
