import {useEffect, useRef, useState} from 'preact/hooks'
import {callOf, plannedOf, returnedOf} from '../../../actions/onPage.ts'
import {pageOf} from '../../../actions/run/html/otherPages.ts'
import {type RequestCall, runRequest} from '../../../actions/run/request.ts'
import {argumentsOf} from '../../../making/exchange.ts'
import {isSearched} from '../../../making/inputs.ts'
import type {ProposedPart} from '../../../making/picked.ts'
import {isNothing} from '../../../schemas/calls/counts.ts'
import {isRecord} from '../../../schemas/record.ts'
import {requestChanges} from '../../../schemas/rules/hints/effects.ts'
import {messageOf} from '../../../snippet/messageOf.ts'
import {getAttribute, read} from '../../../snippet/page.ts'
import {controlsOf, fieldLabelOf, isControl, isText} from '../../forms/controls.ts'
import {methodOf, type PageForm} from '../../forms/pageForms.ts'
import type {Exchanges} from '../record/exchanges.ts'
import {wordsAlone} from '../record/searches.ts'
import {readPage, readPart} from '../run.ts'
import type {Proposal} from './proposals.ts'

/** A tool as it would be made. */
export type Whole = Proposal & {readonly fields: object | undefined}

/** What came of calling a tool once, as an agent calls it. */
export type Trial = {
  /** What an agent gets. */
  readonly value?: unknown
  /** What is wrong with the tool. */
  readonly problem?: string | undefined
  /** What it leaves to visitors. */
  readonly left?: string | undefined
  /** Whether it was not called, because that may change something: the value is of what the page got. */
  readonly isUnsent?: boolean
}

/**
 * Calls tools once, as an agent would, unless this may change something.
 * @returns what came of a tool; undefined while that is not known. And what calls it again, also if it may change something.
 */
export function useTrials(proposals: readonly Whole[], unlisted: Exchanges['unlisted']) {
  const [trials, setTrials] = useState<ReadonlyMap<string, {of: string; trial?: Trial}>>(new Map())
  /** Of each tool, the newest request and its answer: what is chosen of it changes more often. */
  const sent = useRef(new Map<string, {request: string; came: Promise<Response>}>())
  const keys = proposals.map((one) => one.key + ofFields(one)).join('\n')
  function call(proposal: Whole, isAsked: boolean): void {
    const {key} = proposal
    const of = ofFields(proposal)
    const send: RequestCall['fetch'] = async (address, init) => {
      const request = keyOf(address, init)
      const known = sent.current.get(key)
      const came = known?.request === request && !isAsked ? known.came : unlisted(() => fetch(address, init))
      sent.current.set(key, {request, came})
      return (await came).clone()
    }
    setTrials((before) => new Map(before).set(key, {of}))
    void trialOf(proposal, isAsked, send, unlisted).then((trial) =>
      setTrials((before) => (before.get(key)?.of === of ? new Map(before).set(key, {of, trial}) : before)),
    )
  }
  useEffect(() => {
    for (const proposal of proposals)
      if (trials.get(proposal.key)?.of !== ofFields(proposal)) call(proposal, false)
  }, [keys])
  return {
    trialOf: (proposal: Whole): Trial | undefined => {
      const known = trials.get(proposal.key)
      return known?.of === ofFields(proposal) ? known.trial : undefined
    },
    callAgain: (proposal: Whole) => call(proposal, true),
  }
}

function ofFields({fields}: Whole): string {
  return JSON.stringify(fields) ?? ''
}

function keyOf(address: URL, {body, signal: _, ...rest}: RequestInit): string {
  const text = body instanceof FormData || body instanceof URLSearchParams ? [...body] : body
  return JSON.stringify([address, rest, text])
}

/** Calls a tool once, as an agent would, unless this may change something and no person asked for it. */
export function trialOf(...trial: Parameters<typeof called>): Promise<Trial> {
  return called(...trial).catch((error: unknown) => ({
    problem: `Agents would get this error: ${messageOf(error)}`,
  }))
}

/** @throws what an agent would get */
async function called(
  {form, fields, recorded, parts, inputs = []}: Whole,
  isAsked: boolean,
  send: RequestCall['fetch'],
  unlisted: Exchanges['unlisted'],
): Promise<Trial> {
  if (form) return form.isSearch ? triedSearch(form, unlisted) : filled(form)
  if (!fields || 'link' in fields) return {}
  if (!('request' in fields && isRecord(fields.request))) {
    const read = 'reading' in fields ? Object(fields.reading).parts : []
    return {value: readPage(read)}
  }
  const planned = plannedOf({...fields})
  const args = argumentsOf(parts ? wordsAlone(inputs) : inputs)
  const isUnsent = !isAsked && requestChanges({action: 'request', request: fields.request})
  if (isUnsent)
    return {isUnsent, ...(recorded?.came && {value: await returnedOf(planned, args, recorded.came)})}
  const value = await runRequest(callOf(planned, args, send))
  if (isNothing(value)) return {value, problem: 'Called with what you searched for, it finds nothing.'}
  const lost = lostOf(parts?.map(({part}) => part) ?? [], value)
  return {value, left: lost && `Scripts of the page add ${lost}: agents do not get it.`}
}

