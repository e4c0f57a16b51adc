import {useEffect, useRef, useState} from 'preact/hooks'
import {findDeep} from '../../actions/run/html/parts.ts'
import {textOf} from '../../actions/run/html/texts.ts'
import {freeName} from '../../making/names.ts'
import {partOf, waysToRead} from '../../making/picked.ts'

import type {Chosen} from './list/proposals.ts'
import type {FoundPart} from './list/readings.ts'
import {PART_KINDS} from './partFields.tsx'
import {chainOf} from './pick/outline.ts'
import {pointAt} from './pick/pointer.ts'
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
        const shown = way && found ? `${PART_KINDS[way.kind]}: ${textOf(found).slice(0, 60)}` : ''
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

/** Why a tool cannot read what is in an element. */
function closedWords(element: Element): string | undefined {
  if (element.localName === 'iframe')
    return 'This is a page of its own in a frame: open it in a tab, if it has the tag, and point there.'
  const isClosed = element.localName.includes('-') && !element.shadowRoot && textOf(element) === ''
  return isClosed ? 'The page closes this part to scripts: a tool cannot read it.' : undefined
}
