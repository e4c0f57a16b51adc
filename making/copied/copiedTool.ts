import {problemOfAction} from '../../schemas/actions/problem.ts'
import {isRecord} from '../../schemas/record.ts'
import {parseInputSchema} from '../../schemas/rules/inputSchema.ts'
import {accept, type Parsed, refuse} from '../../schemas/rules/parsed.ts'
import type {Fields} from '../../schemas/rules/tool.ts'
import {operationsIn, proposeName, toolOf} from '../exchange.ts'
import {inputsOf, problemOfBody} from '../inputs.ts'
import type {CopiedRequest} from './copiedRequest.ts'
import {parseCurl} from './curl.ts'
import {FETCH_CALL, parseFetchCall} from './fetchCall.ts'
import {POWERSHELL, parsePowerShell} from './powershell.ts'

const LONGEST = 100_000

/** Reads what browsers and documents offer to copy: a cURL command, a call of `fetch`, or a command for PowerShell. */
export function parseCopied(text: string): Parsed<CopiedRequest> {
  if (text.length > LONGEST) return refuse(`The command has more than ${LONGEST} characters: shorten it.`)
  if (FETCH_CALL.test(text)) return parseFetchCall(text)
  return POWERSHELL.test(text) ? parsePowerShell(text) : parseCurl(text)
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
