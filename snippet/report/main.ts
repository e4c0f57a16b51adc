import {isNothing, type Outcome} from '../../schemas/calls/counts.ts'
import {errorText, hashText} from '../../schemas/calls/errorText.ts'
import type {Call, Progress} from '../calls.ts'
import type {FormTool} from '../config.ts'
import {isObject, membersOf} from '../members.ts'
import {messageOf} from '../messageOf.ts'
import {addEventListener, all, contextOf, getAttribute, setTimeout} from '../page.ts'
import {ANSWERED_WITHIN, FOLLOWS_WITHIN, LEFT_KEY, LEFT_WITHIN, REQUESTS_WITHIN} from './limits.ts'
import {Sender} from './sender.ts'

/** What is known of a call of a tool or form tool. */
type Counted = {
  readonly name: string
  /** `afterConsent`: counted once the page says that the visitor consents. */
  readonly reportCalls: unknown
  readonly siteUrl: string
}

type Finish = (outcome: Outcome, message?: unknown) => void

/** By the address of the site. */
const senders = new Map<string, Sender>()

/** What ends each call that has not ended, by its progress, or the event that sent its form. */
const running = new Map<object, Finish>()

const {handrail} = window
let isAllowed = handrail?.mayReport

if (handrail?.sites) {
  const others = handrail.reportCalls
  handrail.reportCalls = (given) => {
    others?.call(handrail, given)
    // Libraries for consent may pass undefined.
    isAllowed = !!given
    if (!isAllowed) for (const sender of senders.values()) sender.discard()
  }
}

function mayReport({reportCalls}: Pick<Counted, 'reportCalls'>): boolean {
  return isAllowed ?? reportCalls === 'on'
}

function end({name, reportCalls, siteUrl}: Counted, outcome: Outcome, duration: number, hash?: string): void {
  const event = new CustomEvent('handrail:call', {detail: {tool: name, outcome, duration}})
  EventTarget.prototype.dispatchEvent.call(document, event)
  if (!mayReport({reportCalls})) return
  const sender = senders.get(siteUrl) ?? new Sender(siteUrl)
  senders.set(siteUrl, sender)
  sender.add({tool: name, outcome, duration, hash})
}

/** @returns what ends a call, once. `time`: a question to the visitor moves its start. */
function begin(key: object, call: Counted, time: {readonly startedAt: number}, args?: unknown): Finish {
  const finish: Finish = (outcome, message) => {
    if (!running.delete(key)) return
    const hash = outcome === 'error' ? hashText(errorText(`${message}`, args)) : undefined
    end(call, outcome, Math.max(0, Date.now() - time.startedAt), hash)
  }
  running.set(key, finish)
  return finish
}

/** Ends a call with what its tool or its page returns. */
function endWith(result: Promise<unknown>, finish: Finish, progress: {readonly step: number}): void {
  result
    .then((value) => {
      const {isError, content} = membersOf(value)
      const [first]: unknown[] = Array.isArray(content) ? content : []
      // What cannot become JSON is an error for the agent, too.
      if (isObject(value)) JSON.stringify(value)
      if (isError === true) finish('error', membersOf(first).text)
      else finish(isNothing(value) ? 'none' : 'ok')
    })
    .catch((error) => {
      const message = messageOf(error)
      finish(outcomeOf(progress.step, message), message)
    })
    .catch(() => finish('error'))
}

/** Counts a call when it ends, or as cancelled when the page is left. */
export function follow(
  {tool, args, options, siteUrl}: Call,
  result: Promise<unknown>,
  progress: Progress,
): void {
  const {name, reportCalls} = tool
  const finish = begin(progress, {name, reportCalls, siteUrl}, progress, args)
  // A script may ignore the signal.
  const {signal} = options
  signal.addEventListener('abort', () => finish('cancelled'))
  if (signal.aborted) finish('cancelled')
  endWith(result, finish, progress)
}

