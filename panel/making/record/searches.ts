import {
  type FormField,
  type Input,
  inputsOf,
  inputsOfForm,
  isFlag,
  isSearched,
  nameOf,
  OF_ONE,
  PAGED,
} from '../../../making/inputs.ts'
import type {Exchange} from '../../../making/values.ts'
import {all, getAttribute} from '../../../snippet/page.ts'
import {controlsOf, type FormControl, fieldsOf, isControl, usableIn} from '../../forms/controls.ts'
import {linkedFields} from '../../forms/facets.ts'
import {methodOf, SAYS_SEARCH} from '../../forms/pageForms.ts'
import {idsHere, patternHere, type QueryThing, thingOfQuery} from '../../forms/thisPage.ts'
import {keepInTab, keptInTab} from '../../tabStorage.ts'
import type {Recorded} from './exchanges.ts'
import {placeInPage} from './pageValues.ts'
import {type Typed, textIn} from './typed.ts'

/** A request for a page, or for a part of one, with what somebody searched for. */
export type Searched = {
  readonly exchange: Exchange
  readonly inputs: readonly Input[]
  readonly headers?: Recorded['sent']
  readonly origin: string
  /** The pages that have what it sends; undefined: all. */
  readonly pages?: string | undefined
  /** What it found; undefined: it can be loaded again, because that changes nothing. */
  readonly found?: Document
  /** The address of the page without what was searched for. */
  readonly before: string
  /** What of its query says which of many things the page is about, and the address of another one. */
  readonly one?: QueryThing | undefined
}

/** @param pressed the text of the button: with POST, its words, the address, names, and what is always sent say whether something is looked up */
function searched(search: Omit<Searched, 'origin'>, pressed = ''): Searched | undefined {
  const {exchange, inputs} = search
  const words = [
    new URL(exchange.address).pathname,
    pressed,
    ...inputs.flatMap((input) => [nameOf(input), input.use === 'fixed' && input.value]),
  ].join(' ')
  const isSearch = exchange.method === 'GET' || SAYS_SEARCH.test(words)
  return isSearch && parametersOf(search).length > 0 ? {...search, origin: location.origin} : undefined
}

/** The request for a page, or a part of one, if its address has what somebody searched for. */
export function searchedHere(page = location.href): Searched | undefined {
  const url = new URL(page)
  const one = page === location.href ? thingOfQuery() : undefined
  const isOne = one && one.thing !== 'page'
  if (url.search === '' || (isOne && OF_ONE.test(one.name))) return undefined
  const before = url.origin + url.pathname
  const exchange = {method: 'GET', address: before + url.search}
  const ofForms = fieldsOf(controlsFor(url))
  // Something was searched for in the one that the page is about.
  const isTyped = ofForms.some(({name, choices}) => !choices && url.searchParams.get(name))
  if (isOne && !isTyped) return undefined
  const fields = [...(ofForms.length > 0 ? ofForms : fieldsSentTo(url)), ...linkedFields(url)]
  if (fields.some(({name}) => url.searchParams.get(name)))
    return searched({
      exchange,
      inputs: inputsOfForm(exchange, [...new Map(fields.map((one) => [one.name, one])).values()]),
      before,
    })
  const shown = all('input, select').filter(isControl).map(textIn)
  // Other values say which page it is.
  const typed = [...url.searchParams].flatMap(([name, value]) =>
    value && !PAGED.test(name) && !OF_ONE.test(name) && (shown.includes(value) || isSearched(name))
      ? [value]
      : [],
  )
  if (typed.length === 0) return undefined
  const inputs = inputsOf(exchange, typed).map((input) =>
    input.place === 'path'
      ? {...input, use: 'fixed' as const}
      : PAGED.test(input.name)
        ? {...input, use: 'leave' as const}
        : input,
  )
  return searched({exchange, inputs, before})
}

/** The request for this page as it is: a tool with it works on every page. */
export function pageHere(): Searched {
  const {origin, pathname, search} = location
  const exchange = {method: 'GET', address: origin + pathname + search}
  const inputs = inputsOf(exchange).map((input) =>
    (input.use === 'leave' && !isFlag(input)) || PAGED.test(input.name) || isSearched(input.name)
      ? {...input, use: 'leave' as const}
      : {...input, use: 'fixed' as const},
  )
  return {exchange, inputs, origin, before: origin + pathname}
}

/** This page if its query says which one it is, which no pattern of pages can. */
export function pageOfQuery(): Searched | undefined {
  const page = pageHere()
  const isOfQuery = page.inputs.some(({place, use}) => place === 'query' && use === 'fixed')
  return isOfQuery ? {...page, one: thingOfQuery()} : undefined
}

/** The page of the thing that agents ask for. */
export function ofThing(page: Searched): Searched {
  const inputs = page.inputs.map((input) =>
    input.place === 'query' && input.name === page.one?.name
      ? {...input, use: 'parameter' as const, isRequired: true, isOfPage: true}
      : input,
  )
  return {...page, inputs}
}

/** The fields of forms of the page that send to an address, or have what was sent there; else those in no form, which a script sends. */
function controlsFor({origin, pathname, searchParams}: URL): FormControl[] {
  const isSent = (control: FormControl) => searchParams.has(control.name) && control.checkVisibility()
  const forms = all<HTMLFormElement>('form').filter((form) => {
    if (/^(?:post|dialog)$/.test(methodOf(form))) return false
    const target = URL.parse(getAttribute.call(form, 'action') ?? '', document.baseURI)
    const isHere = target?.origin === origin && target.pathname === pathname
    return controlsOf(form).some(
      (control) => isSent(control) && (isHere || textIn(control) === searchParams.get(control.name)),
    )
  })
  const loose = forms.length > 0 ? [] : usableIn(all('input, select, textarea')).filter(({form}) => !form)
  return loose.some(isSent) ? loose : forms.flatMap(controlsOf)
}

