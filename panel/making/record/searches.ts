import {type Input, inputsOf, nameOf} from '../../../making/inputs.ts'
import type {Exchange} from '../../../making/values.ts'
import {all} from '../../../snippet/page.ts'
import {idsHere, patternHere} from '../../forms/thisPage.ts'
import {keepInTab, keptInTab} from '../../tabStorage.ts'
import type {Recorded} from './exchanges.ts'
import {placeInPage} from './pageValues.ts'
import type {Typed} from './typed.ts'

/** A request for a page, or for a part of one, with what somebody searched for. */
export type Searched = {
  readonly exchange: Exchange
  readonly inputs: readonly Input[]
  readonly headers?: Recorded['sent']
  readonly origin: string
  /** What agents pass. */
  readonly parameters: readonly string[]
  /** The pages that have what it sends; undefined: all. */
  readonly pages?: string | undefined
  /** What it found; undefined: it can be loaded again, because that changes nothing. */
  readonly found?: Document
  /** The address of the page without what was searched for. */
  readonly before: string
}

const SAYS_SEARCH = /search|find|filter|query|such|recherch|busca|ricerc|cerca|zoek|szuk|look/i

/** @param pressed the text of the button: with POST, its words, the address, names, and what is always sent say whether something is looked up */
function searched(search: Omit<Searched, 'parameters' | 'origin'>, pressed = ''): Searched | undefined {
  const {exchange, inputs} = search
  const parameters = inputs.flatMap(({use, parameter}) => (use === 'parameter' ? [parameter] : []))
  const words = [
    new URL(exchange.address).pathname,
    pressed,
    ...inputs.flatMap((input) => [nameOf(input), input.use === 'fixed' && input.value]),
  ].join(' ')
  const isSearch = exchange.method === 'GET' || SAYS_SEARCH.test(words)
  return isSearch && parameters.length > 0 ? {...search, parameters, origin: location.origin} : undefined
}

/** The request for a page, or a part of one, if its address has what somebody searched for. */
export function searchedHere(page = location.href): Searched | undefined {
  const {origin, pathname, search, searchParams} = new URL(page)
  const values = [...searchParams.values()].filter(Boolean)
  if (values.length === 0) return undefined
  const fields = all<HTMLInputElement>('input, select').map(({value}) => value)
  const shown = values.filter((value) => fields.includes(value))
  const exchange = {method: 'GET', address: origin + pathname + search}
  const inputs = inputsOf(exchange, shown.length > 0 ? shown : values).map((input) =>
    input.place === 'path' ? {...input, use: 'fixed' as const} : input,
  )
  return searched({exchange, inputs, before: origin + pathname})
}

/** The newest request of scripts for a part of a page, with what somebody searched for. */
export function searchedBy(list: readonly Recorded[], typed: Typed | undefined): Searched | undefined {
  const newest = list.find(
    ({exchange: {method, address}, missing, page, status = 0}) =>
      (page !== undefined || (missing === 'page' && method === 'GET')) &&
      status < 400 &&
      new URL(address).origin === location.origin,
  )
  if (newest?.page === undefined) return newest && searchedHere(newest.exchange.address)
  const {exchange, sent: headers, page: found, pressed} = newest
  const inputs = inputsIn(newest, typed)
  return searched({exchange, inputs, headers, found, before: location.href}, pressed)
}

/** What a request sends, by what is known of its page. */
export function inputsIn(
  {exchange, places, ids = []}: Known,
  typed: Typed | undefined,
  earlier: readonly Exchange[] = [],
  isClosed = false,
): Input[] {
  return inputsOf(exchange, typed?.texts(), typed?.secrets(), {
    placeOf: (value) => places?.get(value),
    choicesOf: typed?.choicesOf,
    ids,
    earlier,
    isClosed,
  })
}

type Known = Pick<Recorded, 'exchange'> & {
  readonly places?: Pick<Recorded['places'], 'get'>
  readonly ids?: readonly string[]
}

/** A form that a person sends with POST, in the storage of the tab: the next page shows what it found. */
const KEY = 'handrail-panel-form'

/** Milliseconds after which another page is not what came back. */
const LONGEST = 60_000

/**
 * Keeps the form that the browser sends, without secrets and without what stands on the page.
 * @returns a function that ends it
 */
export function watchForms(typed: Typed): () => void {
  const keep = ({formData, destination: {url}}: NavigateEvent) => {
    const values = [...(formData ?? [])].flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    )
    const body = String(new URLSearchParams(values))
    const sent = {method: 'POST', address: url, body}
    if (body === '' || new URL(url).origin !== location.origin) return
    const inputs = inputsIn({exchange: sent, places: {get: placeInPage}, ids: idsHere()}, typed).map(
      (input) => (input.use === 'page' || input.isSecret ? {...input, value: ''} : input),
    )
    const isOfPage = inputs.some(({page}) => page && 'selector' in page && !page.attribute)
    const pages = isOfPage ? patternHere() : undefined
    const exchange = {...sent, body: 'a='}
    const search = searched({exchange, inputs, pages, before: location.href}, typed.pressed())
    if (search) keepInTab(KEY, JSON.stringify({...search, at: Date.now()}))
  }
  window.navigation?.addEventListener('navigate', keep)
  return () => window.navigation?.removeEventListener('navigate', keep)
}

/** The form that led to this page. */
export function takeForm(): Searched | undefined {
  const kept: Searched & {at: number} = JSON.parse(keptInTab(KEY) ?? '{"at": 0}')
  keepInTab(KEY, undefined)
  return Date.now() - kept.at < LONGEST ? {...kept, found: document} : undefined
}
