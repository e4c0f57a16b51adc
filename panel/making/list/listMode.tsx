import {useEffect, useRef, useState} from 'preact/hooks'
import {nextOf} from '../../../actions/run/html/otherPages.ts'
import {handoverLink, type MadeTool} from '../../../making/studioLink.ts'
import {all} from '../../../snippet/page.ts'
import {controlsOf, isText} from '../../forms/controls.ts'
import {highlight} from '../../forms/highlight.ts'
import {pageForms} from '../../forms/pageForms.ts'
import {StudioLink} from '../../parts/studioLink.tsx'
import {Tick, withTick} from '../../parts/tick.tsx'
import {draftOf, Handover, NoStudio, randomSuffix, type Words} from '../handover.tsx'
import type {MakeProps} from '../makeProps.ts'
import {PartFields} from '../pick/pickMode.tsx'
import {readingTool} from '../pick/readingTool.ts'
import type {Exchanges} from '../record/exchanges.ts'
import {InputRows} from '../record/inputRows.tsx'
import {
  pageHere,
  pageOfQuery,
  searchedBy,
  searchedHere,
  takeForm,
  withOthers,
  withWordsAlone,
  wordsAlone,
} from '../record/searches.ts'
import {textIn} from '../record/typed.ts'
import {FormFields} from './formFields.tsx'
import {formToolOf} from './formTool.ts'
import {type Proposal, proposalsOf} from './proposals.ts'
import {type FoundPart, findParts} from './readings.ts'
import {resultIn, toldApart, useSentPage} from './sentPage.ts'
import {useTrials} from './trials.ts'

/** Milliseconds between two looks at the page. */
const INTERVAL = 1_500

/** What the page has, as tools of which drafts are made together. For a field of Studio, its forms. */
export function ListMode(props: MakeProps & {recorder: Exchanges}) {
  const {panel, isShown, recorder, taken, nameOf, show} = props
  const {studio, wanted} = panel
  const [found, setFound] = useState(look)
  const [ticked, setTicked] = useState<readonly string[]>([])
  const [opened, setOpened] = useState<string>()
  const [made, setMade] = useState<ReadonlyMap<string, Proposal & {draft: MadeTool; link: string}>>(new Map())
  const [suffix, setSuffix] = useState(randomSuffix)
  const [words, setWords] = useState<ReadonlyMap<string, Words>>(new Map())
  const status = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (!isShown) return
    setFound(look())
    const timer = setInterval(() => setFound(look()), INTERVAL)
    return () => clearInterval(timer)
  }, [isShown])
  const {forms, searchedPage} = found
  const [form] = useState(takeForm)
  // Scripts of a page may load what was found, without another address of the page.
  const searched =
    searchedPage ?? searchedBy(recorder.list, recorder.typed) ?? form ?? (wanted ? undefined : pageOfQuery())
  const isLoaded = isShown && found.parts.length > 0
  const {unlisted} = recorder
  const address = isLoaded && !searched?.found ? searched?.exchange.address : undefined
  const loaded = useSentPage(address, unlisted)
  const alone = useSentPage(address && searched && withWordsAlone(searched), unlisted)
  const sent = searched?.found ?? loaded
  const alike = found.parts.flatMap(({part}) => (part.same?.length ? [part] : []))
  const after = alike.length > 0 ? nextOf(document.documentElement, location.href, alike) : undefined
  const next = useSentPage(isShown ? after : undefined, unlisted)
  const others = [alone, next].flatMap((page) => page ?? [])
  const unsearched = useSentPage(isLoaded ? searched?.before : undefined, unlisted)
  const parts = found.parts.map((one) => ({
    ...one,
    part: toldApart(one.part, unsearched ? [unsearched, ...others] : others),
  }))
  const isOfScripts = searchedPage && sent && !parts.some(({part}) => resultIn(sent, undefined, part))
  const resultOf = ({part}: FoundPart) => {
    const found = sent ? resultIn(sent, unsearched, part) : searchedPage && part
    const isWhole = !alone || resultIn(alone, undefined, part)
    return searched && found && {searched: isWhole ? searched : withOthers(searched), part: found}
  }
  const names = [...taken, ...Array.from(made.values(), ({name}) => name)]
  const proposals = wanted
    ? proposalsOf([], forms, undefined, () => undefined, [])
    : proposalsOf(
        parts,
        forms.filter(({tool, element}) => !tool && !isForAccounts(element) && !choosesRows(element)),
        recorder,
        resultOf,
        names,
      ).filter(({key}) => !made.has(key))
  const wholeOf = (proposal: Proposal): Proposal => {
    const {texts, inputs, part, ...own} = words.get(proposal.key) ?? {}
    const fields = fieldsWith(proposal, words.get(proposal.key) ?? {})
    return {...proposal, fields, ...(inputs && {sample: wordsAlone(inputs)}), ...own}
  }
  const tried = proposals.filter(({key}) => ticked.includes(key) || opened === key).map(wholeOf)
  const problemOf = useTrials(wanted ? [] : tried, unlisted)
  const chosen = tried.filter(({key}) => ticked.includes(key))
  const isCalling = chosen.some((one) => problemOf(one) === undefined)
  const drafts = chosen.flatMap((whole) => {
    if (problemOf(whole) !== '') return []
    const draft = draftOf(whole, suffix, studio?.siteId ?? '')
    return [{...whole, draft, link: studio ? handoverLink(studio, 'tool', draft) : ''}]
  })
  return (
    <>
      {!wanted && <p>Tick what agents may use. To return what a search finds, search on the page once.</p>}
      {isOfScripts && (
        <p class="note">
          Scripts of this page add what was found, so a tool cannot load it as a page. Choose “Record”, and
          search again.
        </p>
      )}
      {!searched?.parameters.length && isShown && searchesItself() && (
        <p class="note">
          This search works in the browser only: agents cannot use it, or what it found. Offer the list of
          pages or the whole list instead, or what “Record” has of the search.
        </p>
      )}
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
        {proposals.map((proposal) => {
          const {key, name, kind, description, example, leftOut, warning, element, form} = proposal
          const called = problemOf(wholeOf(proposal))
          const problem = proposal.problem ?? called
          const handed = (draft: MadeTool, link: string) =>
            setMade((before) => new Map(before).set(key, {...wholeOf(proposal), draft, link}))
          const missing = wanted ? undefined : (problem ?? CALLING) || undefined
          const isOpen = opened === key
          const edited = {
            words: words.get(key) ?? {},
            changeWords: (own: Words) => setWords((before) => new Map(before).set(key, own)),
          }
          return (
            <li key={key} class="item" data-proposal={name} data-form={form?.selector}>
              <Tick
                hidden={wanted !== undefined || !studio || proposal.problem !== undefined}
                isTicked={ticked.includes(key)}
                tick={(isTicked) => setTicked((before) => withTick(before, key, isTicked))}
              >
                <strong>{edited.words.name ?? name}</strong> <span class="badge">{kind}</span>
              </Tick>
              <p class="facts">{edited.words.description ?? description}</p>
              {example && <p class="facts example">{example}</p>}
              {leftOut && <p class="facts">Left out, because all have the same: {leftOut}</p>}
              {warning && <p class="problem">{warning}</p>}
              {problem && <p class="problem">{problem}</p>}
              <p class="buttons">
                {element && (
                  <button type="button" aria-label={`Look at ${name}`} onClick={() => highlight(element)}>
                    Look
                  </button>
                )}
                <button
                  type="button"
                  aria-expanded={isOpen}
                  onClick={() => setOpened(isOpen ? undefined : key)}
                >
                  {wanted ? 'Use this form' : 'Details'}
                </button>
              </p>
              {isOpen &&
                (form ? (
                  <FormFields {...props} {...edited} form={form} missing={missing} handed={handed} />
                ) : (
                  <>
                    <Changes proposal={proposal} {...edited} />
                    <Handover
                      {...props}
                      {...proposal}
                      fields={wholeOf(proposal).fields}
                      missing={missing}
                      handed={handed}
                      {...edited}
                    />
                  </>
                ))}
            </li>
          )
        })}
      </ul>
      {proposals.length === 0 && (
        <p class="empty">
          {wanted
            ? 'This page has no form with fields.'
            : 'Nothing more was found here. Use the page as a visitor: requests appear here. Or choose “Pick”.'}
        </p>
      )}
      <p role="status" tabIndex={-1} ref={status} class="facts">
        {made.size > 0 && 'Studio saves the drafts in its tab, and they appear here in a moment.'}
      </p>
      {!studio && <NoStudio />}
      {isCalling && <p class="facts">{CALLING}</p>}
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
    </>
  )
}

