import {type KeyedPath, keyedPath} from '../schemas/actions/problem.ts'
import type {Context} from '../schemas/query.ts'
import {textOf} from '../schemas/rules/text.ts'
import type {Advice} from './advice.ts'
import {siteFacts} from './otherTools.ts'
import {adviseDocument} from './tool.ts'

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
