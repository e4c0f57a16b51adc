import {newTool, shownAction} from '../../making/madeTool.ts'
import {parseField, taken} from '../../schemas/document.ts'
import type {Field} from '../../schemas/field.ts'
import {description} from '../../schemas/fields/description.ts'
import {parseFormFields} from '../../schemas/fields/formFields.ts'
import {name} from '../../schemas/fields/name.ts'
import {pagePath} from '../../schemas/fields/pagePath.ts'
import {pathPattern} from '../../schemas/fields/pathPattern.ts'
import {TOOL_DECLARATIONS} from '../../schemas/index.ts'
import {type Fields, isRecord, recordsIn} from '../../schemas/record.ts'
import {parseInputSchema} from '../../schemas/rules/inputSchema.ts'
import {accept, BrokenRule, checked, orBrokenRule, type Parsed, refuse} from '../../schemas/rules/parsed.ts'
import {parseSelector} from '../../schemas/rules/selector.ts'
import {textOf} from '../../schemas/rules/text.ts'
import type {ShownField} from './shownField.ts'

/**
 * What changes in a tool when a page hands over what a person showed there for a field.
 * @param handed anything: any page can open Studio
 */
export function changesOf(handed: unknown, shown: ShownField, tool: Fields): Parsed<Fields> {
  const fields = isRecord(handed) ? handed.fields : undefined
  if (!isRecord(fields)) return refuse('The link has nothing to fill in.')
  if (shown.field === 'offeredWhile') return conditionChanges(fields, tool)
  const changes = shown.field === 'selector' ? formChanges : actionChanges
  const filled = orBrokenRule(() => ({...proposals(fields, tool, shown), ...changes(fields, tool, shown)}))
  return filled instanceof BrokenRule ? refuse(filled.message) : accept(filled)
}

function actionChanges(fields: Fields, tool: Fields, shown: ShownField): Fields {
  const {action, inputSchema, ...parts} = shownAction(fields)
  const {field} = shown
  if ((action === 'reading') !== (field === 'reading'))
    throw new BrokenRule(field, 'The page has shown something else than this field needs.')
  if (field === 'reading')
    return {
      action,
      reading: {...recordIn(tool.reading), parts: withParts(tool, recordIn(parts.reading), shown)},
    }
  const {error, nothing} = recordIn(tool.request)
  return {
    inputSchema: withKnownParameters(inputSchema, tool.inputSchema),
    action,
    request: {...defined({error, nothing}), ...recordIn(parts.request)},
  }
}

/** What was pointed at must be on a page that offers the tool. */
function conditionChanges(fields: Fields, tool: Fields): Parsed<Fields> {
  const [part] = recordsIn(recordIn(fields.reading).parts)
  const selector = parseSelector(part?.selector)
  if (!selector.ok) return selector
  const {has, ...others} = recordIn(tool.offeredWhile)
  const before = Array.isArray(has) ? has : []
  return accept({offeredWhile: {...others, has: [...new Set([...before, selector.value])]}})
}

/** The parts of the tool with those that were shown. Shown once more with the same link, these replace what it added before. */
function withParts(tool: Fields, reading: Fields, {id, part}: ShownField): Fields[] {
  const [first, ...others] = recordsIn(reading.parts).map((one, at) => ({...one, _key: `${id}-${at + 1}`}))
  const before = recordsIn(recordIn(tool.reading).parts).filter(
    ({_key, selector}) => _key === part || (!textOf(_key).startsWith(`${id}-`) && textOf(selector) !== ''),
  )
  const at = before.findIndex(({_key}) => _key === part)
  const replaced = before[at]
  if (first === undefined || replaced === undefined)
    return [...before, ...(first === undefined ? [] : [first]), ...others]
  const {name, limit} = replaced
  return before.toSpliced(at, 1, {...first, ...defined({name, limit}), _key: part}, ...others)
}

/** The parameters of a request. Of those that the tool had before, what the editor wrote stays. */
function withKnownParameters(inputSchema: unknown, before: unknown): string {
  const next = checked('inputSchema', parseInputSchema(inputSchema))
  const known = parseInputSchema(before)
  const {required, ...others}: Fields = known.ok ? known.value : {}
  const written = recordIn(others.properties)
  const properties = Object.entries(next.properties).map(([name, property]) => [
    name,
    Object.hasOwn(written, name) ? written[name] : property,
  ])
  return JSON.stringify({...others, ...next, properties: Object.fromEntries(properties)}, null, 2)
}

function formChanges({selector, fields}: Fields, tool: Fields, {id}: ShownField): Fields {
  checked('selector', parseSelector(selector))
  const described = checked('fields', parseFormFields(fields))
  const before = recordsIn(tool.fields)
  const merged = [
    ...before.map((field) => ({...field, ...described.find(({name}) => name === field.name)})),
    ...described
      .filter(({name}) => before.every((field) => field.name !== name))
      .map((field, at) => ({_key: `${id}-${at + 1}`, _type: 'field', ...field})),
  ]
  return {selector, ...(merged.length > 0 && {fields: merged})}
}

const PROPOSED: readonly Field[] = [name, description, pathPattern, pagePath]

/** What the page proposes for fields that are still empty; of a tool that is not saved yet, also what it begins with. */
function proposals(fields: Fields, tool: Fields, {type, siteId}: ShownField): Fields {
  const own = TOOL_DECLARATIONS[type].fields.filter(
    (field) =>
      PROPOSED.includes(field) && textOf(tool[field.name]).trim() === '' && parseField(field, fields).ok,
  )
  return {
    ...taken(own, fields),
    ...(tool.site === undefined && {...newTool(type, siteId), ...defined({inputSchema: fields.inputSchema})}),
  }
}

function recordIn(value: unknown): Fields {
  return isRecord(value) ? value : {}
}

function defined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
