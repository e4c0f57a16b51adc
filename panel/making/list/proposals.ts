import {askedOf, linkOf, operationOf, proposeName, toolOf} from '../../../making/exchange.ts'
import {type Input, problemOfBody} from '../../../making/inputs.ts'
import {distinctName, lastingHeading, nameFromWords} from '../../../making/names.ts'
import type {ProposedPart} from '../../../making/picked.ts'
import {proposeResult} from '../../../making/proposeResult.ts'
import {type ProposedResult, resultOf, tickedIn} from '../../../making/tree.ts'
import {getAttribute} from '../../../snippet/page.ts'
import {controlsOf, textOf} from '../../forms/controls.ts'
import {chosenHere} from '../../forms/facets.ts'
import type {PageForm} from '../../forms/pageForms.ts'
import {headingHere, patternHere, thingHere} from '../../forms/thisPage.ts'
import {readingTool} from '../pick/readingTool.ts'
import {type Exchanges, MISSING, type Recorded, USUAL_HEADERS} from '../record/exchanges.ts'
import {idleWords} from '../record/inputRows.tsx'
import {inputsIn, pageHere, pageOfQuery, parametersOf, type Searched, wordsAlone} from '../record/searches.ts'
import {headingsOf, readPart} from '../run.ts'
import {formToolOf, problemOfForm} from './formTool.ts'
import type {FoundPart} from './readings.ts'

/** A part of the page, and what else it may be. */
export type Chosen = {readonly part: ProposedPart; readonly choices: readonly ProposedPart[]}

/** What a person typed or chose instead of what is proposed. */
export type Words = {
  readonly name?: string
  readonly description?: string
  readonly pages?: string
  /** Of the fields of a form, by their names. */
  readonly texts?: Readonly<Record<string, string>>
  /** What is sent. */
  readonly inputs?: readonly Input[]
  /** Paths in the answer of what is returned. */
  readonly ticked?: readonly string[]
  /** What is read. */
  readonly parts?: readonly Chosen[]
}

/** A tool that can be made of something on the page. */
export type Proposal = {
  /** The same for the same thing of the page. */
  readonly key: string
  readonly kind: 'Search' | 'Form' | 'Table' | 'List' | 'Facts' | 'Request'
  readonly type: 'tool' | 'formTool'
  readonly name: string
  readonly description: string
  /** Of a part that many pages have: its description without the name of this page. */
  readonly ofAny?: string
  /** What it returns, as in “entries”. */
  readonly noun?: string
  /** Undefined: pages like this one. */
  readonly pages: string | undefined
  /** What the tool does; undefined: nothing was chosen that it returns. */
  readonly fieldsFor: (words: Words) => object | undefined
  /** Undefined: a request. */
  readonly element?: Element
  /** A part of what agents get, as JSON. */
  readonly example?: string
  /** What agents do not get, because all entries have it. */
  readonly leftOut?: string
  /** Why the tool may get something else than the page. */
  readonly warning?: string | undefined
  readonly form?: PageForm
  /** Why no tool can be made of it. */
  readonly problem?: string | undefined
  /** What it sends. */
  readonly inputs?: readonly Input[] | undefined
  readonly recorded?: Recorded
  /** What of its answer is returned. */
  readonly ticked?: readonly string[]
  readonly parts?: readonly Chosen[]
}

/** A part that a search finds, as it is in what the search returns. */
type SearchResult = {readonly searched: Searched; readonly part: ProposedPart}

/**
 * The tools that can be made of the page, with names that no other tool has.
 * @param opened a search of which scripts of its page show what it found
 */
