import type {Outcome} from '../../schemas/calls/counts.ts'
import {all, setTimeout} from '../page.ts'
import {type Counted, type Finish, running} from './counted.ts'
import {ANSWERED_WITHIN, FOLLOWS_WITHIN, REQUESTS_WITHIN} from './limits.ts'

/** What notes how the last call of each form stands when the next one begins, and returns what ends it with that. */
export const passing = new Map<string, () => () => void>()

export const REFUSED = 'the page marks a field or says why'

/** What says that the page did not take a form: as ARIA says it, or as frameworks do. Other forms say nothing of it. */
export function marksOf(form?: Element): Element[] {
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
export function endWithRequests(
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
    if (end) time.startedAt = performance.now() - (end - timeStamp)
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