const CALLING = 'Calling it once, as an agent would…'

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

/** Sign-in and registration are the visitor's own. */
function isForAccounts(form: HTMLFormElement): boolean {
  return controlsOf(form).some(
    ({type, autocomplete}) => type === 'password' || /password|one-time/.test(autocomplete),
  )
}

/** Whether its boxes choose rows of a table, for what its buttons do. */
function choosesRows(form: HTMLFormElement): boolean {
  return controlsOf(form).some(
    (control) =>
      control.type === 'checkbox' && control.closest('td, th')?.parentElement?.querySelector('a[href]'),
  )
}

/** What a tool does, with what a person changed. */
function fieldsWith({fields, form, reading}: Proposal, {texts, inputs, part, pages}: Words): object {
  if (form && texts) return formToolOf(form, texts).fields
  // On another page there is nothing to read: the tool loads this one.
  const isElsewhere = pages === '/**' && reading?.searched === undefined
  if (!reading || !(inputs || part || isElsewhere)) return fields
  const searched = isElsewhere ? pageHere() : reading.searched
  return readingTool([part ?? reading.part], searched && {...searched, inputs: inputs ?? searched.inputs})
    .fields
}

/** What a person can change of a reading and its search. */
function Changes(props: {proposal: Proposal; words: Words; changeWords: (words: Words) => void}) {
  const {proposal, words, changeWords} = props
  const {part, searched} = proposal.reading ?? {}
  return (
    <>
      {searched && (
        <fieldset>
          <legend>What it sends</legend>
          <InputRows
            inputs={words.inputs ?? searched.inputs}
            change={(inputs) => changeWords({...words, inputs})}
          />
        </fieldset>
      )}
      {part && (
        <PartFields
          part={words.part ?? part}
          choices={[part]}
          change={(part) => changeWords({...words, part})}
        />
      )}
    </>
  )
}

function look() {
  return {parts: findParts(), forms: pageForms(), searchedPage: searchedHere()}
}
