import {type Declaration, parseField, taken} from '../schemas/document.ts'
import {counts, type Field} from '../schemas/field.ts'
import {action} from '../schemas/fields/action.ts'
import {inputSchema} from '../schemas/fields/inputSchema.ts'
import {link} from '../schemas/fields/link.ts'
import {reading} from '../schemas/fields/reading.ts'
import {request} from '../schemas/fields/request.ts'
import {problemsOf, TOOL_DECLARATIONS} from '../schemas/index.ts'
import {type Fields, isRecord} from '../schemas/record.ts'
import {HINTS} from '../schemas/rules/hints/annotations.ts'
import {accept, BrokenRule, checked, type Parsed, refuse} from '../schemas/rules/parsed.ts'
import {referenceToSite} from './siteReference.ts'

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

/** Reads what a page handed to Studio. Any page can do so: only declared fields are taken, by the rules for documents. */
export function parseMadeTool(value: unknown): Parsed<MadeDraft> {
  const {id, site, type, fields} = isRecord(value) ? value : {}
  const isTool = type === 'tool' || type === 'formTool'
  if (!isId(id) || !isId(site) || !isTool || !isRecord(fields)) return refuse('The link has no tool.')
  if (type === 'tool' && !isShown(fields)) return refuse(NOT_SHOWN)
  const document = {...newTool(type, site), ...handedOver(TOOL_DECLARATIONS[type], fields)}
  const [broken] = problemsOf(type, document)
  return broken === undefined
    ? accept({id, siteId: site, type, document: {_id: `drafts.${id}`, _type: type, ...document}})
    : refuse(broken.problem)
}

/** What a page may hand over of a tool, as Sanity stores it. */
export function handedOver({fields}: Declaration, given: Fields): Fields {
  return taken(
    fields.filter((field) => field.isHandedOver === true && counts(field, given)),
    given,
  )
}

const NOT_SHOWN = 'The link has neither a request nor a reading, and opens no page.'

/** Only these can be shown: a page cannot hand over a script. */
function isShown({action}: Fields): boolean {
  return action === 'request' || action === 'reading' || action === 'link'
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
  if (!isShown(fields)) throw new BrokenRule('action', NOT_SHOWN)
  const declared: readonly Field[] = [action, inputSchema, request, reading, link]
  const shown = handedOver({...TOOL_DECLARATIONS.tool, fields: declared}, fields)
  for (const field of declared) if (counts(field, shown)) checked(field.name, parseField(field, shown))
  return shown
}
