import {useEffect, useState} from 'preact/hooks'
import {callOf, plannedOf} from '../../../actions/onPage.ts'
import {pageOf} from '../../../actions/run/html/otherPages.ts'
import {runRequest} from '../../../actions/run/request.ts'
import {argumentsOf} from '../../../making/exchange.ts'
import {isSearched} from '../../../making/inputs.ts'
import {isNothing} from '../../../schemas/calls/counts.ts'
import {isRecord} from '../../../schemas/record.ts'
import {requestChanges} from '../../../schemas/rules/hints/effects.ts'
import {messageOf} from '../../../snippet/messageOf.ts'
import {getAttribute} from '../../../snippet/page.ts'
import {controlsOf, isText} from '../../forms/controls.ts'
import type {PageForm} from '../../forms/pageForms.ts'
import type {Exchanges} from '../record/exchanges.ts'
import type {Proposal} from './proposals.ts'

/** What is known of a tool that was called once, as an agent calls it. */
type Outcome = 'calling' | {readonly problem: string}

/**
 * Calls tools once, as an agent would, unless this may change something.
 * @returns what is wrong with a tool, empty if nothing is, or undefined while that is not known
 */
export function useTrials(
  proposals: readonly Proposal[],
  unlisted: Exchanges['unlisted'],
): (proposal: Proposal) => string | undefined {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const set = (key: string, outcome: Outcome) => setOutcomes((before) => new Map(before).set(key, outcome))
  const keys = proposals.map(trialKey).join('\n')
  useEffect(() => {
    for (const proposal of proposals) {
      const key = trialKey(proposal)
      if (outcomes.has(key)) continue
      set(key, 'calling')
      void problemOf(proposal, unlisted)
        .catch((error: unknown) => `Agents would get this error: ${messageOf(error)}`)
        .then((problem = '') => set(key, {problem}))
    }
  }, [keys])
  return (proposal) => {
    const outcome = outcomes.get(trialKey(proposal))
    return typeof outcome === 'object' ? outcome.problem : undefined
  }
}

function trialKey({key, fields}: Proposal): string {
  return key + JSON.stringify(fields)
}

/** @throws what an agent would get */
async function problemOf(
  {form, fields, sample = []}: Proposal,
  unlisted: Exchanges['unlisted'],
): Promise<string | undefined> {
  if (form) return form.isSearch ? problemOfSearch(form, unlisted) : undefined
  if (!('request' in fields) || !isRecord(fields.request)) return undefined
  if (requestChanges({action: 'request', request: fields.request})) return undefined
  const call = callOf(plannedOf({...fields}), argumentsOf(sample), (address, init) =>
    unlisted(() => fetch(address, init)),
  )
  return isNothing(await runRequest(call))
    ? 'Called with what you searched for, it finds nothing.'
    : undefined
}

/** A word that no website has. */
const NO_WORD = 'qxzvkjw'

/** Whether a search opens the same page for any word, and no script of the page takes care of it. */
async function problemOfSearch(
  {element, heading}: PageForm,
  unlisted: Exchanges['unlisted'],
): Promise<string | undefined> {
  const controls = controlsOf(element).filter(isText)
  const field = controls.find(({name, type}) => type === 'search' || isSearched(name)) ?? controls[0]
  const target = URL.parse(getAttribute.call(element, 'action') ?? '', document.baseURI)
  if (!field || target?.origin !== location.origin) return undefined
  const pageFor = async (word: string) => {
    const sent = word ? new FormData(element) : new FormData()
    if (word) sent.set(field.name, word)
    const pairs = [...sent].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
    target.search = String(new URLSearchParams(pairs))
    const page = await pageOf(await unlisted(() => fetch(target)))
    // Tokens and times are others each time.
    for (const hidden of page?.querySelectorAll('script, style, template') ?? []) hidden.remove()
    return page?.body.textContent.replaceAll(word, '')
  }
  const [word = 'a'] = /\p{L}{4,}/u.exec(`${heading} ${document.title}`) ?? []
  // What finds nothing may look alike for all words, but not as the page of no search.
  const pages = [await pageFor(word), await pageFor(NO_WORD), await pageFor('')]
  if (new Set(pages).size > 1) return undefined
  // Its own script may show what is found.
  const isTaken = !element.dispatchEvent(new SubmitEvent('submit', {bubbles: true, cancelable: true}))
  return isTaken
    ? undefined
    : 'It opens the same page for any word: this search works in the browser only, and agents get no results.'
}
