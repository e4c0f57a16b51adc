import {askedOf, operationOf, proposeName, toolOf} from '../../../making/exchange.ts'
import {type Input, problemOfBody} from '../../../making/inputs.ts'
import {freeName} from '../../../making/names.ts'
import type {ProposedPart} from '../../../making/picked.ts'
import {proposeResult} from '../../../making/proposeResult.ts'
import type {ProposedResult} from '../../../making/tree.ts'
import type {PageForm} from '../../forms/pageForms.ts'
import {patternHere, thingHere} from '../../forms/thisPage.ts'
import {readingTool} from '../pick/readingTool.ts'
import {type Exchanges, USUAL_HEADERS} from '../record/exchanges.ts'
import {idleWords} from '../record/inputRows.tsx'
import {addressShown} from '../record/requestTool.tsx'
import {inputsIn, type Searched, wordsAlone} from '../record/searches.ts'
import {headingsOf, readPart} from '../run.ts'
import {formToolOf, problemOfForm} from './formTool.ts'
import type {FoundPart} from './readings.ts'

/** A tool that can be made of something on the page. */
export type Proposal = {
  /** The same for the same thing of the page. */
  readonly key: string
  readonly kind: 'Search' | 'Form' | 'Table' | 'List' | 'Facts' | 'Request'
  readonly type: 'tool' | 'formTool'
  readonly name: string
  readonly description: string
  /** Undefined: pages like this one. */
  readonly pages: string | undefined
  readonly fields: object
  /** Undefined: a request. */
  readonly element: Element | undefined
  /** A part of what agents get, as JSON. */
  readonly example?: string
  /** What agents do not get, because all entries have it. */
  readonly leftOut?: string
  /** Why the tool may get something else than the page. */
  readonly warning?: string | undefined
  readonly form?: PageForm
  /** Why no tool can be made of it. */
  readonly problem?: string | undefined
  /** With what it is called before it is kept. */
  readonly sample?: readonly Input[]
  /** What it reads, and the search that finds it. */
  readonly reading?: {readonly part: ProposedPart; readonly searched: Searched | undefined}
}

/** A part that a search finds, as it is in what the search returns. */
type SearchResult = {readonly searched: Searched; readonly part: ProposedPart}

/** The tools that can be made of the page, with names that no other tool has. */
export function proposalsOf(
  parts: readonly FoundPart[],
  forms: readonly PageForm[],
  recorder: Exchanges | undefined,
  resultOf: (part: FoundPart) => SearchResult | undefined,
  taken: readonly string[],
): Proposal[] {
  const names = new Set(taken)
  const proposals = [
    ...parts.map((part) => proposalOfPart(part, resultOf(part))),
    ...(recorder ? proposalsOfRequests(recorder) : []),
    ...forms.map(proposalOfForm),
  ]
  return proposals.map((proposal) => {
    const name = freeName(proposal.name, names)
    names.add(name)
    return {...proposal, name}
  })
}

function proposalOfForm(form: PageForm): Proposal {
  const {selector, element, isSearch} = form
  const tool = formToolOf(form)
  const problem = problemOfForm(form)
  return {
    ...tool,
    key: keyOf(selector, tool.pages),
    kind: isSearch ? 'Search' : 'Form',
    element,
    form,
    problem,
  }
}

/** Other pages may have other things with the same selector, and some leave this panel as it is. */
function keyOf(selector: string, pages = patternHere()): string {
  return `${pages} ${selector}`
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

/** Characters of a button in a description. */
const MAX_PRESSED = 40

/** Members that a description names. */
const MAX_MEMBERS = 12

function proposalOfPart(
  {element, part, heading, example}: FoundPart,
  result: SearchResult | undefined,
): Proposal {
  const searched = result?.searched
  const isSearch = searched !== undefined && searched.parameters.length > 0
  const [kind, noun] = KINDS[part.kind]
  const members = part.fields?.map(({name}) => name) ?? part.columns ?? headingsOf(part)
  const isThing = heading !== '' && heading === thingHere()
  const title = isThing ? `the ${heading} on the page` : heading ? `“${heading}”` : document.title
  const returned = members.length > 0 ? `: ${members.slice(0, MAX_MEMBERS).join(', ')}` : ''
  return {
    ...readingTool([result?.part ?? part], searched),
    reading: {part: result?.part ?? part, searched},
    ...(searched && {sample: wordsAlone(searched.inputs)}),
    key: keyOf(part.selector) + (isSearch ? ' searched' : ''),
    kind: isSearch ? 'Search' : kind,
    type: 'tool',
    description: isSearch
      ? `Searches ${title} by ${searched.parameters.join(', ')}, and returns what is found${returned}.`
      : `Returns the ${noun} of ${title}${returned}.`,
    element,
    example,
    leftOut: exampleTexts({...part, fields: part.same ?? []}),
    warning: searched?.found && UNTRIED,
  }
}

/** The texts of the first entry. */
function exampleTexts(part: ProposedPart): string {
  const [first]: unknown[] = part.fields?.length ? [readPart(part)].flat() : []
  return Object.values(Object(first)).join(', ')
}

const UNTRIED =
  'This search may change something, so it was not sent again: try the draft before you publish it.'

function proposalsOfRequests(exchanges: Exchanges): Proposal[] {
  const usable = exchanges.list.filter(
    ({exchange, missing, status = 0}) =>
      !missing && status < 400 && exchange.answer !== undefined && !problemOfBody(exchange),
  )
  const newest = Map.groupBy(
    usable,
    ({exchange}) => `${exchange.method} ${addressShown(exchange.address)} ${operationOf(exchange) ?? ''}`,
  )
  return [...newest].flatMap(([key, [recorded]]): Proposal[] => {
    if (!recorded) return []
    const {exchange, headers, sent, pressed} = recorded
    const result = proposeResult(exchange.answer, askedOf(exchange))
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
    return [
      {
        key,
        kind: 'Request',
        type: 'tool',
        name: proposeName(exchange, inputs, pressed),
        description: `${verb} ${returnedBy(result)} of ${addressShown(exchange.address)}${by}.`,
        pages: '/**',
        sample: inputs,
        fields: toolOf(exchange, {origin: location.origin, inputs, headers: sent, result}),
        element: undefined,
        warning:
          idleWords(inputs) ??
          (own ? `Your page adds ${own}, and this tool does not: try it in “Record” first.` : undefined),
      },
    ]
  })
}

function returnedBy(result: ProposedResult): string {
  if (!('members' in result) || result.members.length === 0) return 'the answer'
  return result.members.map(({name, path}) => name ?? path.split('.').at(-1)).join(', ')
}
