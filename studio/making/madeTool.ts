import {withKeys} from '../../making/keyed.ts'
import {problemOfAction} from '../../schemas/actions/problem.ts'
import {BrokenRule, checked, orBrokenRule} from '../../schemas/rules/brokenRule.ts'
import {parseFormFields} from '../../schemas/rules/formFields.ts'
import {HINTS} from '../../schemas/rules/hints/annotations.ts'
import {parseInputSchema} from '../../schemas/rules/inputSchema.ts'
import {isRecord} from '../../schemas/rules/json.ts'
import {parseToolName} from '../../schemas/rules/names/toolName.ts'
import {accept, type Parsed, refuse} from '../../schemas/rules/parsed.ts'
import {parsePathPattern} from '../../schemas/rules/paths/pathPattern.ts'
import {parseSelector} from '../../schemas/rules/selector.ts'
import {parseDescription} from '../../schemas/rules/text.ts'
import type {Fields} from '../../schemas/rules/tool.ts'
import {referenceToSite} from '../siteReference.ts'

/** A tool that the panel made, as the draft that Studio saves. */
export type MadeDraft = {
  readonly id: string
  readonly siteId: string
  readonly type: 'tool' | 'formTool'
  readonly document: Fields & {readonly _id: string; readonly _type: string}
}

/** Tools that are made at once. */
export const MAX_TOOLS = 50

/** The tools in what a page handed to Studio, each to be read by {@link parseMadeTool}. */
export function toolsIn(value: unknown): Parsed<readonly unknown[]> {
  const tools: unknown = isRecord(value) ? value.tools : undefined
  if (!Array.isArray(tools) || tools.length === 0) return refuse('The link has no tools.')
  return tools.length > MAX_TOOLS ? refuse(`The link has more than ${MAX_TOOLS} tools.`) : accept(tools)
}

/** Whether it is the ID of a document, without the parts that make it a draft or a version. */
function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{1,160}$/.test(value)
}

/** Reads what a page handed to Studio. Any page can do so: only known fields are taken, by the rules for documents. */
export function parseMadeTool(value: unknown): Parsed<MadeDraft> {
  const {id, site, type, fields} = isRecord(value) ? value : {}
  const isTool = type === 'tool' || type === 'formTool'
  if (!isId(id) || !isId(site) || !isTool || !isRecord(fields)) return refuse('The link has no tool.')
  const read = orBrokenRule(() => ({
    _id: `drafts.${id}`,
    _type: type,
    name: checked('name', parseToolName(fields.name)),
    description: checked('description', parseDescription(fields.description)),
    ...newTool(type, site),
    ...(type === 'tool' ? toolFields(fields) : formToolFields(fields)),
  }))
  return read instanceof BrokenRule ? refuse(read.message) : accept({id, siteId: site, type, document: read})
}

function toolFields(fields: Fields): Fields {
  const {pathPattern} = fields
  checked('pathPattern', parsePathPattern(pathPattern))
  return {...shownAction(fields), pathPattern}
}

/** What every new tool of a site begins with. */
export function newTool(type: 'tool' | 'formTool', siteId: string): Fields {
  const own =
    type === 'formTool'
      ? {autosubmit: false}
      : {annotations: Object.fromEntries(HINTS.map((hint) => [hint, 'auto']))}
  return {site: referenceToSite(siteId), enabled: true, ...own}
}

/**
 * The action that was shown on a page, with its parameters.
 * @throws BrokenRule if it cannot be the action of a tool.
 */
export function shownAction(fields: Fields): Fields {
  const {action, inputSchema} = fields
  if (action !== 'request' && action !== 'reading')
    throw new BrokenRule('action', 'The link has neither a request nor a reading.')
  checked('inputSchema', parseInputSchema(inputSchema))
  const tool = {action, inputSchema, [action]: pick(fields[action], SHAPES[action])}
  const problem = problemOfAction(tool)
  if (problem !== undefined) throw new BrokenRule(problem.field, problem.message)
  return tool
}

function formToolFields({pagePath, selector, fields, autosubmit}: Fields): Fields {
  checked('pagePath', parsePathPattern(pagePath))
  checked('selector', parseSelector(selector))
  const described = checked('fields', parseFormFields(fields))
  return {
    pagePath,
    selector,
    autosubmit: autosubmit === true,
    ...(described.length > 0 && {fields: withKeys('field', described)}),
  }
}

/** The members of an object that are taken; a list has the type of its entries, and their members. */
type Shape = {readonly [member: string]: 'value' | Shape | readonly [type: string, entry: Shape]}

function values(...names: string[]): Shape {
  return Object.fromEntries(names.map((name) => [name, 'value' as const]))
}

const ROW = values(
  ...['name', 'parameter', 'value', 'format', 'selector', 'attribute', 'cookie', 'inside', 'member'],
)

const PART: Shape = {
  ...values('name', 'selector', 'kind', 'columns', 'limit'),
  fields: ['field', values('name', 'selector', 'kind', 'attribute')],
}

const SHAPES: Readonly<Record<'request' | 'reading', Shape>> = {
  request: {
    ...values('method', 'address', 'encoding'),
    headers: ['row', ROW],
    query: ['row', ROW],
    body: ['row', ROW],
    result: {
      ...values('kind', 'path', 'pages', 'limit', 'message'),
      members: ['member', values('path', 'name')],
      parts: ['part', PART],
    },
  },
  reading: {...values('pages'), parts: ['part', PART]},
}

function pick(value: unknown, shape: Shape): Fields {
  const given = isRecord(value) ? value : {}
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, inner]) => {
      const member = given[name]
      if (member === undefined) return []
      if (inner === 'value') return [[name, member]]
      if (!isList(inner)) return [[name, pick(member, inner)]]
      if (!Array.isArray(member)) return []
      const [type, entry] = inner
      const entries = member.map((one: unknown) => pick(one, entry))
      return [[name, withKeys(type, entries)]]
    }),
  )
}

function isList(shape: Shape | readonly [string, Shape]): shape is readonly [string, Shape] {
  return Array.isArray(shape)
}
