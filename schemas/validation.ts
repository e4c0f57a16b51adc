import {type KeyedPath, keyedPath} from './actions/problem.ts'
import type {Advice} from './advice/advice.ts'
import {adviseDocument} from './advice/tool.ts'
import {siteFacts} from './otherTools.ts'
import type {Context} from './query.ts'
import type {Parsed} from './rules/parsed.ts'
import {textOf} from './rules/text.ts'

/**
 * Adapts a rule to Studio: returns `true`, or the problem that the editor reads under the field.
 * Fields without a value are left to `rule.required()`, so that an optional one can be empty and no problem
 * is reported twice.
 */
export function keeps(rule: (value: unknown) => Parsed<unknown>): (value: unknown) => true | string {
  return (value) => {
    if (value === undefined || value === null) return true
    const parsed = rule(value)
    return parsed.ok || parsed.problem
  }
}

const known = new WeakMap<object, Promise<readonly Advice[]>>()

/**
 * Adapts advice on a field to Studio's `rule.custom(…).warning()`. Studio validates each field separately: the
 * whole document is analysed once for all of them.
 */
export function advises(
  field: string,
): (
  value: unknown,
  context: Context,
) => Promise<true | {readonly message: string; readonly path: KeyedPath[number][]}[]> {
  return async (_value, context) => {
    const {document} = context
    if (document === undefined) return true
    const pending =
      known.get(document) ??
      siteFacts(context).then((facts) => adviseDocument(textOf(document._type), document, facts))
    known.set(document, pending)
    const messages = (await pending)
      .filter((one) => one.field === field || one.field.startsWith(`${field}.`))
      .map((one) => ({message: one.message, path: keyedPath(document, one.field).slice(1)}))
    return messages.length === 0 || messages
  }
}
