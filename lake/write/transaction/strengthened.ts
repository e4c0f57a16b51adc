import {isJsonObject, type JsonObject} from '../../../common/json.ts'

/** In a draft, references to unpublished documents are weak. They become strong when it is published. */
export function strengthened(value: JsonObject): JsonObject {
  const {_strengthenOnPublish: mark, ...members} = value
  const entries = Object.entries(members).flatMap(([name, member]): [string, unknown][] => {
    if (mark !== undefined && name === '_weak' && !(isJsonObject(mark) && mark.weak === true)) return []
    return [[name, strengthenedMember(member)]]
  })
  return Object.fromEntries(entries)
}

function strengthenedMember(member: unknown): unknown {
  if (Array.isArray(member)) return member.map(strengthenedMember)
  return isJsonObject(member) ? strengthened(member) : member
}
