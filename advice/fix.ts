import {applyEdits, modify} from 'jsonc-parser'
import {type Fields, isRecord} from '../schemas/record.ts'
import type {Advice} from './advice.ts'

/** The field that a fix changes, and its new value. */
type Fixed = {readonly field: string; readonly value: string | number | Fields}

/** What the fix of a piece of advice makes of a document's fields; undefined if there is none, or its field is no text. */
export function fixed({field: own, fix}: Advice, fields: Fields): Fixed | undefined {
  if (fix === undefined) return undefined
  const {field = own} = fix
  if ('replacement' in fix) {
    const [outer = field, inner] = field.split('.')
    const object = fields[outer]
    if (inner === undefined) return {field, value: fix.replacement}
    return {field: outer, value: {...(isRecord(object) && object), [inner]: fix.replacement}}
  }
  const text = fields[field] ?? ''
  if (typeof text !== 'string') return undefined
  if ('member' in fix) return {field, value: withMember(text, fix.member, fix.value)}
  const edits = fix.edits.map(({start, end, text: content}) => ({
    offset: start,
    length: end - start,
    content,
  }))
  return {field, value: applyEdits(text, edits)}
}

function withMember(text: string, path: readonly (string | number)[], value: unknown): string {
  const json = text.trim() === '' ? '{"type": "object"}' : text
  const changed = withValue(json, path, value)
  const [group, name] = path
  if (value !== undefined || group !== 'properties' || path.length !== 2) return changed
  // A parameter that goes is no longer required, either.
  const schema: unknown = JSON.parse(changed)
  const required = isRecord(schema) ? schema.required : undefined
  if (!Array.isArray(required) || !required.includes(name)) return changed
  return withValue(
    changed,
    ['required'],
    required.filter((other) => other !== name),
  )
}

function withValue(json: string, path: readonly (string | number)[], value: unknown): string {
  const formattingOptions = {insertSpaces: true, tabSize: 2}
  return applyEdits(json, modify(json, [...path], value, {formattingOptions}))
}
