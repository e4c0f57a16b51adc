import {useEffect, useRef, useState} from 'preact/hooks'
import {findDeep} from '../../actions/run/html/parts.ts'
import {textOf} from '../../actions/run/html/texts.ts'
import {freeName} from '../../making/names.ts'
import {partOf, waysToRead} from '../../making/picked.ts'
import {frame} from '../forms/highlight.ts'
import type {Chosen} from './list/proposals.ts'
import type {FoundPart} from './list/readings.ts'
import {PART_KINDS} from './partFields.tsx'
import {above, chainOf} from './pick/outline.ts'
import {readPart} from './run.ts'

/** What of an element a tool can read. @param others what it reads already */
export function foundAt(element: Element, others: readonly Chosen[]): FoundPart | undefined {
  const ways = waysToRead(chainOf(element))
  const choices = ways.map(partOf)
  const [[way], [first]] = [ways, choices]
  if (!way || !first) return undefined
  const part = {...first, name: freeName(first.name, new Set(others.map((one) => one.part.name)))}
  const heading = way.outline.heading?.() ?? ''
  const [entry]: unknown[] = [readPart(part)].flat()
  return {element, part, heading, example: JSON.stringify(entry) ?? '', count: 1, choices}
}

/** Lets a person point at an element of the page. */
export function PointButton(props: {isShown: boolean; isMore?: boolean; picked: (element: Element) => void}) {
  const {isShown, isMore, picked} = props
  const [pointed, setPointed] = useState<string>()
  const stop = useRef<() => void>(() => {})
  const start = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isShown) stop.current()
  }, [isShown])

  function point(): void {
    stop.current()
    setPointed('')
    stop.current = pointAt(
      (element) => {
        const [way] = waysToRead(chainOf(element))
        const found = way && findDeep(document, way.selector())[0]
        const shown = way && found ? `${PART_KINDS[way.kind]}: ${startOf(found)}` : ''
        setPointed(closedWords(element) ?? shown)
        return found ?? element
      },
      (element) => {
        setPointed(undefined)
        if (element) picked(element)
        start.current?.focus()
      },
    )
  }

  return (
    <>
      <p>
        <button type="button" class={isMore ? '' : 'primary'} ref={start} onClick={point}>
          {isMore ? 'Point at another element' : 'Point at an element'}
        </button>
      </p>
      <div role="status">
        {pointed !== undefined && (
          <p>
            Click what the tool reads. On the keyboard, the arrow keys move the frame, Enter takes what is in
            it, and Escape stops. {pointed && <strong>{pointed}</strong>}
          </p>
        )}
      </div>
    </>
  )
}

/** What an element begins with: to read all of it is slow in long pages. */
function startOf(element: Element): string {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT, ({parentElement: parent}) =>
    parent?.checkVisibility() ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP,
  )
  let start = ''
  while (start.length < LONGEST_START && texts.nextNode())
    start = `${start} ${texts.currentNode.nodeValue}`.replaceAll(/\s+/g, ' ').trim()
  return start.slice(0, LONGEST_START)
}

const LONGEST_START = 60

/** Why a tool cannot read what is in an element. */
function closedWords(element: Element): string | undefined {
  if (element.localName === 'iframe')
    return 'This is a page of its own in a frame: open it in a tab, if it has the tag, and point there.'
  const isClosed = element.localName.includes('-') && !element.shadowRoot && textOf(element) === ''
  return isClosed ? 'The page closes this part to scripts: a tool cannot read it.' : undefined
}

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
function pointAt(
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
