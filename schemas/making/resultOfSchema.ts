import {isRecord} from '../rules/json.ts'
import type {Fields} from '../rules/tool.ts'

/** Members that are proposed. An editor removes what agents do not need. */
const MOST_MEMBERS = 12

const SIMPLE: readonly unknown[] = ['string', 'number', 'integer', 'boolean']

/** What a tool returns of an answer with this schema. */
export function resultOfSchema(schema: Record<string, unknown> | undefined): Fields {
  if (schema === undefined) return {kind: 'message', message: 'Done.'}
  if (schema.type === 'array') return listOf('', schema)
  const properties = Object.entries(isRecord(schema.properties) ? schema.properties : {})
  const lists = properties.filter(([, property]) => isListOfObjects(property))
  const [list] = lists
  if (list !== undefined && lists.length === 1 && isRecord(list[1]))
    return listOf(memberPath([list[0]]), list[1])
  const members = membersOf(schema)
  return members.length === 0 ? {kind: 'text'} : {kind: 'object', members}
}

function isListOfObjects(property: unknown): boolean {
  return (
    isRecord(property) &&
    property.type === 'array' &&
    isRecord(property.items) &&
    isRecord(property.items.properties)
  )
}

function listOf(path: string, {items}: Record<string, unknown>): Fields {
  const members = isRecord(items) ? membersOf(items) : []
  return {kind: 'list', ...(path === '' ? {} : {path}), ...(members.length > 0 ? {members} : {})}
}

/** The texts, numbers, and yes or no of an object, also those in a group. */
function membersOf({properties}: Record<string, unknown>): Fields[] {
  const paths = Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, property]) => {
    if (isSimple(property)) return [[name]]
    const inner = isRecord(property) && isRecord(property.properties) ? property.properties : {}
    return Object.entries(inner).flatMap(([part, value]) => (isSimple(value) ? [[name, part]] : []))
  })
  const names = new Set<string>()
  return paths.slice(0, MOST_MEMBERS).map((path, at) => {
    const last = path.at(-1) ?? ''
    const name = names.has(last) ? path.join('_') : last
    names.add(name)
    return {_type: 'member', _key: `member${at}`, path: memberPath(path), name}
  })
}

function isSimple(property: unknown): boolean {
  if (!isRecord(property)) return false
  const {type} = property
  return SIMPLE.includes(type) || (Array.isArray(type) && type.some((one) => SIMPLE.includes(one)))
}

function memberPath(names: readonly string[]): string {
  return names
    .map((name, at) =>
      /^[^.[\]"]+$/.test(name) ? `${at === 0 ? '' : '.'}${name}` : `[${JSON.stringify(name)}]`,
    )
    .join('')
}
