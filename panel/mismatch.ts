import {check} from '../snippet/calls/arguments.ts'
import {isObject, membersOf} from '../snippet/members.ts'
import {messageOf} from '../snippet/messageOf.ts'

/**
 * Says how a result differs from the output schema of its tool.
 * @returns a sentence; undefined if it matches, or if the tool has no output schema
 */
export function mismatchOf(result: unknown, schema: unknown): string | undefined {
  if (!isObject(schema)) return undefined
  // Of a result in MCP's shape, only this part has a schema.
  const {structuredContent} = membersOf(result)
  const text = jsonOf(structuredContent ?? result)
  if (text === undefined) return 'The result is nothing that JSON can hold.'
  try {
    const checked = check(JSON.parse(text), schema, 'result')
    // Arguments may be null where they are optional, results may not.
    return JSON.stringify(checked) === text
      ? undefined
      : 'A member of the result is null, which its schema does not allow.'
  } catch (error) {
    return messageOf(error)
  }
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
