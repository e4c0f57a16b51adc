import type {Arguments, Pair, Tree} from './plan.ts'
import {stop} from './said.ts'

/** A page, as far as values that are sent come from it. */
type ValuesOfPage = {
  querySelector(selector: string): {getAttribute(name: string): string | null} | null
  readonly cookie: string
}

/** Reads a value that is not the name of a parameter. */
type ReadValue<Value extends Tree> = (value: Value, call: ValueCall) => unknown

type With<Key extends string> = Extract<Tree, {readonly [key in Key]: unknown}>

type Name = 'fixed' | 'several' | 'group' | 'field' | 'cookie' | 'json' | 'pairs' | 'template'

/** The functions that read values, by the first name in these, of which a tool has those that it needs. */
export type ValueReaders = {readonly [Key in Name]?: ReadValue<With<Key>>}

/** A call, as far as values need it. */
export type ValueCall = ValueReaders & {readonly args: Arguments; readonly document: ValuesOfPage}

/** What is sent of a value. */
export function sentOf(tree: Tree, call: ValueCall): unknown {
  return typeof tree === 'string' ? call.args[tree] : Object(call)[Object.keys(tree)[0] ?? ''](tree, call)
}

/** Names and texts: several of a list, none of what the agent leaves out. */
export function pairsOf(pairs: readonly Pair[] = [], call: ValueCall): [name: string, text: string][] {
  return pairs.flatMap(([name, value]) =>
    [sentOf(value, call) ?? []].flat().map((one): [string, string] => [name, `${one}`]),
  )
}

/** A text with a value in the place of each `{name}`. */
export function filled(text: string, valueFor: (name: string) => unknown): string {
  return text.replace(/{([^}]*)}/g, (_, name) => `${valueFor(name)}`)
}

/** What is always the same. */
export const fixed: ReadValue<With<'fixed'>> = (value) => value.fixed

/** A list of JSON. */
export const inList: ReadValue<With<'several'>> = ({several}, call) => several.map((one) => sentOf(one, call))

/** A group of JSON. */
export const inGroup: ReadValue<With<'group'>> = ({group}, call) =>
  Object.fromEntries(Object.entries(group).map(([name, one]) => [name, sentOf(one, call)]))

/** A text that holds JSON. */
export const asJson: ReadValue<With<'json'>> = ({json}, call) => JSON.stringify(sentOf(json, call))

/** A text that holds names and values, as in an address. */
export const asQuery: ReadValue<With<'pairs'>> = ({pairs}, call) =>
  `${new URLSearchParams(pairsOf(pairs, call))}`

/** A text with parameters in it; undefined if one of them is left out or empty. */
export const asText: ReadValue<With<'template'>> = ({template}, {args}) => {
  try {
    return filled(template, (name) => `${args[name] ?? ''}` || stop(name))
  } catch {
    return undefined
  }
}

/** What stands in a field or an element of the page now. It goes to the page's own website only, and is not kept. */
export const onPage: ReadValue<With<'field'>> = ({field, attribute}, {document}) => {
  const element = document.querySelector(field)
  const value = attribute ? element?.getAttribute(attribute) : element && 'value' in element && element.value
  if (!value) stop(`The page has no “${field}”. Try another page.`)
  return `${value}`
}

/** A cookie of the page now. It goes to the page's own website only, and is not kept. */
export const ofCookie: ReadValue<With<'cookie'>> = ({cookie}, {document}) => {
  const found = document.cookie.split('; ').find((one) => one.startsWith(`${cookie}=`))
  const value = found?.slice(cookie.length + 1)
  if (!value) stop(`The page has no cookie “${cookie}”. The visitor may have to sign in first.`)
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
