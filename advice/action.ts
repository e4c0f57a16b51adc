import type {Action} from '../schemas/actions/action.ts'
import {parameterUses} from '../schemas/actions/parameters.ts'
import type {RequestAction} from '../schemas/actions/request.ts'
import type {Fields} from '../schemas/record.ts'
import type {ObjectSchema} from '../schemas/rules/inputSchema.ts'
import {type Advice, advise} from './advice.ts'
import {adviseIgnored} from './documents.ts'
import {addressRemark} from './script/fetches.ts'
import type {ScriptAdvice} from './script/script.ts'
import {secretIn} from './script/secrets.ts'

/** Advice on a tool without a script of its own. */
export function adviseAction(tool: Fields, action: Action, schema: ObjectSchema): Advice[] {
  return [
    ...adviseUnused(action, schema),
    ...adviseAddress(action),
    ...adviseSecrets(action),
    ...adviseResult(action),
    ...adviseIgnored(tool, action),
  ]
}

/** What the advice on hints knows of a script, of an action. A page that is opened may do anything. */
export function dataUse(action: Action): Pick<ScriptAdvice, 'changesData' | 'onlyReads'> {
  if (action.kind !== 'request') return {changesData: false, onlyReads: action.kind === 'reading'}
  return {changesData: action.changes, onlyReads: !action.changes}
}

function adviseUnused(action: Action, {properties}: ObjectSchema): Advice[] {
  const used = new Set(parameterUses(action).map(({parameter}) => parameter))
  return Object.keys(properties)
    .filter((name) => !used.has(name))
    .map((name) => {
      const message = `The tool never uses the parameter “${name}”, so what an agent puts there has no effect. Use it, or remove the parameter.`
      const path = ['properties', name]
      const fix = {title: `Remove the parameter “${name}”`, member: path, value: undefined}
      return advise('PARAMETER_UNREAD', 'inputSchema', message, {path, fix})
    })
}

function adviseAddress(action: Action): Advice[] {
  if (action.kind === 'reading' || action.address.origin === undefined) return []
  const {origin} = action.address
  const field = `${action.kind}.address`
  const remark = addressRemark(origin)
  if (remark !== undefined) return [advise('ADDRESS_WRONG', field, remark)]
  if (action.kind === 'link') return []
  const message = `If your pages are not at ${origin} themselves, it must allow them to read its answers (CORS). Try the tool on your page, and ask the people who run ${new URL(origin).host} if it fails.`
  return [advise('ADDRESS_OTHER_ORIGIN', field, message)]
}

/** What is always sent is in the script that every visitor gets. */
function adviseSecrets(action: Action): Advice[] {
  if (action.kind === 'reading') return []
  const inAddress = action.address.query.map(({name, value}) => {
    const text = value.filter((part) => typeof part === 'string').join('')
    return {field: `${action.kind}.address`, name, text}
  })
  const rows = action.kind === 'link' ? [] : SENT.flatMap((list) => rowTexts(list, action[list]))
  return [...inAddress, ...rows].flatMap(({field, name, text}) => {
    const what = secretIn(text, name)
    if (what === undefined) return []
    const message = `This looks like ${what}. Every visitor can read what a tool sends: keep it on your server, and send the request to an endpoint of your server.`
    return [advise('SECRET', field, message)]
  })
}

const SENT = ['headers', 'query', 'body'] as const

function rowTexts(field: (typeof SENT)[number], rows: RequestAction['query']) {
  return rows.map(({name, inside, value}, at) => {
    const text = 'fixed' in value ? String(value.fixed) : ''
    return {field: `request.${field}.${at}.value`, name: inside?.member ?? name, text}
  })
}

/** A fixed text says that a change was made. It says nothing of what was read. */
function adviseResult(action: Action): Advice[] {
  if (action.kind !== 'request' || action.result.kind !== 'message' || action.changes) return []
  const message =
    'This tool reads something, and returns always the same text. Choose what it returns of the answer: a list, one thing, or the text.'
  return [advise('RESULT_FIXED', 'request.result', message)]
}
