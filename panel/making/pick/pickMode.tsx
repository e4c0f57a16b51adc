import {useEffect, useRef, useState} from 'preact/hooks'
import {callOf, plannedOf} from '../../../actions/onPage.ts'
import {findDeep} from '../../../actions/run/html/parts.ts'
import {ADDRESS} from '../../../actions/run/html/tables.ts'
import {textOf} from '../../../actions/run/html/texts.ts'
import {runRequest} from '../../../actions/run/request.ts'
import {argumentsOf, type ProposedTool} from '../../../making/exchange.ts'
import {freeName} from '../../../making/names.ts'
import {type ProposedField, type ProposedPart, proposeParts} from '../../../making/picked.ts'
import {MAX_PAGES} from '../../../schemas/actions/parts.ts'
import {isNothing} from '../../../schemas/calls/counts.ts'
import {messageOf} from '../../../snippet/messageOf.ts'
import {Text} from '../../parts/text.tsx'
import {Tick} from '../../parts/tick.tsx'
import {Handover} from '../handover.tsx'
import type {MakeProps} from '../makeProps.ts'
import {searchedHere} from '../record/searches.ts'
import {headingsOf, readPage, readPart} from '../run.ts'
import {chainOf} from './outline.ts'
import {pointAt} from './pointer.ts'
import {pagesHere, readingTool} from './readingTool.ts'

/** A part of the page that was picked, and what else it may be. */
type Picked = {readonly id: number; readonly choices: readonly ProposedPart[]; readonly part: ProposedPart}

/** Makes a tool that reads elements of the page. */
export function PickMode(props: MakeProps) {
  const [picked, setPicked] = useState<readonly Picked[]>([])
  const [pointed, setPointed] = useState<string>()
  const [isFetched, setFetched] = useState(true)
  /** Whether the page that a tool loads lacks what the open one has: scripts of the page add it. */
  const [isAddedLater, setAddedLater] = useState(false)
  const stop = useRef<() => void>(() => {})
  const start = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!props.isShown) stop.current()
  }, [props.isShown])

  function add(element: Element): void {
    const choices = proposeParts(chainOf(element))
    const [part] = choices
    if (part)
      setPicked((before) => [
        ...before,
        {
          id: performance.now(),
          choices,
          part: {...part, name: freeName(part.name, new Set(before.map((one) => one.part.name)))},
        },
      ])
  }

  function point(): void {
    stop.current()
    setPointed('')
    stop.current = pointAt(
      (element) => {
        const [part] = proposeParts(chainOf(element))
        const found = part && findDeep(document, part.selector)[0]
        const shown = part && found ? `${KINDS[part.kind]}: ${textOf(found).slice(0, 60)}` : ''
        setPointed(closedWords(element) ?? shown)
        return found ?? element
      },
      (element) => {
        setPointed(undefined)
        if (element) add(element)
        start.current?.focus()
      },
    )
  }

  const change = (at: number, next: ProposedPart | undefined) =>
    setPicked((before) =>
      before.flatMap((one, place) => (place === at ? (next ? [{...one, part: next}] : []) : [one])),
    )
  const parts = picked.map(({part}) => part)
  const here = props.panel.wanted ? undefined : searchedHere()
  const [wantedPages, setPages] = useState<number>()
  const possiblePages = pagesHere(parts)
  const pages = wantedPages ?? possiblePages
  const tool = readingTool(parts, isFetched ? here : undefined, pages)
  return (
    <>
      <p>
        <button type="button" class="primary" ref={start} onClick={point}>
          {picked.length === 0 ? 'Point at an element' : 'Point at another element'}
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
      {picked.map(({id, choices, part}, at) => (
        <PartFields
          key={id}
          choices={choices}
          part={part}
          change={(next) => change(at, next)}
          remove={() => change(at, undefined)}
        />
      ))}
      {parts.length > 0 && (
        <>
          <h3>What an agent gets</h3>
          <Result
            parts={parts}
            sent={isRequest(tool.fields) ? tool.fields : undefined}
            inputs={here?.inputs ?? []}
            failed={() => {
              if (!isAddedLater) setFetched(false)
              setAddedLater(true)
            }}
          />
          {here && (
            <Tick isTicked={isFetched} tick={setFetched}>
              Load this page in each call, with what the agent passes for{' '}
              {here.parameters.map((name) => `“${name}”`).join(', ')}: the tool then works on every page
              {isAddedLater && '. A loaded page lacks this here: a script of the page adds it later'}
            </Tick>
          )}
          {here && isFetched && possiblePages > 1 && (
            <label>
              The list goes on: pages to read at most{' '}
              <input
                type="number"
                min="1"
                max={MAX_PAGES}
                value={pages}
                onInput={({currentTarget}) => setPages(currentTarget.valueAsNumber || 1)}
              />
            </label>
          )}
          <Handover {...props} {...tool} type="tool" description="" />
        </>
      )}
    </>
  )
}

function isRequest(fields: ReturnType<typeof readingTool>['fields']): fields is ProposedTool {
  return 'request' in fields
}

