import type {ObjectSchema} from '../../rules/inputSchema.ts'
import type {LinkAction} from '../action.ts'
import {addressCode} from './address.ts'

/** The script of a page to open. */
export function compileLink({address}: LinkAction, schema: ObjectSchema): string {
  const statements = [
    ...addressCode(address, [], schema),
    '// The tool returns before the page is left. Otherwise the agent would get no result.',
    'setTimeout(() => location.assign(address), 100)',
    'return {opening: address.href}',
  ]
  return `${statements.join('\n')}\n`
}
