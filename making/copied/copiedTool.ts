import {problemOfAction} from '../../schemas/actions/problem.ts'
import {type Fields, isRecord, jsonIn} from '../../schemas/record.ts'
import {parseInputSchema} from '../../schemas/rules/inputSchema.ts'
import {webAddress} from '../../schemas/rules/origin.ts'
import {accept, type Parsed, refuse} from '../../schemas/rules/parsed.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {operationsIn, proposeName, toolOf} from '../exchange.ts'
import {inputsOf, problemOfBody} from '../inputs.ts'
import {type CopiedRequest, copiedRequest} from './copiedRequest.ts'
import {parseCurl} from './curl.ts'

const LONGEST = 100_000

/** What browsers write for the Command Prompt of Windows, where no text is in single quotes: `^"`, and `""` for a quotation mark. */
const COMMAND_PROMPT = /^[^"']*curl[^']*(?:\^"|[^\s"]""\w|[ \t]\^[ \t]*\r?$)/im

/** A command of PowerShell as a word of its own: addresses may have “irm” in them. */
const POWERSHELL =
  /(?<![^\s;|=({&])(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm)(?=\s)|^[^"'\n]*curl.*`[ \t]*\r?$/im

/** Reads what browsers offer to copy: a cURL command for a POSIX shell, or a call of `fetch`. */
export function parseCopied(text: string): Parsed<CopiedRequest> {
  if (text.length > LONGEST) return refuse(`The command has more than ${LONGEST} characters: shorten it.`)
  if (FETCH_CALL.test(text)) return parseFetchCall(text)
  if (COMMAND_PROMPT.test(text) || POWERSHELL.test(text))
    return refuse(
      'This is a command for Windows: in your browser, choose “Copy as cURL (bash)” or “Copy as fetch” instead.',
    )
  return parseCurl(text)
}

const FETCH_CALL = /^\s*(?:await\s+)?fetch\s*\(/

/** Reads a call such as `fetch("https://…", {"method": "POST", …})`, which has JSON between its brackets. */
function parseFetchCall(text: string): Parsed<CopiedRequest> {
  const found = /^[^(]*\((.*)\)[\s;]*$/s.exec(text)
  const call = found && jsonIn(`[${found[1]}]`)
  if (!Array.isArray(call))
    return refuse(
      'This call of fetch cannot be read: in your browser, choose “Copy as fetch”, and paste all of it.',
    )
  const [address, options]: unknown[] = call
  const {method, headers, body} = isRecord(options) ? options : {}
  return copiedRequest({
    method: textOf(method) || 'GET',
    address: webAddress(textOf(address)),
    headers: Object.entries(isRecord(headers) ? headers : {}).map(([name, value]) => [name, textOf(value)]),
    body: textOf(body) || undefined,
    usualType: undefined,
  })
}

/**
 * The fields of a tool that sends what a copied request asks for.
 * @param addresses the site's: requests to them are relative to the page
 * @param request what the tool has already
 */
export function toolOfCopied(
  text: string,
  addresses: readonly string[],
  request: unknown,
): Parsed<{readonly fields: Fields; readonly leftOut: readonly string[]}> {
  const parsed = parseCopied(text)
  if (!parsed.ok) return parsed
  const {headers, leftOut} = parsed.value
  const [exchange = parsed.value.exchange, ...others] = operationsIn(parsed.value.exchange)
  if (others.length > 0)
    return refuse(
      `The command sends ${others.length + 1} operations at once: record them on the page, which lists each.`,
    )
  const unsent = problemOfBody(exchange)
  if (unsent !== undefined) return refuse(unsent)
  const asked = new URL(exchange.address).origin
  const isOwn = addresses.some((address) => URL.parse(address)?.origin === asked)
  const inputs = inputsOf(exchange)
  const made = toolOf(exchange, {origin: isOwn ? asked : '', inputs, headers, result: {kind: 'text'}})
  // The answer is not known: what the tool returned stays.
  const {result} = isRecord(request) ? request : {}
  const isChosen = isRecord(result) && typeof result.kind === 'string'
  const tool: Fields = isChosen ? {...made, request: {...made.request, result}} : made
  const schema = parseInputSchema(tool.inputSchema)
  const problem = schema.ok ? problemOfAction(tool)?.message : schema.problem
  if (problem !== undefined) return refuse(`This command cannot become a tool. ${problem}`)
  return accept({fields: {...tool, name: proposeName(exchange, inputs)}, leftOut})
}