/** How a call failed. What was said during the question to the visitor is in `ask/main.ts`, other words in `conditions/main.ts`. */
function outcomeOf(step: number, message: string): Outcome {
  if (step < 2 && message.startsWith('This tool is not offered')) return 'declined'
  if (step < 2 && message.startsWith('The page changed.')) return 'cancelled'
  if (step === 0) return 'refused'
  return step === 1 && message.startsWith('The visitor') ? 'declined' : 'error'
}

const forms = new Map<unknown, Counted & {readonly text: string}>()

/** The forms that an agent has filled in, until they are sent. A call has not the time in which the visitor thinks. */
const filled = new Map<unknown, Counted>()

/** The names of forms that were sent before the browser said that an agent uses them: it does so afterwards, if it sends them itself. */
const sent = new Set<string>()

const seen = new WeakSet<Event>()

/** What ends the last call of each form that was sent. */
const ends = new Map<string, Finish>()

/** What notes how the last call of each form stands when the next one begins, and returns what ends it with that. */
const passing = new Map<string, () => () => void>()

/** Of those, what ends the last one that the page answers. */
const answering = new Map<string, Finish>()

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
  for (const {name, text} of before)
    if (forms.get(name)?.text !== text) {
      cancelForm(name)
      answering.get(name)?.('cancelled')
    }
  // Before this module was there. Within `:is()`, browsers may lack the selector.
  if (!isLoaded)
    for (const form of all(':is(:tool-form-active)')) fillForm(getAttribute.call(form, 'toolname'))
  isLoaded = true
  if (early) sendForm(early)
}

let isLoaded = false