export function proposalsOf(
  parts: readonly FoundPart[],
  forms: readonly PageForm[],
  recorder: Exchanges | undefined,
  resultOf: (part: FoundPart) => SearchResult | undefined,
  taken: readonly string[],
  opened?: Searched,
): Proposal[] {
  const names = new Set(taken)
  const proposals = [
    ...(opened ? [proposalOfOpening(opened)] : []),
    ...parts.map((part) => proposalOfPart(part, resultOf(part), opened && OPENED)),
    ...(recorder ? proposalsOfRequests(recorder) : []),
    ...formsOnce(forms).map(proposalOfForm),
  ]
  return proposals.map((proposal) => {
    const name = distinctName(proposal.name, proposal.noun ?? '', names)
    names.add(name)
    return {...proposal, name}
  })
}

/** The forms without those that are like another one, such as a search of phones, or of each row; those that are seen first. */
function formsOnce(forms: readonly PageForm[]): PageForm[] {
  const isSeen = ({element}: PageForm) => element.checkVisibility()
  const seen = forms.toSorted((one, other) => Number(isSeen(other)) - Number(isSeen(one)))
  const sentTo = ({element}: PageForm, fields: readonly string[]) =>
    `${getAttribute.call(element, 'action')} ${fields}`
  const namesIn = ({element}: PageForm) => controlsOf(element).map(({name}) => name)
  const shown = new Set(seen.flatMap((form) => (isSeen(form) ? [sentTo(form, namesIn(form))] : [])))
  const isTwice = (form: PageForm) => form.isSearch && !isSeen(form) && shown.has(sentTo(form, namesIn(form)))
  const once = Map.groupBy(seen, (form) =>
    form.isSearch ? sentTo(form, form.fields) : problemOfForm(form) ? String(form.fields) : form,
  )
  const kept = Array.from(once.values(), ([form]) => form)
  return forms.filter((form) => kept.includes(form) && !isTwice(form))
}

function proposalOfForm(form: PageForm): Proposal {
  const {selector, element, isSearch} = form
  const tool = formToolOf(form)
  return {
    ...tool,
    key: keyOf(selector, tool.pages),
    kind: isSearch ? 'Search' : 'Form',
    fieldsFor: ({texts}) => formToolOf(form, texts).fields,
    element,
    form,
    problem: problemOfForm(form),
    warning: warningOfForm(form),
  }
}

/** Names that agents may refuse, as forms of Rails and PHP have; that visitors do not see it; that pages are not told apart by their query. */
function warningOfForm({element, isSearch, isOfSite}: PageForm): string {
  const odd = controlsOf(element).find(({name}) => !/^[\w.-]*$/.test(name))
  const warnings = [
    odd &&
      `Some agents refuse the parameter “${odd.name}”: its name has other characters than letters, digits and “_”.`,
    !isSearch &&
      !element.checkVisibility() &&
      'The page does not show this form now: visitors have to open it before they press its button.',
    !isOfSite &&
      pageOfQuery() &&
      `Agents find it on each page of ${patternHere()} that has this form, whatever its address has after “?”.`,
  ]
  return warnings.filter(Boolean).join(' ')
}

/** Other pages may have other things with the same selector, and some leave this panel as it is. */
function keyOf(selector: string, pages = patternHere()): string {
  return `${pages} ${selector}`
}

/** The keys of a part: of what a page has, and of what a search finds. */
export function keysOf({selector}: ProposedPart): readonly [here: string, searched: string] {
  return [keyOf(selector), `${keyOf(selector)} searched`]
}

/** What is listed, and what agents get of it. */
const KINDS: Readonly<Record<ProposedPart['kind'], readonly [Proposal['kind'], string]>> = {
  table: ['Table', 'rows'],
  definitions: ['Facts', 'facts'],
  items: ['List', 'entries'],
  list: ['List', 'entries'],
  links: ['List', 'links'],
  text: ['Facts', 'text'],
}

const DETAILS = ['Facts', 'details'] as const

/** Characters of a button in a description. */
const MAX_PRESSED = 40

/** Members that a description names. */
const MAX_MEMBERS = 12

