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

async function find() {
  const unlisted = <T>(send: () => T) => send()
  // Some websites respond to any address with a page.
  if (location.pathname.endsWith('.xml')) return {leads: all('loc').map(textOf)}
  const here = searchedHere()
  const searched = here ?? pageOfQuery()
  const load = async (address: string | undefined) =>
    address === undefined ? undefined : sentPage(address, unlisted).catch(() => undefined)
  const addresses = searched
    ? [searched.exchange.address, withWordsAlone(searched), searched.before, searched.one?.other]
    : []
  const [sent, alone, unsearched, other] = await Promise.all(addresses.map(load))
  const others = [unsearched, alone].flatMap((page) => page ?? [])
  const parts = partsHere().map((one) => ({...one, part: toldApart(one.part, others)}))
  const forms = pageForms()
  const resultOf = resultsOf(searched, {sent, alone, unsearched, other, isHere: here !== undefined})
  const tools = []
  for (const proposal of proposalsOf(parts, forms.filter(isOffered), undefined, resultOf, [])) {
    const {pages = patternHere(), form, ofAny, noun} = proposal
    const tool = {...proposal, fields: proposal.fieldsFor({pages})}
    const trial = await trialOf(tool, false, (address, init) => fetch(address, init), unlisted)
    const isCalled = !trial.isUnsent && (!form || form.isSearch)
    // Other columns of a table and other fields of a form are another thing.
    const told = form?.fields ?? tool.parts?.map(({part}) => headingsOf(part))
    const problem = tool.problem ?? trial.problem
    tools.push({...draftOf(tool, 'new', 'site'), told: String(told), isCalled, problem, ofAny, noun})
  }
  const examples = parts.map((one) => one.example.replace(/"[^"]*":/g, ''))
  const longest = examples.toSorted((a, b) => b.length - a.length)[0] ?? ''
  // Its searches may find words of the page.
  const words = [longest, headingHere()].flatMap((text) => /\p{L}{4,}/u.exec(text)?.[0] ?? [])
  const searches = forms.flatMap((form) => (form.isSearch ? words.map((word) => sentBy(form, word)) : []))
  const links = all<HTMLAnchorElement>('a[href]:not([rel~=nofollow i])')
  const leads = [
    // What a form posts may be a secret.
    ...searches.flatMap((one) => (one && !one.body ? one.address.href : [])),
    ...links.flatMap(({href}) => (CHANGES.test(href) ? [] : href)),
  ]
  const isAllowed = originAgentCluster && Object(document).featurePolicy?.allowsFeature('tools') !== false
  return {tools, leads, forbidden: isSecureContext && isAllowed ? undefined : FORBIDDEN}
}

const FORBIDDEN = 'No tools: no https, or its Permissions-Policy or Origin-Agent-Cluster forbids them.'

/** What workers and connections send are no requests, and cannot be refused, nor can what is loaded before it is needed. */
class Silent extends EventTarget {
  readonly port = this
  postMessage() {}
  send() {}
  close() {}
}
const silent = {Worker: Silent, SharedWorker: Silent, WebSocket: Silent}
Object.assign(globalThis, silent, {WebTransport: undefined, RTCPeerConnection: undefined})
new MutationObserver(() => {
  for (const rules of all('script[type=speculationrules i]')) rules.remove()
}).observe(document, {childList: true, subtree: true})

// Pages cannot replace it.
Object.defineProperty(globalThis, 'handrailWebsite', {value: Object.freeze({find})})