/** What visitors see of parts of the page, and agents do not get: a part, or what the entries of a list differ in. */
function lostOf(parts: readonly ProposedPart[], value: unknown): string {
  const entriesOf = (read: unknown) => [read ?? []].flat().filter((entry) => entry !== '')
  const lost = parts.flatMap((part) => {
    const [shown, got] = [entriesOf(readPart(part)), entriesOf(Object(value)[part.name])]
    if (got.length === 0) return shown.length > 0 ? [part.name] : []
    const textsOf = (name: string) =>
      [shown.slice(0, got.length), got].map((all) =>
        // Addresses of one page may differ in what is sent with them.
        all.map((one) => String(Object(one)[name] || '').replace(/^(https?:[^?#]*).*/, '$1')),
      )
    const isLost = (name: string) => {
      const [seen, read] = textsOf(name).map((texts) => new Set(texts))
      return read?.size === 1 && (read.has('') ? !seen?.has('') : got.length > 1 && Number(seen?.size) > 1)
    }
    const isChanged = (name: string) => {
      const [seen = [], read = []] = textsOf(name)
      return got.length > 1 && 2 * seen.filter((text) => !read.includes(text)).length > seen.length
    }
    const names = isRecord(shown[0]) ? Object.keys(shown[0]) : []
    const areOthers = names.every(isChanged)
    return names.filter((name) => isLost(name) || (!areOthers && isChanged(name)))
  })
  return lost.map((name) => `“${name}”`).join(', ')
}

/** Fills in a copy of a form, which is not sent: only visitors send what may change something. */
function filled({element}: PageForm): Trial {
  const copy = element.cloneNode(true)
  if (!(copy instanceof HTMLFormElement)) return {}
  const usable = controlsOf(copy).filter((one) => !one.matches('[readonly], :disabled'))
  for (const control of usable)
    if (control instanceof HTMLSelectElement)
      control.value = [...control.options].find(({value, disabled}) => value && !disabled)?.value ?? ''
    else if (control instanceof HTMLInputElement && !isText(control)) control.checked = true
    else {
      control.value = 'a'
      // Numbers, days and times take no text.
      if (control.value === '' && control instanceof HTMLInputElement) control.stepUp()
    }
  const missing = [...read(HTMLFormElement, 'elements', copy)]
    .filter(isControl)
    .find(({validity}) => validity.valueMissing)
  return usable.length === 0
    ? {problem: 'Agents can fill in no field of this form now: all of them are locked.'}
    : {
        left:
          missing &&
          `Agents cannot fill in “${fieldLabelOf(missing) || missing.type}”, which the form requires: visitors have to.`,
      }
}

/** A word that no website has. */
const NO_WORD = 'qxzvkjw'

/** What a search of this website sends for words: by GET in its address, else in a body. Undefined: it takes none. */
export function sentBy({element}: PageForm, words: string) {
  const controls = controlsOf(element).filter(isText)
  const field = controls.find(({name, type}) => type === 'search' || isSearched(name)) ?? controls[0]
  const address = URL.parse(getAttribute.call(element, 'action') || location.href, document.baseURI)
  if (!field || address?.origin !== location.origin) return undefined
  const sent = words ? new FormData(element) : new FormData()
  if (words) sent.set(field.name, words)
  const pairs = [...sent].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
  const values = new URLSearchParams(pairs)
  if (methodOf(element) === 'post') return {address, body: values}
  address.search = String(values)
  return {address}
}

/** Whether a search opens the same page for any word, and no script of the page takes care of it. */
async function triedSearch(form: PageForm, unlisted: Exchanges['unlisted']): Promise<Trial> {
  const {element, heading} = form
  const target = sentBy(form, '')?.address
  if (!target) return {}
  const [known = 'a'] = /\p{L}{4,}/u.exec(`${heading} ${document.title}`) ?? []
  const words = RegExp(`${known}|${NO_WORD}`, 'g')
  const pageFor = async (word: string) => {
    const {address = target, body} = sentBy(form, word) ?? {}
    const page = await pageOf(await unlisted(() => fetch(address, body ? {method: 'POST', body} : {})))
    // Tokens and times are others each time.
    for (const hidden of page?.querySelectorAll('script, style, template') ?? []) hidden.remove()
    // Some pages say what was searched for.
    return page?.body.textContent.replaceAll(words, '')
  }
  // What finds nothing may look alike for all words, but not as the page of no search.
  const pages = [await pageFor(known), await pageFor(NO_WORD), await pageFor('')]
  if (new Set(pages).size > 1) return {}
  // Its own script may show what is found.
  const isTaken = !element.dispatchEvent(new SubmitEvent('submit', {bubbles: true, cancelable: true}))
  if (isTaken) return {}
  return target.pathname === location.pathname
    ? {
        problem:
          'It opens the same page for any word: this search works in the browser only, and agents get no results.',
      }
    : {
        left: 'Scripts of the page that it opens show what was found: agents do not get it.',
      }
}
