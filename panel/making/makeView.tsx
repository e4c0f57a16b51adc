import {useEffect, useRef, useState} from 'preact/hooks'
import {nextOf} from '../../actions/run/html/otherPages.ts'
import {handoverLink, type MadeTool} from '../../making/studioLink.ts'
import {all} from '../../snippet/page.ts'
import {isControl, isText, WITHOUT_VALUE} from '../forms/controls.ts'
import {pageForms} from '../forms/pageForms.ts'
import {StudioLink} from '../parts/studioLink.tsx'
import {withTick} from '../parts/tick.tsx'
import {draftOf, NoStudio, randomSuffix} from './handover.tsx'
import {partsHere} from './list/details.ts'
import {isOffered} from './list/formTool.ts'
import {keysOf, type Proposal, proposalsOf, type Words} from './list/proposals.ts'
import {type FoundPart, pagesHere} from './list/readings.ts'
import {readAll, resultIn, resultsOf, toldApart, useSentPage} from './list/sentPage.ts'
import {useTrials, type Whole} from './list/trials.ts'
import type {MakeProps} from './makeProps.ts'
import {foundAt, PointButton} from './pointButton.tsx'
import {ProposalItem} from './proposalItem.tsx'
import {pageOfQuery, searchedBy, searchedHere, takeForm, withWordsAlone} from './record/searches.ts'
import {textIn} from './record/typed.ts'
import {useRecording} from './record/useRecording.ts'

/** Milliseconds between two looks at the page, at least: a look at a long page takes a while, and the page is left alone for longer. */
const INTERVAL = 1_500
const REST = 9

/** What a person shows for the field that Studio opened the page for. */
const WANTED = {
  record: 'show its request.',
  pick: 'show what it reads.',
  form: 'choose its form.',
} as const

