import type {Outcome} from '../../schemas/calls/counts.ts'
import type {FormTool} from '../config.ts'
import {membersOf} from '../members.ts'
import {addEventListener, all, contextOf, getAttribute, setTimeout} from '../page.ts'
import {begin, type Counted, end, endWith, type Finish, mayReport, running, senders} from './counted.ts'
import {endWithRequests, marksOf, passing, REFUSED} from './judged.ts'
import {LEFT_KEY, LEFT_WITHIN, REQUESTS_WITHIN} from './limits.ts'

export {follow} from './counted.ts'

const forms = new Map<unknown, Counted & {readonly text: string}>()

/** The forms that an agent has filled in, until they are sent. A call has not the time in which the visitor thinks. */
const filled = new Map<unknown, Counted>()

/** The names of forms that were sent before the browser said that an agent uses them: it does so afterwards, if it sends them itself. */
const sent = new Set<string>()

const seen = new WeakSet<Event>()

/** What ends the last call of each form that was sent. */
const ends = new Map<string, Finish>()

/** Of those, what ends the last one that the page answers. */
const answering = new Map<unknown, Finish>()

/** What the page answers for a form. Its last call of `respondWith()` counts. */
const answers = new WeakMap<Event, unknown>()

const {respondWith} = SubmitEvent.prototype
if (respondWith)
  Reflect.defineProperty(SubmitEvent.prototype, 'respondWith', {
    value(this: SubmitEvent, ...given: [unknown]) {
      respondWith.apply(this, given)
      answers.set(this, given[0])
    },
    configurable: true,
    writable: true,
  })

/** The browser calls form tools: from the time when an agent has filled in a form until it is sent. */
export function watchForms(siteUrl: string, formTools: readonly FormTool[], early?: SubmitEvent): void {
  const before = [...forms.values()].filter((form) => form.siteUrl === siteUrl)
  for (const {name} of before) forms.delete(name)
  for (const tool of formTools) {
    const {name, reportCalls} = tool
    if (reportCalls) forms.set(name, {name, reportCalls, siteUrl, text: JSON.stringify(tool)})
  }
  // The browser cancels calls of a form whose attributes change.
  for (const {name, text} of before) if (forms.get(name)?.text !== text) cancelAll(name)
  // Before this module was there.
  if (!isLoaded) for (const name of activeForms()) fillForm(name)
  isLoaded = true
  if (early) sendForm(early)
}

let isLoaded = false

/** The names of the forms that an agent has filled in. Within `:is()`, browsers may lack the selector. */
const activeForms = (): unknown[] =>
  all(':is(:tool-form-active)').map((form) => getAttribute.call(form, 'toolname'))

function fillForm(name: unknown): void {
  const form = forms.get(name)
  if (!form || sent.delete(form.name)) return
  // An agent may call it again instead of waiting longer.
  cancelForm(name)
  filled.set(name, form)
}

function sendForm(event: SubmitEvent): void {
  const {agentInvoked, target} = event
  const name = agentInvoked && target instanceof Element && getAttribute.call(target, 'toolname')
  // The config may have changed since it was filled in.
  const form = name && (filled.get(name) ?? forms.get(name))
  if (!form || seen.has(event) || sent.has(name)) return
  seen.add(event)
  // No phase: this module was loaded later.
  const {eventPhase, timeStamp} = event
  if (!filled.delete(name) && eventPhase) sent.add(name)
  const time = {
    startedAt: eventPhase ? performance.now() : timeStamp,
    href: location.href,
    marks: eventPhase ? marksOf(target) : [],
  }
  const pass = passing.get(name)?.()
  const finish = begin(event, form, time)
  // What a form leads to is not known here, so that it counts as sent.
  running.set(event, (outcome) => finish(answers.has(event) ? outcome : 'ok'))
  // The page answers during the event.
  setTimeout(() => {
    // No agent filled it in again: a double click, or the page sends it once more.
    if (sent.delete(name)) return void running.delete(event)
    pass?.()
    ends.set(name, finish)
    leaving = {...form, startedAt: performance.timeOrigin + time.startedAt, event}
    if (!event.defaultPrevented)
      // It may lead to another window, or to a file.
      setTimeout(() => {
        if (!isSource(event)) return finish('ok')
        setTimeout(() => {
          time.startedAt = performance.now() - REQUESTS_WITHIN
          finish('ok')
        }, LEFT_WITHIN - REQUESTS_WITHIN)
      }, REQUESTS_WITHIN)
    else if (answers.has(event)) {
      answering.set(name, finish)
      endWith(Promise.resolve(answers.get(event)), finish, {step: 2})
    } else endWithRequests(event, form, finish, time)
  })
}

