import {type Action, parseActionKind} from '../schemas/actions/action.ts'
import {parseAction} from '../schemas/actions/parseAction.ts'
import {checked} from '../schemas/rules/brokenRule.ts'
import {type ObjectSchema, parseInputSchema} from '../schemas/rules/inputSchema.ts'
import type {Fields} from '../schemas/rules/tool.ts'
import {compileLink} from './code/address.ts'
import {compileReading} from './code/reading.ts'
import {compileRequest} from './code/request.ts'

/**
 * The script of an action: the body of `async (args, {signal}) => {…}`. The same action always has the same script.
 * @param action parsed with the same schema
 */
export function compileAction(action: Action, schema: ObjectSchema): string {
  switch (action.kind) {
    case 'request':
      return compileRequest(action, schema)
    case 'reading':
      return compileReading(action)
    case 'link':
      return compileLink(action, schema)
  }
}

/** Whether a tool has an action instead of a script. */
export function hasAction(tool: Fields): boolean {
  const kind = parseActionKind(tool.action)
  return !kind.ok || kind.value !== 'script'
}

/**
 * A tool with the script that its action compiles to; a tool with a script as it is.
 * @throws BrokenRule
 */
export function withScript(tool: Fields): Fields {
  if (!hasAction(tool)) return tool
  const schema = checked('inputSchema', parseInputSchema(tool.inputSchema))
  const action = parseAction(tool, schema)
  return action === undefined ? tool : {...tool, executeJs: compileAction(action, schema)}
}