function proposalOfPart(
  {element, part: found, parts, heading, example, choices, isSearched, isLoaded}: FoundPart,
  result: SearchResult | undefined,
  searchedBy = SEARCHED,
): Proposal {
  const {searched, part = found} = result ?? {}
  const asked = searched && parametersOf(searched)
  const isSearch = asked !== undefined && asked.length > 0 && !searched?.one
  const read = parts ?? [part]
  const [kind, noun] = parts ? DETAILS : KINDS[part.kind]
  const members =
    parts?.map(({name}) => name) ?? found.fields?.map(({name}) => name) ?? found.columns ?? headingsOf(found)
  const isThing = heading !== '' && heading === thingHere()
  const isHere = heading === 'page' ? 'this page' : `the ${heading} on the page`
  const ofThing = searched?.one ? `the ${heading} that is asked for` : isHere
  const where = asked?.length === 0 && heading !== headingHere() ? ` on “${headingHere()}”` : ''
  const title = isThing ? ofThing : heading ? `“${heading}”${where}` : document.title
  const returned = members.length > 0 ? `: ${members.slice(0, MAX_MEMBERS).join(', ')}` : ''
  const {name, pages} = readingTool(read, searched, parts && (heading || 'page'))
  const returns = (of: string) => `Returns the ${noun} of ${of}${returned}.`
  return {
    name,
    pages,
    fieldsFor: (words) => {
      // On another page there is nothing to read: the tool loads this one.
      const loaded = searched ?? (words.pages === '/**' ? pageHere() : undefined)
      const inputs = words.inputs ?? loaded?.inputs ?? []
      return readingTool(words.parts?.map((one) => one.part) ?? read, loaded && {...loaded, inputs}).fields
    },
    parts: read.map((one) => ({part: one, choices: parts || result ? [one] : choices})),
    inputs: searched?.inputs,
    key: parts ? keyOf('details') : keysOf(found)[isSearch ? 1 : 0],
    kind: isSearch ? 'Search' : kind,
    type: 'tool',
    description: isSearch
      ? `Searches ${title} by ${asked.join(', ')}, and returns what is found${returned}.`
      : returns(title),
    ...(!isSearch && {ofAny: returns('the page')}),
    element,
    example,
    noun,
    leftOut: [exampleTexts({...found, fields: found.same ?? []}), ...groupsIn(element)]
      .filter(Boolean)
      .join(', '),
    warning:
      part.limit !== undefined
        ? PARTLY_SHOWN
        : searched?.found
          ? UNTRIED
          : !searched && isSearched
            ? searchedBy
            : isLoaded
              ? OF_SCRIPTS
              : undefined,
  }
}

/** Opens the page of a search: what its scripts show there, another tool reads. */
function proposalOfOpening(searched: Searched): Proposal {
  const heading = lastingHeading(headingHere(), chosenHere()) || 'results'
  const inputs = wordsAlone(searched.inputs).map((one) => ({...one, isRequired: true}))
  return {
    key: `${searched.before} opened`,
    kind: 'Search',
    type: 'tool',
    name: nameFromWords(`open ${heading}`),
    description: `Opens the page “${heading}” by ${parametersOf({inputs}).join(', ')}.`,
    warning: OPENED,
    pages: '/**',
    fieldsFor: (words) => linkOf(searched.exchange, {...searched, inputs: words.inputs ?? inputs}),
    inputs,
  }
}

/** What stands over the whole of a table, such as the names of groups of its rows. */
function groupsIn(element: Element): string[] {
  const groups = element.querySelectorAll('tr ~ tr > [colspan]:only-child:not(:has(button, table))')
  return Array.from(groups, textOf).slice(0, MAX_MEMBERS)
}

/** The texts of the first entry. */
function exampleTexts(part: ProposedPart): string {
  const [first]: unknown[] = part.fields?.length ? [readPart(part)].flat() : []
  return Object.values(Object(first)).join(', ')
}

const PARTLY_SHOWN = 'The page shows a part of this, and searches it by itself: the tool returns all of it.'

const OF_SCRIPTS =
  'Scripts of this page load this, and may show a part of it: offer their request, under “Other requests”.'

