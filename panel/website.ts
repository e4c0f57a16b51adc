import {all, getAttribute} from '../snippet/page.ts'
import {controlsOf, isText} from './forms/controls.ts'
import {methodOf, type PageForm, pageForms} from './forms/pageForms.ts'
import {patternHere} from './forms/thisPage.ts'
import {draftOf} from './making/handover.tsx'
import {partsHere} from './making/list/details.ts'
import {isOffered} from './making/list/formTool.ts'
import {proposalsOf} from './making/list/proposals.ts'
import {resultsOf, sentPage, toldApart} from './making/list/sentPage.ts'
import {trialOf} from './making/list/trials.ts'
import {pageOfQuery, searchedHere, withWordsAlone} from './making/record/searches.ts'

// `content new --from` runs this on each page of a website: what the tab “Make a tool” lists, without a person.

const unlisted = <T>(send: () => T) => send()

/** A word of the page that its searches may find. */
const WORD = /\p{L}{4,}/u

async function find() {
  const here = searchedHere()
  const searched = here ?? pageOfQuery()
  const load = async (address: string | undefined) =>
    address === undefined ? undefined : sentPage(address, unlisted).catch(() => undefined)
  const [sent, alone, unsearched, other] = await Promise.all([
    load(searched?.exchange.address),
    load(searched && withWordsAlone(searched)),
    load(searched?.before),
    load(searched?.one?.other),
  ])
  const others = [unsearched, alone].flatMap((page) => page ?? [])
  const parts = partsHere().map((one) => ({...one, part: toldApart(one.part, others)}))
  const forms = pageForms()
  const resultOf = resultsOf(searched, {sent, alone, unsearched, other, isHere: here !== undefined})
  const tools = []
  for (const proposal of proposalsOf(parts, forms.filter(isOffered), undefined, resultOf, [])) {
    const {pages = patternHere(), form} = proposal
    const tool = {...proposal, fields: proposal.fieldsFor({pages})}
    const trial = await trialOf(tool, false, (address, init) => fetch(address, init), unlisted)
    const isCalled = !trial.isUnsent && (!form || form.isSearch)
    tools.push({made: draftOf(tool, 'new', 'site'), isCalled, problem: tool.problem ?? trial.problem})
  }
  const [example = document.title] = parts.map((one) => one.example.replace(/"[^"]*":/g, ''))
  return {
    tools,
    links: all<HTMLAnchorElement>('a[href]:not([rel~=nofollow i])').map(({href}) => href),
    searches: forms.flatMap((form) => searchOf(form, WORD.exec(example)?.[0]) ?? []),
  }
}

/** The address that a search of the page leads to. */
function searchOf({element, isSearch}: PageForm, word: string | undefined): string | undefined {
  const field = controlsOf(element).find(isText)
  const target = URL.parse(getAttribute.call(element, 'action') || location.href, document.baseURI)
  // What a form posts may be a secret.
  if (!isSearch || methodOf(element) === 'post' || !word || !field?.name || !target) return undefined
  const sent = new FormData(element)
  sent.set(field.name, word)
  for (const [name, value] of sent) if (typeof value === 'string') target.searchParams.set(name, value)
  return target.href
}

// Pages cannot replace it.
Object.defineProperty(globalThis, 'handrailWebsite', {value: Object.freeze({find})})