/** A search with its words alone: what else agents can choose is not sent. Undefined: nothing else is. */
export function withWordsAlone({exchange, inputs}: Searched): string | undefined {
  const url = new URL(exchange.address)
  const {others} = sentIn(inputs)
  for (const {name} of others) url.searchParams.delete(name)
  return others.length > 0 ? url.href : undefined
}

/** A search that always sends what else was chosen; without words, one that agents have to choose for. */
export function withOthers(search: Searched): Searched {
  const {words, others} = sentIn(search.inputs)
  const changed = words ? {use: 'fixed' as const} : {isRequired: true}
  return {...search, inputs: search.inputs.map((one) => (others.includes(one) ? {...one, ...changed} : one))}
}

/** What is sent of the words alone. */
export function wordsAlone(inputs: readonly Input[]): Input[] {
  const {others} = sentIn(inputs)
  return inputs.filter((one) => !others.includes(one))
}

/** The words that were sent, and what else. */
function sentIn(inputs: readonly Input[]) {
  const sent = inputs.filter(({use, value}) => use === 'parameter' && String(value) !== '')
  const texts = sent.filter(({choices}) => !choices)
  const words = texts.find((one) => isSearched(nameOf(one))) ?? texts[0]
  return {words, others: sent.filter((one) => one !== words && !one.isRequired)}
}

/** What agents pass. */
export function parametersOf({inputs}: Pick<Searched, 'inputs'>): string[] {
  return inputs.flatMap(({use, parameter}) => (use === 'parameter' ? [parameter] : []))
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
): Input[] {
  return inputsOf(exchange, typed?.texts(), typed?.secrets(), {
    placeOf: (value) => places?.get(value),
    choicesOf: typed?.choicesOf,
    ids,
    earlier,
  })
}

type Known = Pick<Recorded, 'exchange'> & {
  readonly places?: Pick<Recorded['places'], 'get'>
  readonly ids?: readonly string[]
}

/** A form that a person sends, in the storage of the tab: the next page shows what it found. */
const KEY = 'handrail-panel-form'

/** Milliseconds after which another page is not what came back. */
const LONGEST = 60_000

/** What is kept of a form that was sent. */
type Sent = {
  readonly at: number
  readonly to?: string
  readonly fields: readonly FormField[]
  readonly search?: Searched
}

let last: Sent | undefined

/** What led to this page. */
function sentForm(): Sent {
  last ??= JSON.parse(keptInTab(KEY) ?? 'null') ?? {at: 0, fields: []}
  keepInTab(KEY, undefined)
  return last ?? {at: 0, fields: []}
}

/** The fields of the form that was sent to an address: what came back may lack it. */
function fieldsSentTo({href}: URL): readonly FormField[] {
  const {to, fields} = sentForm()
  return to === href.replace(/#.*/, '') ? fields : []
}

/**
 * Keeps the form that the browser sends, without secrets and without what stands on the page.
 * @returns a function that ends it
 */
export function watchForms(typed: Typed): () => void {
  let fields: readonly FormField[] = []
  const submitted = ({target}: Event) => {
    // A field may hide a member of its form.
    const controls = target instanceof HTMLFormElement ? controlsOf(target) : []
    const isSignIn = controls.some(({type}) => type === 'password')
    fields = isSignIn ? [] : fieldsOf(controls)
  }
  const keep = ({formData, destination: {url}}: NavigateEvent) => {
    const to = url.replace(/#.*/, '')
    const at = Date.now()
    const set = (sent: Sent) => {
      last = sent
      keepInTab(KEY, JSON.stringify(sent))
    }
    if (!formData && fields.length > 0) set({at, to, fields})
    const values = [...(formData ?? [])].flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    )
    const body = String(new URLSearchParams(values))
    const sent = {method: 'POST', address: url, body}
    if (body === '' || new URL(url).origin !== location.origin) return
    const known = {exchange: sent, places: {get: placeInPage}, ids: idsHere()}
    const all =
      fields.length > 0
        ? inputsOfForm(sent, fields, {placeOf: placeInPage, ids: known.ids})
        : inputsIn(known, typed)
    const inputs = all.map((input) =>
      input.use === 'page' || input.isSecret ? {...input, value: ''} : input,
    )
    const isOfPage = inputs.some(({page}) => page && 'selector' in page && !page.attribute)
    const pages = isOfPage ? patternHere() : undefined
    const exchange = {...sent, body: 'a='}
    const search = searched({exchange, inputs, pages, before: location.href}, typed.pressed())
    if (search) set({at, fields: [], search})
  }
  addEventListener('submit', submitted, {capture: true})
  window.navigation?.addEventListener('navigate', keep)
  return () => {
    removeEventListener('submit', submitted, {capture: true})
    window.navigation?.removeEventListener('navigate', keep)
  }
}

/** The search with POST that led to this page. */
export function takeForm(): Searched | undefined {
  const {search, at} = sentForm()
  return search && Date.now() - at < LONGEST ? {...search, found: document} : undefined
}