/** The call of the last form that was sent. */
let leaving: (Counted & {readonly startedAt: number; readonly event: SubmitEvent}) | undefined

/** What the page is being left by: a form, its button, or a link. */
let source: unknown

function isSource({target, submitter}: SubmitEvent): boolean {
  return !!source && (source === target || source === submitter)
}

/** Leaves the call of a form to the page that the form leads to, which knows its status. */
function leave({activation}: PageSwapEvent): void {
  // Of a page of another origin, nothing is known.
  if (!leaving || !running.has(leaving.event) || !activation?.entry?.url || !mayReport(leaving)) return
  const {event, ...call} = leaving
  if (!isSource(event)) return
  try {
    sessionStorage[LEFT_KEY] = JSON.stringify({...call, key: navigation.currentEntry?.key})
    running.delete(event)
  } catch {}
}

/** Ends the call of a form that led here. */
function arrive(): void {
  try {
    const left = sessionStorage[LEFT_KEY]
    if (!left) return
    delete sessionStorage[LEFT_KEY]
    const {name, reportCalls, siteUrl, startedAt, key} = membersOf(JSON.parse(left))
    const [page] = performance.getEntriesByType('navigation')
    if (!(page instanceof PerformanceNavigationTiming)) return
    const since = performance.now() - page.responseEnd - performance.timeOrigin
    const finish = begin(
      page,
      {name: `${name}`, reportCalls, siteUrl: `${siteUrl}`},
      {startedAt: Number(startedAt) + since},
    )
    // A page without the tag may have been between them.
    const isNext = navigation.activation?.from?.key === key
    const status = isNext ? page.responseStatus : 0
    const arrived = () => {
      if (status > 399) finish('error', `status ${status}`)
      else if (isNext && marksOf()[0]) finish('error', REFUSED)
      else finish('ok')
    }
    if (document.readyState === 'loading') addEventListener('DOMContentLoaded', arrived)
    else arrived()
  } catch {}
}

function cancelForm(name: unknown, outcome: Outcome = 'cancelled'): void {
  const form = filled.get(name)
  if (form && filled.delete(name)) end(form, outcome, 0)
}

/** Ends the calls of a form that wait for the visitor or the page. */
function cancelAll(name: unknown): void {
  cancelForm(name)
  answering.get(name)?.('cancelled')
}

const context = contextOf()
context?.addEventListener?.('toolactivated', (event) => fillForm(Reflect.get(event, 'toolName')))
context?.addEventListener?.('toolcancel', (event) => {
  const name = Reflect.get(event, 'toolName')
  cancelForm(name)
  ends.get(name)?.('cancelled')
})
// The browser ends the call of a form that is removed, moved or renamed, without `toolcancel`.
context?.addEventListener?.('toolchange', () => {
  for (const name of [...filled.keys(), ...answering.keys()])
    if (!activeForms().includes(name)) cancelAll(name)
})
addEventListener('submit', (event) => sendForm(event), true)
// Chromium cancels the call of a form that is reset, without `toolcancel`. Pages also reset forms that were sent.
addEventListener(
  'reset',
  ({target}) => target instanceof Element && cancelAll(getAttribute.call(target, 'toolname')),
  true,
)
// The browser refuses a form with an invalid field, and says afterwards that an agent filled it in. Pages check fields, too.
addEventListener(
  'invalid',
  ({target}) => {
    const form: unknown = target && Reflect.get(target, 'form')
    const name = form instanceof Element && getAttribute.call(form, 'toolname')
    setTimeout(() => activeForms().includes(name) || cancelForm(name, 'refused'))
  },
  true,
)
addEventListener('pageswap', leave)
// Pages may have a variable of this name.
window.navigation?.addEventListener?.('navigate', ({sourceElement, destination}) => {
  // Other addresses, such as `mailto:`, lead to no page.
  source = destination.url.startsWith('http') && sourceElement
})
addEventListener('pagehide', () => {
  // A script sends a form without an event.
  if (source instanceof Element) cancelForm(getAttribute.call(source, 'toolname'), 'ok')
  for (const name of [...filled.keys()]) cancelForm(name)
  for (const finish of running.values()) finish('cancelled')
  for (const sender of senders.values()) sender.flush()
})
arrive()