/** The content of the tab “Make a tool”: what tools can be made of, for a field of Studio what fits into it. */
export function MakeView(props: MakeProps) {
  const {panel, isShown, taken, nameOf, show} = props
  const {studio, wanted} = panel
  const recorder = useRecording(panel.base, isShown)
  const [found, setFound] = useState(look)
  const [picked, setPicked] = useState<readonly FoundPart[]>([])
  const [ticked, setTicked] = useState<readonly string[]>([])
  const [opened, setOpened] = useState<readonly string[]>([])
  const [made, setMade] = useState<ReadonlyMap<string, Whole & {draft: MadeTool; link: string}>>(new Map())
  const [suffix, setSuffix] = useState(randomSuffix)
  const [words, setWords] = useState<ReadonlyMap<string, Words>>(new Map())
  const status = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (!isShown) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const lookAgain = () => {
      const from = performance.now()
      setFound(look())
      timer = setTimeout(lookAgain, Math.max(INTERVAL, REST * (performance.now() - from)))
    }
    lookAgain()
    return () => clearTimeout(timer)
  }, [isShown])
  const {forms, searchedPage} = found
  const [form] = useState(takeForm)
  // Scripts of a page may load what was found, without another address of the page.
  const searched = wanted
    ? undefined
    : (searchedPage ?? searchedBy(recorder.list, recorder.typed) ?? form ?? pageOfQuery())
  const listed = [
    ...picked,
    ...found.parts.filter(({part}) => !picked.some((one) => one.part.selector === part.selector)),
  ]
  const isLoaded = isShown && listed.length > 0
  const {unlisted} = recorder
  const address = isLoaded && !searched?.found ? searched?.exchange.address : undefined
  const loaded = useSentPage(address, unlisted)
  const alone = useSentPage(address && searched && withWordsAlone(searched), unlisted)
  const sent = searched?.found ?? loaded
  const alike = listed.flatMap(({part}) => (part.same?.length ? [part] : []))
  const after = alike.length > 0 ? nextOf(document.documentElement, location.href, alike) : undefined
  const next = useSentPage(isShown ? after : undefined, unlisted)
  const others = [alone, next].flatMap((page) => page ?? [])
  const unsearched = useSentPage(isLoaded ? searched?.before : undefined, unlisted)
  const other = useSentPage(isLoaded ? searched?.one?.other : undefined, unlisted)
  const fields = all('input')
    .filter(isControl)
    .filter((one) => isText(one) && !WITHOUT_VALUE.includes(one.type))
  const isSearch = wanted || searched?.inputs.some(({use}) => use === 'parameter')
  const isInBrowser = isLoaded && !isSearch && fields.some((one) => !(one.form && one.name))
  const whole = useSentPage(isInBrowser ? location.href.replace(/#.*/, '') : undefined, unlisted)
  const [seen] = useState(() => new Map<string, Set<string>>())
  const before = seen.get(location.href)
  // Some fields have a value from the start, such as today.
  const [atFirst] = useState(() => new Map<string, readonly string[]>())
  for (const [name, same] of Map.groupBy(fields, ({name}) => name))
    atFirst.set(name, atFirst.get(name) ?? same.map(textIn))
  const isTyped = fields.some((one) => textIn(one) !== '' && !atFirst.get(one.name)?.includes(textIn(one)))
  if (!isTyped)
    seen.set(location.href, new Set([...(before ?? []), ...listed.map(({part}) => part.selector)]))
  const parts = listed.map((one) => ({
    ...one,
    part: toldApart(one.part, unsearched ? [unsearched, ...others] : others),
    isSearched: isTyped && before?.has(one.part.selector) === false,
    isLoaded:
      whole &&
      !readAll(whole, one.part).length &&
      fields.some((field) => one.element.id && field.getAttribute('aria-controls') === one.element.id),
  }))
  const isOfScripts =
    !wanted && searchedPage && sent && !parts.some(({part}) => resultIn(sent, undefined, part))
  const isHere = searchedPage !== undefined
  const resultOf = resultsOf(searched, {sent, alone, unsearched, other, isHere, whole})
  const isFor = (mode: keyof typeof WANTED) => !wanted || wanted.mode === mode
  const names = [...taken, ...Array.from(made.values(), ({name}) => name)]
  const offered = wanted ? forms : forms.filter(isOffered)
  const wholes = proposalsOf(
    isFor('pick') ? parts : [],
    isFor('form') ? offered : [],
    isFor('record') ? recorder : undefined,
    resultOf,
    names,
    isOfScripts ? searchedPage : undefined,
  )
    .filter(({key}) => !made.has(key))
    .map((proposal): Whole => {
      const own = words.get(proposal.key) ?? {}
      return {...proposal, ...own, fields: proposal.fieldsFor(own)}
    })
  const isOpen = ({key}: Proposal) => opened.includes(key)
  const tried = wholes.filter((one) => ticked.includes(one.key) || isOpen(one))
  const {trialOf, callAgain} = useTrials(wanted ? tried.filter((one) => !one.form) : tried, unlisted)
  const chosen = tried.filter(({key}) => ticked.includes(key))
  const isCalling = chosen.some((one) => !trialOf(one))
  const drafts = chosen.flatMap((whole) => {
    const trial = trialOf(whole)
    if (!trial || trial.problem || !whole.fields) return []
    const draft = draftOf(whole, suffix, studio?.siteId ?? '')
    return [{...whole, draft, link: studio ? handoverLink(studio, 'tool', draft) : ''}]
  })
  const changeWords = (key: string, own: Words) => setWords((before) => new Map(before).set(key, own))

  /** Adds what a person points at to the list, or to the parts of a tool. */
  function point(element: Element, to?: Whole): void {
    const known = (to && (words.get(to.key)?.parts ?? to.parts)) ?? []
    const part = foundAt(element, known)
    if (part && to) changeWords(to.key, {...words.get(to.key), parts: [...known, part]})
    else if (part) {
      setPicked((before) => [...before.filter((one) => one.part.selector !== part.part.selector), part])
      setOpened(keysOf(part.part))
    }
  }

  const item = (whole: Whole) => (
    <ProposalItem
      {...props}
      key={whole.key}
      tool={whole}
      trial={trialOf(whole)}
      callAgain={() => callAgain(whole)}
      words={words.get(whole.key) ?? {}}
      changeWords={(own) => changeWords(whole.key, own)}
      point={(element) => point(element, whole)}
      isTicked={ticked.includes(whole.key)}
      tick={(isTicked) => setTicked((before) => withTick(before, whole.key, isTicked))}
      isOpen={isOpen(whole)}
      open={(isOpened) => setOpened(isOpened ? [whole.key] : [])}
      handed={(draft, link) => setMade((before) => new Map(before).set(whole.key, {...whole, draft, link}))}
    />
  )
  // What sends no data, and what no tool can be made of.
  const isOther = ({recorded, problem}: Whole) =>
    recorded !== undefined && (problem !== undefined || recorded.exchange.answer === undefined)
  const otherRequests = wholes.filter(isOther)
  return (
    <div class="make">
      {wanted ? (
        <p class="note">
          For the tool “{wanted.name}”: {WANTED[wanted.mode]}{' '}
          <button type="button" onClick={() => panel.forgetWanted()}>
            Make a new tool instead
          </button>
        </p>
      ) : (
        <p>
          Tick what agents may use. Use the page as a visitor, search, filter, open something: what it
          requests and finds appears here.
        </p>
      )}
      {!isSearch && isShown && searchesItself() && (
        <p class="note">
          This search works in the browser only: offer the whole list instead, or a request of the search.
        </p>
      )}
      {isFor('pick') && <PointButton isShown={isShown} picked={(element) => point(element)} />}
      <ul class="list" aria-label="What this page has">
        {Array.from(made.values(), ({key, name, draft, link}) => (
          <li key={key} class="item" data-proposal={name}>
            <strong>{name}</strong>{' '}
            <span class="badge new">{nameOf(draft.id) ? 'Draft made' : 'Given to Studio'}</span>
            <p class="buttons">
              <StudioLink href={link}>Open in Studio</StudioLink>
              {nameOf(draft.id) && (
                <button type="button" onClick={() => show(name)}>
                  Try it
                </button>
              )}
            </p>
          </li>
        ))}
        {wholes.filter((one) => !isOther(one)).map(item)}
      </ul>
      {wholes.length === 0 && (
        <p class="empty">
          {wanted?.mode === 'form' ? 'This page has no form with fields.' : 'Nothing was found here yet.'}
        </p>
      )}
      {otherRequests.length > 0 && (
        <details>
          <summary>Other requests: {otherRequests.length}</summary>
          <ul class="list" aria-label="Other requests of the page">
            {otherRequests.map(item)}
          </ul>
        </details>
      )}
      <p role="status" tabIndex={-1} ref={status} class="facts">
        {made.size > 0 && 'Studio saves the drafts in its tab, and they appear here in a moment.'}
      </p>
      {!studio && <NoStudio panel={panel} />}
      {isCalling && <p class="facts">Calling it once, as an agent would…</p>}
      {studio && drafts.length > 0 && !isCalling && (
        <p class="buttons sticky">
          {/* One tab of Studio saves all of them: only Studio may write. */}
          <StudioLink
            class="button"
            href={handoverLink(studio, 'tools', {tools: drafts.map(({draft}) => draft)})}
            onClick={() =>
              // The browser first follows the link as it is now.
              setTimeout(() => {
                setMade((before) => new Map([...before, ...drafts.map((one) => [one.key, one] as const)]))
                setTicked([])
                setSuffix(randomSuffix())
                status.current?.focus()
              })
            }
          >
            Make {drafts.length === 1 ? '1 draft' : `${drafts.length} drafts`}
          </StudioLink>
        </p>
      )}
    </div>
  )
}

/** Boxes of searches. */
const SEARCH_BOX =
  ':is([role=dialog], dialog, [role=search], search, [class*=search i]):not(html, body, main)'

/** Whether a field with a text is in one box with links that were found, without another page. */
function searchesItself(): boolean {
  return all(SEARCH_BOX).some((box) => {
    const fields = [...box.querySelectorAll('input')].filter((one) => isText(one) && textIn(one) !== '')
    return fields.length > 0 && box.querySelector(':is(li, [role=option]) a[href]')?.checkVisibility()
  })
}

function look() {
  const pages = searchesItself() ? pagesHere() : []
  return {parts: [...partsHere(), ...pages], forms: pageForms(), searchedPage: searchedHere()}
}
