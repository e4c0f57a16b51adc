import type {AdviceCode} from '../../../advice/advice.ts'
import {adviseDocument} from '../../../advice/tool.ts'
import {problemOfAction} from '../../../schemas/actions/problem.ts'
import type {Fields} from '../../../schemas/record.ts'
import {parseHintSettings} from '../../../schemas/rules/hints/annotations.ts'
import {parseInputSchema} from '../../../schemas/rules/inputSchema.ts'
import {parseToolName} from '../../../schemas/rules/names/toolName.ts'
import {parseOrigins} from '../../../schemas/rules/origin.ts'
import type {Parsed} from '../../../schemas/rules/parsed.ts'
import {parsePathPattern} from '../../../schemas/rules/paths/pathPattern.ts'
import {parseScript} from '../../../schemas/rules/script.ts'
import {parseSelector} from '../../../schemas/rules/selector.ts'
import {parseDescription} from '../../../schemas/rules/text.ts'
import {hasUniqueToolName} from '../../../schemas/unique.ts'

/** A mistake: what an editor did, the fields that it changes in a good document, and what happens. */
export type Row = readonly [what: string, change: Fields, expected: Expected]

type Expected =
  /** A rule refuses the changed field with a message like this. */
  | RegExp
  /** A rule refuses a part of it. */
  | {readonly refused: string; readonly message: RegExp}
  /** The rules accept it, and this advice is given. */
  | AdviceCode
  /** Why it is not a problem. */
  | {readonly harmless: string}
  /** It is a problem that no form can know, for this reason. */
  | {readonly slips: string}

export const GOOD_TOOL = {
  _id: 'drafts.own',
  _type: 'tool',
  site: {_ref: 'cafe'},
  name: 'findStore',
  description: 'Finds stores by city and returns the address and the opening hours of each.',
  pathPattern: '/stores/**',
  inputSchema: JSON.stringify({
    type: 'object',
    properties: {city: {type: 'string', description: 'The name of a city, such as "Kiel"'}},
    required: ['city'],
  }),
  executeJs: `const response = await fetch('/api/stores?city=' + encodeURIComponent(args.city), {signal})
if (!response.ok) throw new Error('The stores could not be read.')
return response.json()`,
  annotations: {readOnlyHint: 'auto', consequentialHint: 'auto', untrustedContentHint: 'auto'},
}

const GOOD_FORM_TOOL = {
  _id: 'drafts.own',
  _type: 'formTool',
  site: {_ref: 'cafe'},
  name: 'reserveTable',
  description: 'Reserves a table for a number of people at a date and a time.',
  pagePath: '/reserve',
  selector: '#reserve',
}

/** The other tools of the site in these tests. */
const OTHERS = [
  {
    name: 'showMenu',
    description: 'Returns the dishes of the day with their prices.',
    pattern: '/menu',
  },
  {name: 'viewCart', description: 'Shows what the visitor is about to buy.', pattern: '/cart'},
  {name: 'open_hours', description: 'Says whether a café is open on some weekday.', pattern: '/hours'},
]

/** The text of an object schema with these properties. */
export function schemaOf(properties: object, more: object = {}): string {
  return JSON.stringify({type: 'object', properties, ...more})
}

/** A change of a form tool instead of a tool. */
export function form(change: Fields): Fields {
  return {_type: 'formTool', ...change}
}

const RULES: Readonly<Record<string, (value: unknown) => Parsed<unknown>>> = {
  name: parseToolName,
  description: parseDescription,
  pathPattern: parsePathPattern,
  pagePath: parsePathPattern,
  selector: parseSelector,
  inputSchema: parseInputSchema,
  executeJs: parseScript,
  exposedTo: parseOrigins,
  annotations: parseHintSettings,
}

/** A good document with a change. */
export function documentOf(change: Fields): Fields & {_id: string} {
  return {...(change._type === 'formTool' ? GOOD_FORM_TOOL : GOOD_TOOL), ...change}
}

/** What the rules and the advice say about a good document with a change. */
export async function judge(change: Fields) {
  const document = documentOf(change)
  const refusals = Object.entries(RULES).flatMap(([field, rule]) => {
    const parsed = document[field] === undefined ? undefined : rule(document[field])
    return parsed === undefined || parsed.ok ? [] : [{field, message: parsed.problem}]
  })
  const problem = problemOfAction(document)
  if (problem !== undefined) refusals.push(problem)
  const ids = OTHERS.some(({name}) => name === document.name) ? ['other'] : []
  const isUnique = await hasUniqueToolName(document.name, {
    document,
    getClient: () => ({fetch: async () => ids}),
  })
  if (isUnique !== true) refusals.push({field: 'name', message: isUnique})
  const type = document._type === 'formTool' ? 'formTool' : 'tool'
  return {refusals, advice: adviseDocument(type, document, {others: OTHERS, pageTools: ['searchShop']})}
}
