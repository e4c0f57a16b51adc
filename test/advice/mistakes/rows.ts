import {ACTIONS} from './actions.ts'
import {AGENTS} from './agents.ts'
import {CALLBACKS} from './callbacks.ts'
import {EXPRESSIONS} from './expressions.ts'
import {FIELDS} from './fields.ts'
import {PARAMETERS} from './parameters.ts'
import type {Row} from './row.ts'
import {SCRIPTS} from './scripts.ts'
import {TRIED} from './tried.ts'

/** All mistakes. */
export const ROWS: readonly Row[] = [
  ...[...TRIED, ...SCRIPTS, ...EXPRESSIONS],
  ...[...PARAMETERS, ...FIELDS, ...AGENTS, ...CALLBACKS, ...ACTIONS],
]
