import type {ToolType} from '../../schemas/documents.ts'
import {matchesPath, parsePathPattern} from '../../schemas/rules/paths/pathPattern.ts'
import {MAX_PATH_SEGMENTS} from '../../schemas/rules/paths/pathSegments.ts'
import {capital, timeInWords} from '../../schemas/rules/text.ts'
import type {ToolOnPage} from './page.ts'
import type {Reason, State} from './reasons.ts'
import {fieldTitle, nounOf} from './titles.ts'

/** A state in one or two words. */
export const STATE_TITLES: Readonly<Record<State, string>> = {
  offered: 'Offered',
  unpublished: 'Draft only',
  otherSite: 'Other site',
  off: 'Off',
  invalid: 'Invalid',
  nameTaken: 'Name taken',
  early: 'Not yet',
  over: 'Over',
  noMatch: 'Other pages',
  siteUnpublished: 'Site not published',
  siteOff: 'Site off',
  siteInvalid: 'Site invalid',
  siteTaken: 'Public ID taken',
  siteTooLarge: 'Site too large',
}

/** Says whether a page offers a tool and why not, and what publishing its draft would change. */
export function describeTool(tool: ToolOnPage, path: string | undefined): string {
  const [first, ...others] = reasonsOf(tool)
  const draft = describeDraft(tool)
  const noun = nounOf(tool.type)
  const sentences =
    first === undefined
      ? [
          draft === undefined ? `This ${noun} is offered on ${path ?? 'its pages'}.` : 'Offered now.',
          ...conditionsOf(tool),
        ]
      : [
          `This ${noun} is not offered on ${path ?? 'any page'} because ${first}`,
          ...others.map((other) => `Also, ${other}`),
        ]
  return [...sentences, ...(draft === undefined ? [] : [draft])].join(' ')
}

/** Says what a page decides about a tool that it is offered. Empty: nothing. */
export function conditionsOf({now, reasons}: Pick<ToolOnPage, 'now' | 'reasons'>): string[] {
  const {has = [], hasNot = []} = now.verdict.conditions ?? {}
  const conditions = [
    ...has.map((selector) => `has “${selector}”`),
    ...hasNot.map((selector) => `does not have “${selector}”`),
  ]
  return reasons.length > 0 || conditions.length === 0
    ? []
    : [`Agents get it only while the page ${conditions.join(' and ')}.`]
}

/** Says why a page does not offer a tool, where it is clear which tool and which page. */
export function explain(tool: ToolOnPage): string[] {
  return reasonsOf(tool).map(capital)
}

/** Says what publishing a tool's draft changes on a page. Undefined: there is no draft. */
export function describeDraft(tool: ToolOnPage): string | undefined {
  const {type, reasons, reasonsAfter: after} = tool
  if (after === undefined) return undefined
  const invalid = after.find(({code}) => code === 'invalid')
  if (invalid !== undefined)
    return `The draft cannot be published yet, because ${sentence(because(invalid, type))}`
  const isOffered = reasons.length === 0
  const [first] = after
  if (first === undefined)
    return `After publishing the draft, it will ${isOffered ? 'still ' : ''}be offered here.`
  const change = isOffered ? 'no longer' : 'still not'
  return `After publishing the draft, it will ${change} be offered here, because ${clauseOf(first, type)}`
}

/** Says why a site offers nothing, as a sentence. */
export function describeSite(reason: Reason): string {
  return `No tool is offered, because ${sentence(because(reason, 'tool'))}`
}

/** Says why a tool is not offered, as a sentence. */
export function describeReason(reason: Reason, type: ToolType): string {
  return capital(sentence(because(reason, type)))
}

function reasonsOf({type, reasons}: ToolOnPage): string[] {
  return reasons.map((reason) => clauseOf(reason, type))
}

/** A reason with its details, beginning in lower case. */
function clauseOf(reason: Reason, type: ToolType): string {
  return [sentence(because(reason, type)), ...detailsOf(reason)].join(' ')
}

/** A clause without a full stop at the end, except for the messages of rules, which are sentences. */
function because(reason: Reason, type: ToolType): string {
  switch (reason.code) {
    case 'unpublished':
      return 'it was never published: there is only a draft'
    case 'otherSite':
      return 'it belongs to another site'
    case 'off':
      return 'it is switched off'
    case 'invalid':
      return `its field “${fieldTitle(type, reason.field)}” breaks a rule: ${reason.problem}`
    case 'nameTaken':
      return `another ${nounOf(reason.by.type)} of this site is named “${reason.name}” too, and only one of them can be offered`
    case 'early':
      return `it is offered from ${timeInWords(reason.time)} on`
    case 'over':
      return `it was offered until ${timeInWords(reason.time)}`
    case 'noMatch':
      return `its pattern is ${reason.pattern}`
    case 'siteUnpublished':
      return 'the site is not published'
    case 'siteOff':
      return 'the site is switched off'
    case 'siteInvalid':
      return `the site's field “${fieldTitle('site', reason.field)}” breaks a rule: ${reason.problem}`
    case 'siteTaken':
      return `the older site “${reason.by.name}” has the same public ID`
    case 'siteTooLarge':
      return `the path patterns of the site expand to more than ${MAX_PATH_SEGMENTS.toLocaleString('en-US')} path segments`
  }
}

/** Says what an editor probably mistyped in a pattern. */
function detailsOf(reason: Reason): string[] {
  if (reason.code !== 'noMatch') return []
  const {pattern, page} = reason
  if (matches(pattern.toLowerCase(), page.toLowerCase())) return ['Only upper and lower case differ.']
  const below = `${pattern.replace(/\/$/, '')}/**`
  return matches(below, page) ? [`With ${below}, it would also be on the pages below.`] : []
}

function matches(pattern: string, page: string): boolean {
  const parsed = parsePathPattern(pattern)
  return parsed.ok && matchesPath(parsed.value, page)
}

function sentence(clause: string): string {
  return clause.endsWith('.') ? clause : `${clause}.`
}
