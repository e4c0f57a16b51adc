import {exact} from '../actions/run/json.ts'
import {isRecord, jsonIn} from '../schemas/record.ts'
import {formatMemberPath, plainStepsOf} from '../schemas/rules/names/memberPath.ts'
import {accept, type Parsed, refuse} from '../schemas/rules/parsed.ts'
import {entries, nameOf} from '../schemas/rules/tests/words.ts'
import {capital} from '../schemas/rules/text.ts'
import {shapeOf} from './shape.ts'

/** Finds a part of a result, or says why there is none. Only own members count. */
export function findMember(result: unknown, member: string): Parsed<unknown> {
  let value = result
  const parts = member === '' ? [] : (plainStepsOf(member) ?? [member])
  for (const [at, part] of parts.entries()) {
    const inner = innerOf(value, part)
    if (inner === undefined) return refuse(missing(value, parts.slice(0, at), part))
    value = inner.value
  }
  return accept(value)
}

function innerOf(value: unknown, part: string | number): {readonly value: unknown} | undefined {
  if (Array.isArray(value))
    return typeof part === 'number' && part < value.length ? {value: value[part]} : undefined
  return isRecord(value) && Object.hasOwn(value, part) ? {value: value[part]} : undefined
}

function missing(value: unknown, above: readonly (string | number)[], part: string | number): string {
  const parent = capital(nameOf(formatMemberPath(above)))
  if (typeof part !== 'number')
    return `${parent} has no member ${nameOf(formatMemberPath([part]))}: it is ${shapeOf(value)}.`
  if (!Array.isArray(value)) return `${parent} is not a list: it is ${shapeOf(value)}.`
  return value.length === 0
    ? `${parent} is an empty list.`
    : `${parent} has only ${entries(value.length)}: there is no entry ${part + 1}.`
}

/**
 * What a result says. Of a result in MCP's shape, the part with the data; of a text that is JSON, what is in it.
 * https://modelcontextprotocol.io/specification/2025-11-25/server/tools, “Structured Content”
 */
export function dataOf(result: unknown): unknown {
  if (typeof result === 'string') return dataIn(result)
  if (!isRecord(result)) return result
  const {structuredContent, content} = result
  if (structuredContent !== undefined) return structuredContent
  const [only, more]: unknown[] = Array.isArray(content) ? content : []
  const isText =
    Object.keys(result).length === 1 && more === undefined && isRecord(only) && only.type === 'text'
  return isText && typeof only.text === 'string' ? dataIn(only.text) : result
}

function dataIn(text: string): unknown {
  return /^\s*[[{]/.test(text) ? (jsonIn(exact(text)) ?? text) : text
}