const SEARCHED =
  'This is there only after a search that works in the browser: offer the whole list instead, or a request of the search.'

const OPENED =
  'Scripts of this page show what is found: offer what opens the page, and what reads it, or a request.'

const UNTRIED = 'This search may change something, so it was not sent again: try the draft.'

/** The newest request of each kind that a tool can send, else the newest. */
function proposalsOfRequests(exchanges: Exchanges): Proposal[] {
  const kinds = Map.groupBy(
    exchanges.list.filter(({missing}) => missing !== 'page'),
    ({exchange}) => `${exchange.method} ${addressShown(exchange.address)} ${operationOf(exchange) ?? ''}`,
  )
  return [...kinds].flatMap(([key, recorded]) => {
    const shown = recorded.find((one) => problemOfRequest(one) === undefined) ?? recorded[0]
    return shown ? [{...proposalOfRequest(shown, exchanges), key}] : []
  })
}

function problemOfRequest({exchange, missing, status = 0}: Recorded): string | undefined {
  if (missing) return MISSING[missing]
  return status < 400 ? problemOfBody(exchange) : `The website answered with status ${status}.`
}

function proposalOfRequest(recorded: Recorded, exchanges: Exchanges): Omit<Proposal, 'key'> {
  const {exchange, headers, sent, pressed} = recorded
  const result = proposeResult(exchange.answer, askedOf(exchange))
  const ticked = tickedIn(result)
  const inputs = inputsIn(recorded, exchanges.typed, exchanges.earlierThan(recorded))
  const parameters = inputs.filter(({use}) => use === 'parameter').map(({parameter}) => parameter)
  const by = parameters.length > 0 ? ` by ${parameters.join(', ')}` : ''
  const verb =
    exchange.method === 'GET'
      ? 'Returns'
      : pressed
        ? `Does what “${pressed.slice(0, MAX_PRESSED)}” does, and returns`
        : 'Sends a request, and returns'
  const isSent = (name: string) => sent.some((row) => row.name.toLowerCase() === name.toLowerCase())
  const own = headers.filter((name) => !USUAL_HEADERS.test(name) && !isSent(name)).join(', ')
  return {
    kind: 'Request',
    type: 'tool',
    name: proposeName(exchange, inputs, pressed),
    description: `${verb} ${returnedBy(result)} of ${addressShown(exchange.address)}${by}.`,
    // A request needs nothing of the page.
    pages: '/**',
    fieldsFor: (words) => {
      const chosen = words.ticked ? resultOf(words.ticked, exchange.answer) : result
      return (
        chosen &&
        toolOf(exchange, {
          origin: location.origin,
          inputs: words.inputs ?? inputs,
          headers: sent,
          result: chosen,
        })
      )
    },
    recorded,
    inputs,
    ticked,
    problem: problemOfRequest(recorded),
    warning:
      idleWords(inputs) ??
      (own ? `Your page adds ${own}, and this tool does not send it.` : undefined) ??
      unknownId(inputs, recorded.ids),
  }
}

/** What an agent must know, and no answer or address of a page tells it. */
function unknownId(inputs: readonly Input[], ids: readonly string[]): string | undefined {
  const lost = inputs.find(
    ({place, use, value, source, isOfPage}) =>
      place === 'path' && use === 'parameter' && !source && !isOfPage && !ids.includes(String(value)),
  )
  return (
    lost &&
    `Agents have to know “${lost.parameter}”, such as “${lost.value}”: make a tool that returns it, too, such as a list of this page.`
  )
}

function returnedBy(result: ProposedResult): string {
  if (!('members' in result) || result.members.length === 0) return 'the answer'
  return result.members.map(({name, path}) => name ?? path.split('.').at(-1)).join(', ')
}

/** An address without its query; one of the page's origin without that. */
function addressShown(address: string): string {
  const {origin, pathname} = new URL(address)
  return origin === location.origin ? pathname : origin + pathname
}
