import {isRecord, jsonIn} from '../../record.ts'
import {scalarText, textOf} from '../text.ts'

/** A tool as its document has it. */
type Tool = {readonly [field: string]: unknown}

/** A request that sends data, or `sendBeacon`, which does so with any method. */
const SENDS =
  /\bmethod['"]?\s*:\s*['"`](?:post|put|patch|delete)\b|\.open\(\s*['"`](?:post|put|patch|delete)\b|\bsendBeacon\s*\(|\.post\s*\(|\.(?:put|patch|delete)\s*\(\s*['"`/]/i

/** A script that submits a form or clicks for the visitor. */
const ACTS =
  /\.(?:submit|requestSubmit|click)\s*\(|dispatchEvent\s*\(\s*new\s+(?:Mouse|Pointer|Submit|Keyboard)/

/** The text of a query of GraphQL, in a script. A member with the name alone may be a parameter of any request. */
const GRAPHQL = /\bquery\b['"]?\s*:\s*['"`]\s*\{|\bquery\s+\w*\s*[({]/

/**
 * Whether a call changes something, as far as the tool's document tells: by its request, or by what its script sends, submits
 * and clicks. Whatever its hints say, nothing runs such a tool without asking.
 */
export function changesSomething(tool: Tool): boolean {
  if (tool.action === 'request') {
    const hints = isRecord(tool.annotations) ? tool.annotations : {}
    const {method} = isRecord(tool.request) ? tool.request : {}
    // Searches by POST exist, but only people know which requests are searches.
    return requestChanges(tool) && !(method === 'POST' && hints.readOnlyHint === 'true')
  }
  return tool.action === undefined || tool.action === null || tool.action === 'script'
    ? scriptChanges(textOf(tool.executeJs))
    : false
}

/**
 * Whether a tool without a script sends a request that may change something: all but GET, and queries of GraphQL whose text
 * is fixed.
 */
export function requestChanges({action, request}: Tool): boolean {
  if (action !== 'request' || !isRecord(request)) return false
  const isForm = request.encoding === 'form' || request.encoding === 'multipart'
  const rows: unknown[] = Array.isArray(request.body) && !isForm ? request.body : []
  const query = rows.filter(isRecord).find(({name}) => name === 'query')
  const method = textOf(request.method)
  if (method === '' || method === 'GET') return false
  if (method !== 'POST' || query === undefined || textOf(query.parameter) !== '') return true
  const value = textOf(query.value)
  const text = query.format === 'json' ? scalarText(jsonIn(value)) : value
  // What is between quotation marks or after a number sign is not an operation.
  const operations = text.replaceAll(/"(?:[^"\\]|\\.)*"|#.*/g, '')
  return !/[{}]/.test(text) || /(?:^|\})\s*(?:mutation|subscription)\b/.test(operations)
}

function scriptChanges(script: string): boolean {
  return ACTS.test(script) || sendsData(script)
}

/** Whether a script sends data in a way that usually changes something. */
export function sendsData(script: string): boolean {
  // A tool that was turned into a script says what it does (actions/run/outcome.ts).
  if (/\bcolumn:\s*reads\b/.test(script)) return false
  return SENDS.test(script) && (!GRAPHQL.test(script) || /\bmutation\b/.test(script))
}
