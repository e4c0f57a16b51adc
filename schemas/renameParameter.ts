import type {Member} from './field.ts'
import {type Fields, isRecord} from './record.ts'
import {tool} from './tool.ts'

/**
 * Renames a parameter wherever a tool names it, also in what breaks a rule: its action, its tests, its texts in other languages.
 * @returns the fields that change, for a patch of the document
 */
export function renameParameter(document: Fields, from: string, to: string): Fields {
  const renamed = renamedIn(tool.fields, document, from, to)
  return Object.fromEntries(
    Object.entries(renamed).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(document[name]),
    ),
  )
}

function renamedIn(members: readonly Member[], value: Fields, from: string, to: string): Fields {
  const changed = members
    .filter(({name}) => value[name] !== undefined)
    .map((member) => [member.name, renamed(member, value[member.name], from, to)] as const)
  return {...value, ...Object.fromEntries(changed)}
}

function renamed({names, members, entry}: Member, value: unknown, from: string, to: string): unknown {
  if (typeof value === 'string') {
    if (names === 'parameter') return value === from ? to : value
    return names === 'in braces' ? value.replaceAll(`{${from}}`, () => `{${to}}`) : value
  }
  if (isRecord(value)) return members === undefined ? value : renamedIn(members, value, from, to)
  if (!Array.isArray(value) || entry?.members === undefined) return value
  const inside = entry.members
  return value.map((one: unknown) => (isRecord(one) ? renamedIn(inside, one, from, to) : one))
}
