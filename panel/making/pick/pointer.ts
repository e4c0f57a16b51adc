import {frame} from '../../forms/highlight.ts'
import {above} from './outline.ts'

/** What moves the frame on the keyboard: out of an element and into it, and to the elements before and after it. */
const STEPS: Readonly<Record<string, (element: Element) => Element | null>> = {
  ArrowUp: above,
  ArrowDown: ({firstElementChild, shadowRoot}) => shadowRoot?.firstElementChild ?? firstElementChild,
  ArrowLeft: ({previousElementSibling}) => previousElementSibling,
  ArrowRight: ({nextElementSibling}) => nextElementSibling,
}

/** The element that a step leads to, without those that are not shown, such as scripts. */
function visible(step: (element: Element) => Element | null, from: Element): Element | null {
  const onward = step === STEPS.ArrowDown ? STEPS.ArrowRight : step
  let next = step(from)
  while (next && next.getClientRects().length === 0) next = onward?.(next) ?? null
  return next
}

/**
 * Lets a person point at an element of the page, with a mouse, a finger or the arrow keys. The page gets none of these events.
 * @param moved called with the element that is pointed at. Returns the one to frame: what a tool would read
 * @param picked called with the element that was chosen; undefined: the person stopped
 * @returns a function that stops it
 */
export function pointAt(
  moved: (element: Element) => Element,
  picked: (element: Element | undefined) => void,
): () => void {
  const end = new AbortController()
  const options = {capture: true, signal: end.signal}
  let current: Element | undefined
  let unframe = () => {}

  function move(element: Element): void {
    current = element
    unframe()
    unframe = frame(moved(element))
  }

  function finish(element: Element | undefined): void {
    stop()
    picked(element)
  }

  function stop(): void {
    end.abort()
    unframe()
  }

  function under(event: Event): Element | undefined {
    const {target} = event
    const isOfPage = target instanceof Element && !target.matches('handrail-panel, html')
    // In an open shadow root, what is pointed at is inside of the target.
    const [inner = target] = event.composedPath()
    return isOfPage && inner instanceof Element ? inner : undefined
  }

  function take(event: Event): void {
    event.preventDefault()
    event.stopImmediatePropagation()
  }

  // A frame gets the moves in it: the page learns of the first one.
  for (const type of ['pointerover', 'pointermove'])
    addEventListener(
      type,
      (event) => {
        const element = under(event)
        if (element && element !== current) move(element)
      },
      options,
    )
  for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup'])
    addEventListener(type, (event) => under(event) && take(event), options)
  addEventListener(
    'click',
    (event) => {
      const element = under(event)
      if (!element) return
      take(event)
      finish(element)
    },
    options,
  )
  // A click in a frame moves the focus there, and the keys with it, once this event has ended.
  addEventListener(
    'blur',
    () => {
      const {activeElement} = document
      if (activeElement instanceof HTMLIFrameElement) setTimeout(() => activeElement.blur())
    },
    options,
  )
  addEventListener(
    'keydown',
    (event) => {
      const step = STEPS[event.key]
      if (!step && event.key !== 'Enter' && event.key !== 'Escape') return
      take(event)
      if (event.key === 'Escape') finish(undefined)
      else if (step) {
        const next = current ? visible(step, current) : (document.querySelector('main') ?? document.body)
        if (!next || next === document.documentElement || next.matches('handrail-panel')) return
        next.scrollIntoView({block: 'nearest'})
        move(next)
      } else if (current) finish(current)
    },
    options,
  )
  return stop
}