/** What an agent gets: of the page as it is, or of the one that the tool loads. */
function Result(props: {
  parts: readonly ProposedPart[]
  sent: ProposedTool | undefined
  inputs: Parameters<typeof argumentsOf>[0]
  /** Called if the loaded page has nothing to read. */
  failed: () => void
}) {
  const {parts, sent, inputs, failed} = props
  const [loaded, setLoaded] = useState<{key: string; value: unknown}>()
  const key = JSON.stringify(sent)
  useEffect(() => {
    if (!sent) return
    const end = new AbortController()
    const load = async () =>
      runRequest({
        ...callOf(plannedOf({...sent}), argumentsOf(inputs), (address, init) => fetch(address, init)),
        signal: end.signal,
      })
    const show = (value: unknown, isFailure: boolean) => {
      if (end.signal.aborted) return
      setLoaded({key, value})
      if (isFailure) failed()
    }
    void load().then(
      (value) => show(value, isNothing(value)),
      (error) => show(messageOf(error), true),
    )
    return () => end.abort()
  }, [key])
  if (sent && loaded?.key !== key) return <p role="status">Loading the page as the tool does…</p>
  return <Text value={sent ? loaded?.value : readHere(parts)} label="What an agent gets" />
}

function readHere(parts: readonly ProposedPart[]): unknown {
  try {
    return readPage(parts)
  } catch (error) {
    return messageOf(error)
  }
}

/** Why a tool cannot read what is in an element. */
function closedWords(element: Element): string | undefined {
  if (element.localName === 'iframe')
    return 'This is a page of its own in a frame: open it in a tab, if it has the tag, and point there.'
  const isClosed = element.localName.includes('-') && !element.shadowRoot && textOf(element) === ''
  return isClosed ? 'The page closes this part to scripts: a tool cannot read it.' : undefined
}

const KINDS: Readonly<Record<ProposedPart['kind'], string>> = {
  table: 'Table',
  items: 'Entries with fields',
  list: 'List',
  definitions: 'Definition list',
  links: 'Links',
  text: 'Text',
}

/** Characters of a text that shows what a field is. */
const LONGEST_EXAMPLE = 60

const FIELD_KINDS: Readonly<Record<ProposedField['kind'], string>> = {
  text: 'Text',
  address: 'Where the link leads',
  attribute: 'Attribute',
}

/** What a part is, and what of it agents get. */
export function PartFields(props: {
  choices: readonly ProposedPart[]
  part: ProposedPart
  change: (part: ProposedPart) => void
  remove?: () => void
}) {
  const {choices, part, change, remove} = props
  const headings = headingsOf(part)
  const usual = headings.filter((heading) => !heading.endsWith(ADDRESS))
  const columns = part.columns ?? usual
  const {fields = [], same = []} = part
  /** With those that are not ticked. */
  const [kept, setKept] = useState([...fields, ...same])
  const [first]: unknown[] = kept.length > 0 ? [readPart({...part, fields: kept})].flat() : []
  const exampleOf = ({name}: ProposedField) => String(Object(first)[name] ?? '').slice(0, LONGEST_EXAMPLE)
  return (
    <fieldset>
      <legend>{part.name || 'Part'}</legend>
      <div class="input">
        <select
          aria-label="What it is"
          value={`${part.kind} ${part.selector}`}
          onChange={({currentTarget}) => {
            const chosen = choices.find(({kind, selector}) => `${kind} ${selector}` === currentTarget.value)
            if (!chosen) return
            setKept([...(chosen.fields ?? []), ...(chosen.same ?? [])])
            change({...chosen, name: part.name})
          }}
        >
          {choices.map(({kind, selector}) => (
            <option key={`${kind} ${selector}`} value={`${kind} ${selector}`}>
              {KINDS[kind]} ({selector})
            </option>
          ))}
        </select>
        <input
          aria-label="Name for agents"
          value={part.name}
          spellcheck={false}
          onInput={({currentTarget}) => change({...part, name: currentTarget.value})}
        />
        {remove && (
          <button type="button" onClick={remove}>
            Remove
          </button>
        )}
      </div>
      {headings.map((heading) => (
        <div key={heading}>
          <Tick
            isTicked={columns.includes(heading)}
            tick={(isTicked) => {
              const kept = headings.filter((one) => (one === heading ? isTicked : columns.includes(one)))
              const {columns: _, ...whole} = part
              change(kept.join() === usual.join() ? whole : {...part, columns: kept})
            }}
          >
            {heading}
          </Tick>
        </div>
      ))}
      {kept.map((field) => (
        <div key={field.selector + field.kind}>
          <Tick
            isTicked={fields.includes(field)}
            tick={(isTicked) => {
              const ticked = kept.filter((one) => (one === field ? isTicked : fields.includes(one)))
              change({...part, fields: ticked})
            }}
          >
            {FIELD_KINDS[field.kind]} <small>{exampleOf(field)}</small>
          </Tick>{' '}
          <input
            aria-label={`Name of ${field.name}`}
            value={field.name}
            spellcheck={false}
            onInput={({currentTarget}) => {
              const named = {...field, name: currentTarget.value}
              setKept(kept.map((one) => (one === field ? named : one)))
              change({...part, fields: fields.map((one) => (one === field ? named : one))})
            }}
          />
        </div>
      ))}
    </fieldset>
  )
}
