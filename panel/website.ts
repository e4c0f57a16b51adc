import {all} from '../snippet/page.ts'
import {textOf} from './forms/controls.ts'
import {pageForms} from './forms/pageForms.ts'
import {CHANGES, headingHere, patternHere} from './forms/thisPage.ts'
import {draftOf} from './making/handover.tsx'
import {partsHere} from './making/list/details.ts'
import {isOffered} from './making/list/formTool.ts'
import {proposalsOf} from './making/list/proposals.ts'
import {resultsOf, sentPage, toldApart} from './making/list/sentPage.ts'
import {sentBy, trialOf} from './making/list/trials.ts'
import {pageOfQuery, searchedHere, withWordsAlone} from './making/record/searches.ts'
import {headingsOf} from './making/run.ts'

// `content new --from` runs this on each page of a website: what the tab “Make a tool” lists, without a person.

const unlisted = <T>(send: () => T) => send()

/** Words of the page, which its searches may find. */
const WORD = /\p{L}{4,}/u

async function find() {
  // Some websites respond to any address with a page.
  if (location.pathname.endsWith('.xml'))
    return {leads: all('loc').map((one) => ({href: textOf(one), from: 'sitemap'}))}
  const here = searchedHere()
  const searched = here ?? pageOfQuery()
  const load = async (address: string | undefined) =>
    address === undefined ? undefined : sentPage(address, unlisted).catch(() => undefined)
  const addresses = searched && [
    searched.exchange.address,
    withWordsAlone(searched),
    searched.before,
    searched.one?.other,
  ]
  const [sent, alone, unsearched, other] = await Promise.all(addresses?.map(load) ?? [])
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
    // Other columns of a table and other fields of a form are another thing.
    const told = form?.fields ?? tool.parts?.map(({part}) => headingsOf(part))
    const problem = tool.problem ?? trial.problem
    tools.push({...draftOf(tool, 'new', 'site'), told: String(told), isCalled, problem})
  }
  const examples = parts.map((one) => one.example.replace(/"[^"]*":/g, ''))
  const longest = examples.toSorted((a, b) => b.length - a.length)[0] ?? ''
  const words = [longest, headingHere()].flatMap((text) => WORD.exec(text)?.[0] ?? [])
  const searches = forms.flatMap((form) => (form.isSearch ? words.map((word) => sentBy(form, word)) : []))
  const links = all<HTMLAnchorElement>('a[href]:not([rel~=nofollow i])').map(({href}) => href)
  const leads = [
    // What a form posts may be a secret.
    ...searches.flatMap((one) => (one && !one.body ? [{href: one.address.href, from: 'search'}] : [])),
    ...links.flatMap((href) => (CHANGES.test(href) ? [] : [{href, from: 'link'}])),
  ]
  return {tools, leads}
}

// Pages cannot replace it.
Object.defineProperty(globalThis, 'handrailWebsite', {value: Object.freeze({find})})
