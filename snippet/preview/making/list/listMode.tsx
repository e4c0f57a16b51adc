import {useEffect, useId, useRef, useState} from 'preact/hooks'
import {type MadeTool, toolLink, toolsLink} from '../../../../schemas/making/studioLink.ts'
import {controlsOf, highlight, pageForms} from '../../lent/borrowed.ts'
import type {MakeProps} from '../../lent/lending.ts'
import {draftId, fieldsOf, NoStudio, randomSuffix} from '../handover.tsx'
import {searchedHere} from '../pick/readingTool.ts'
import type {Recorder} from '../record/useRecording.ts'
import {type Proposal, proposalsOf} from './proposals.ts'
import {findParts} from './readings.ts'
import {useSentPage} from './useSentPage.ts'

/** Milliseconds between two looks at the page. */
const INTERVAL = 2_000

/** What the page has, as tools of which drafts are made together. */
export function ListMode(props: MakeProps & {recorder: Recorder}) {
  const {studio, isShown, recorder, taken, nameOf, show} = props
  const [found, setFound] = useState(look)
  const [ticked, setTicked] = useState<readonly string[]>([])
  const [made, setMade] = useState<ReadonlyMap<string, {proposal: Proposal; draft: MadeTool}>>(new Map())
  const status = useRef<HTMLParagraphElement>(null)
  const suffixes = useRef(new Map<string, string>()).current
  useEffect(() => {
    if (!isShown) return
    setFound(look())
    const timer = setInterval(() => setFound(look()), INTERVAL)
    return () => clearInterval(timer)
  }, [isShown])
  const here = found.searched
  const sent = useSentPage(isShown && here !== undefined && found.parts.length > 0)
  const isSent =
    here === undefined || !sent || found.parts.some(({part}) => sent.querySelector(part.selector))
  const searched = isSent ? here : undefined
  const madeOnes = [...made.values()].map(({proposal}) => proposal)
  const others = taken.filter((name) => madeOnes.every((one) => one.name !== name))
  const current = proposalsOf(found.parts, found.forms, recorder, searched, others)
  const proposals = [
    ...current.map((one) => made.get(one.key)?.proposal ?? one),
    // A form that has its tool is proposed no more.
    ...madeOnes.filter(({key}) => current.every((one) => one.key !== key)),
  ]
  if (!studio) return <NoStudio />
  const draftOf = ({key, name, description, pages, type, fields}: Proposal): MadeTool => {
    const suffix = suffixes.get(key) ?? randomSuffix()
    suffixes.set(key, suffix)
    const id = draftId(name, suffix)
    return {id, site: studio.siteId, type, fields: fieldsOf({type, fields}, {name, description, pages})}
  }
  const chosen = proposals.filter(({key}) => ticked.includes(key) && !made.has(key))
  const action = `Make ${chosen.length === 1 ? '1 draft' : `${chosen.length} drafts`}`
  return (
    <>
      <p>Tick what agents may use. For what a search finds, search once and come back.</p>
      {!isSent && (
        <p class="note">
          Scripts of this page add what was found, so a tool cannot load it as a page. Choose “Record”, and
          search again.
        </p>
      )}
      <ul class="list" aria-label="What this page has">
        {proposals.map((proposal) => {
          const {key} = proposal
          const draft = made.get(key)?.draft
          const shown = draft && nameOf(draft.id)
          return (
            <li key={key} class="item" data-proposal={proposal.name}>
              <Item
                proposal={proposal}
                isTicked={ticked.includes(key)}
                isMade={draft !== undefined}
                tick={(isTicked) =>
                  setTicked((before) => [...before.filter((one) => one !== key), ...(isTicked ? [key] : [])])
                }
              />
              {draft && (
                <span class="facts">
                  {shown === undefined ? 'Given to Studio' : 'Draft made'} –{' '}
                  <a href={toolLink(studio, draft)} target="_blank" rel="noopener" referrerpolicy="origin">
                    Open in Studio
                  </a>{' '}
                  {shown !== undefined && (
                    <button type="button" onClick={() => show(shown)}>
                      Try it
                    </button>
                  )}
                </span>
              )}
            </li>
          )
        })}
      </ul>
      {proposals.length === 0 && (
        <p class="empty">
          Nothing was found here. Use the page as a visitor: requests appear here. Or choose “Pick” to point
          at something.
        </p>
      )}
      <p role="status" tabIndex={-1} ref={status} class="facts">
        {made.size > 0 && 'Studio saves the drafts in its tab, and they appear here in a moment.'}
      </p>
      <p class="buttons sticky">
        {chosen.length === 0 ? (
          <button type="button" class="primary" disabled>
            Make drafts
          </button>
        ) : (
          // One tab of Studio saves all of them: only Studio may write.
          <a
            class="button"
            href={toolsLink(studio, chosen.map(draftOf))}
            target="_blank"
            rel="noopener"
            referrerpolicy="origin"
            onClick={() => {
              const drafts = chosen.map(
                (proposal) => [proposal.key, {proposal, draft: draftOf(proposal)}] as const,
              )
              // The browser first follows the link as it is now.
              setTimeout(() => {
                setMade((before) => new Map([...before, ...drafts]))
                status.current?.focus()
              })
            }}
          >
            {action}
          </a>
        )}
      </p>
    </>
  )
}

function look() {
  return {parts: findParts(), forms: pageForms(), searched: searchedHere()}
}

function Item(props: {
  proposal: Proposal
  isTicked: boolean
  isMade: boolean
  tick: (isTicked: boolean) => void
}) {
  const {kind, name, description, element, form, example, warning} = props.proposal
  return (
    <>
      <label>
        <input
          type="checkbox"
          checked={props.isTicked}
          disabled={props.isMade}
          onChange={({currentTarget}) => props.tick(currentTarget.checked)}
        />{' '}
        <strong>{name}</strong> <span class="badge">{kind}</span>
      </label>
      <p class="facts">{description}</p>
      {example && <p class="facts example">{example}</p>}
      {warning && <p class="problem">{warning}</p>}
      <div class="buttons">
        {element && (
          <button type="button" aria-label={`Look at ${name}`} onClick={() => highlight(element)}>
            Look
          </button>
        )}
        {form && <SearchOnce form={form} />}
      </div>
    </>
  )
}

/** Opens the results of a search, of which a better tool can be made. */
function SearchOnce({form}: {form: HTMLFormElement}) {
  const id = useId()
  const [words, setWords] = useState('')
  const search = (event: Event) => {
    event.preventDefault()
    const field = controlsOf(form).find((control) => /^(?:search|text)$/.test(control.type))
    if (!field || words.trim() === '') return
    field.value = words.trim()
    for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, {bubbles: true}))
    HTMLFormElement.prototype.requestSubmit.call(form)
  }
  return (
    <form class="once" onSubmit={search}>
      <label for={id}>Search once for</label>
      <input
        id={id}
        value={words}
        autocomplete="off"
        onInput={({currentTarget}) => setWords(currentTarget.value)}
      />
      <button type="submit">Search</button>
    </form>
  )
}
