import {membersOf} from '../members.ts'
import {UNANSWERED} from '../webmcp.ts'

// page.ts would take more than this bundle needs. A field of a form hides a method of its name.
const {addEventListener} = window
const {getAttribute} = Element.prototype

/**
 * Answers for pages that send a site's form tool themselves and do not call `respondWith()`: browsers tell the agent that
 * such a call failed, although the form was sent. Only the last call of `respondWith()` counts, so this is the first one, at
 * once when the page prevents the submission: the page's answer wins whenever it comes
 * (docs/decisions/0067-calls-in-a-module-of-their-own.md).
 */
function answerForPages(): void {
  const {preventDefault, respondWith} = SubmitEvent.prototype
  // Not in browsers without WebMCP.
  if (!respondWith) return
  const answered = new WeakSet<Event>()

  const answer = (event: SubmitEvent) => {
    const {agentInvoked, defaultPrevented, target} = event
    if (agentInvoked && defaultPrevented && !answered.has(event) && isFormTool(target)) {
      answered.add(event)
      // What counts calls knows the answers of pages by the other one.
      respondWith.call(event, UNANSWERED)
    }
  }
  const isNoted = replace('respondWith', function (...given) {
    respondWith.apply(this, given)
    answered.add(this)
  })
  // The page has frozen the prototype. Without notice of its answers, they could not win.
  if (!isNoted) return
  replace('preventDefault', function () {
    preventDefault.call(this)
    answer(this)
  })

  // What prevents a submission without `preventDefault()`, such as `return false`, is known to later listeners only. Added
  // again when an event begins, these are the last ones.
  const last = (event: Event) => {
    if (event instanceof SubmitEvent) answer(event)
  }
  const addLast = ({target}: Event) => {
    for (const place of [target, window]) {
      place?.removeEventListener('submit', last)
      place?.addEventListener('submit', last)
    }
  }
  addEventListener('submit', addLast, true)
}

function replace(name: string, value: (this: SubmitEvent, ...given: [unknown]) => void): boolean {
  return Reflect.defineProperty(SubmitEvent.prototype, name, {value, configurable: true, writable: true})
}

/** Whether a form is a form tool of a site, and not one that the page registers itself. */
function isFormTool(form: EventTarget | null): boolean {
  const name = form instanceof Element && getAttribute.call(form, 'toolname')
  return Object.values(membersOf(window.handrail?.sites)).some((site) => {
    const {forms} = membersOf(site)
    return Array.isArray(forms) && forms.includes(name)
  })
}

answerForPages()