function fillForm(name: unknown): void {
  const form = forms.get(name)
  if (form && !sent.delete(form.name)) filled.set(form.name, form)
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
    startedAt: Date.now() - (eventPhase ? 0 : performance.now() - timeStamp),
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
    leaving = {...form, startedAt: time.startedAt, event}
    if (!event.defaultPrevented)
      // It may lead to another window, or to a file.
      setTimeout(() => {
        if (!isSource(event)) return finish('ok')
        setTimeout(() => {
          time.startedAt = Date.now() - REQUESTS_WITHIN
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
    const since = Date.now() - performance.timeOrigin - page.responseEnd
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

const REFUSED = 'the page marks a field or says why'

/** What says that the page did not take a form: as ARIA says it, or as frameworks do. Other forms say nothing of it. */
function marksOf(form?: Element): Element[] {
  return all(
    '[aria-invalid=true], .is-invalid, .errorlist, .field_with_errors, [class*=error-summary]',
  ).filter(
    (element) =>
      element.checkVisibility() &&
      (!form?.isConnected || (Reflect.get(element, 'form') ?? element.closest('form') ?? form) === form),
  )
}

/** The marks and the starts of requests by which calls of forms were judged. */
const judgedMarks = new WeakSet<Element>()
const judgedStarts = new Set<number>()

/** Ends the call of a form that the page took without an answer: with what the page sends and shows then, or with nothing. */
function endWithRequests(
  event: SubmitEvent,
  {name, siteUrl}: Counted,
  finish: Finish,
  time: {startedAt: number; readonly href: string; readonly marks: readonly Element[]},
): void {
  const {timeStamp, target} = event
  const requests: PerformanceResourceTiming[] = []
  let until = timeStamp + REQUESTS_WITHIN
  const take = (entries: PerformanceEntryList) => {
    for (const entry of entries)
      if (
        entry instanceof PerformanceResourceTiming &&
        // Of the page, which can read them.
        /^(?:fetch|xml)/.test(entry.initiatorType) &&
        entry.responseStatus &&
        !entry.name.startsWith(siteUrl)
      )
        requests.push(entry)
  }
  /** The requests that the page may have sent for the form, without those that it sends regularly. */
  const sentThen = () => {
    take(observer.takeRecords())
    const others = requests
      .filter(({startTime}) => !judgedStarts.has(startTime))
      .sort((a, b) => a.startTime - b.startTime)
    return others.filter((request) => {
      const same = others.filter(({name}) => name === request.name)
      const at = same.indexOf(request)
      const gap = (at: number) => Number(same[at]?.startTime) - Number(same[at - 1]?.startTime)
      const isRegular = [at - 1, at + 1].some((next) => Math.abs(gap(next) - gap(at)) < gap(at) / 2)
      return request.startTime > timeStamp && request.startTime < until && !isRegular
    })
  }
  let isLeft = () => location.href !== time.href
  // One that was there may stay for another wrong value.
  let newMarks = () =>
    marksOf(target instanceof Element ? target : undefined).filter(
      (mark) => judgedMarks.has(mark) || !time.marks.includes(mark),
    )
  /** By the first request, and those that follow one another after it: the page may watch itself. */
  const judge = (otherwise: Outcome) => {
    const found = sentThen()
    observer.disconnect()
    if (!running.has(event)) return
    let end = 0
    let status = 0
    for (const {startTime, responseEnd, responseStatus} of found)
      if (!end || (startTime >= end && startTime < end + FOLLOWS_WITHIN)) {
        end = responseEnd
        status = responseStatus
        judgedStarts.add(startTime)
      }
    if (end) time.startedAt = Date.now() - (end - timeStamp)
    const marks = newMarks()
    for (const mark of marks) judgedMarks.add(mark)
    if (status > 399) finish('error', `status ${status}`)
    else if (marks[0]) finish('error', REFUSED)
    else finish(end || isLeft() ? 'ok' : otherwise)
  }
  let isOver = false
  const look = () => {
    if (isOver && (sentThen()[0] || isLeft() || newMarks()[0])) judge('ok')
  }
  const observer = new PerformanceObserver((list) => {
    take(list.getEntries())
    look()
  })
  observer.observe({type: 'resource', buffered: true})
  // What a page leads to by itself is not known here.
  running.set(event, () => judge(isOver ? 'none' : 'ok'))
  const over = () => {
    isOver = true
    look()
  }
  passing.set(name, () => {
    const [now, left, marks] = [performance.now(), isLeft(), newMarks()]
    return () => {
      until = Math.min(until, now)
      isLeft = () => left
      newMarks = () => marks
      over()
    }
  })
  setTimeout(over, REQUESTS_WITHIN)
  // A request is known when it has ended.
  setTimeout(() => judge('none'), ANSWERED_WITHIN)
}

function cancelForm(name: unknown, outcome: Outcome = 'cancelled'): void {
  const form = filled.get(name)
  if (form && filled.delete(name)) end(form, outcome, 0)
}

const context = contextOf()
context?.addEventListener?.('toolactivated', (event) => fillForm(Reflect.get(event, 'toolName')))
context?.addEventListener?.('toolcancel', (event) => {
  const name = Reflect.get(event, 'toolName')
  cancelForm(name)
  ends.get(name)?.('cancelled')
})
addEventListener('submit', (event) => sendForm(event), true)
// Chromium cancels the call of a form that is reset, without `toolcancel`. Pages also reset forms that were sent.
addEventListener(
  'reset',
  ({target}) => target instanceof Element && cancelForm(getAttribute.call(target, 'toolname')),
  true,
)
// The browser refuses a form with an invalid field, and says afterwards that an agent filled it in. Pages check fields, too.
addEventListener(
  'invalid',
  ({target}) => {
    const form: unknown = target && Reflect.get(target, 'form')
    if (!(form instanceof HTMLFormElement)) return
    setTimeout(() => {
      if (!all(':is(:tool-form-active)').includes(form))
        cancelForm(getAttribute.call(form, 'toolname'), 'refused')
    })
  },
  true,
)
addEventListener('pageswap', leave)
// Pages may have a variable of this name.
window.navigation?.addEventListener?.('navigate', ({sourceElement}) => {
  source = sourceElement
})
addEventListener('pagehide', () => {
  for (const name of [...filled.keys()]) cancelForm(name)
  for (const finish of [...running.values()]) finish('cancelled')
  for (const sender of senders.values()) sender.flush()
})
arrive()
