import {isRecord} from '../rules/json.ts'
import type {Advice} from './advice.ts'
import {adviseFormTool, adviseTool} from './tool.ts'

type Context = {readonly document?: object | undefined}

const known = new WeakMap<object, readonly Advice[]>()

/**
 * The advice on one field, for Studio's `rule.custom(…).warning()`. Studio validates each field separately:
 * the whole document is analysed once for all of them.
 */
export function advises(field: string): (value: unknown, context: Context) => true | {message: string}[] {
  return (_value, {document}) => {
    if (document === undefined || !isRecord(document)) return true
    const advice = known.get(document) ?? adviceFor(document)
    known.set(document, advice)
    const messages = advice
      .filter((one) => one.field === field || one.field.startsWith(`${field}.`))
      .map(({message}) => ({message}))
    return messages.length === 0 || messages
  }
}

function adviceFor(document: Record<string, unknown>): Advice[] {
  return document._type === 'formTool' ? adviseFormTool(document) : adviseTool(document)
}
