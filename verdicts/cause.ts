import {INTO} from '../schemas/actions/parts.ts'
import type {ToolTest} from '../schemas/fields/tests.ts'
import {shortened, shown} from '../schemas/rules/text.ts'
import {type FinishedCall, SLOW, seconds} from './judge.ts'

/** A request that the page sent during a call. */
export type RequestSeen = {
  /** Undefined: it is not known. */
  readonly method?: string
  /** The path, or the address if it is on another origin. */
  readonly url: string
  /** Where the website led it, if it did. */
  readonly ledTo?: string | undefined
  /** Undefined: there was no response. */
  readonly status?: number | undefined
  /** Why there was no response, in the browser's words. */
  readonly failure?: string | undefined
  readonly contentType?: string | undefined
  /** The first characters of the response. */
  readonly body?: string | undefined
  /** Whether its type is JSON, and its text is not. */
  readonly isBroken?: boolean | undefined
  readonly milliseconds: number
  /** Whether the script of the tool sent it. Others are named only if nothing else explains a failure. */
  readonly isOfTool?: boolean | undefined
}

/** What a runner saw besides the result. */
export type Evidence = {
  readonly requests: readonly RequestSeen[]
  /** Selectors that the script names, and that match nothing on the page. */
  readonly missing: readonly string[]
  /** What the page asked in dialogs, to which the runner said no. */
  readonly dialogs?: readonly string[] | undefined
  /** What the test expects: a request that fails as expected is no cause of anything else. */
  readonly expect?: readonly ToolTest['expect'][number][]
  /** Whether the page was loaded again or went elsewhere during the call, which ended the script. */
  readonly hasEnded?: boolean | undefined
  /** The line of the script that threw, counted from 1. */
  readonly line?: {readonly number: number; readonly text: string} | undefined
}

const LONGEST_URL = 120
const LONGEST_BODY = 120

/**
 * Names the cause of a failed test in a sentence: the request or the line of the script that failed.
 * Undefined: what the judge says is all that is known.
 */
export function causeOf(call: FinishedCall, evidence: Evidence, slow: number = SLOW): string | undefined {
  const {requests, missing, dialogs = [], expect = [], hasEnded, line} = evidence
  const isExpected = ({kind, member, value}: (typeof expect)[number]) =>
    call.outcome.kind === 'error' ? kind === 'fails' : member === 'found' && Number(value) === 0
  const failures = expect.some(isExpected)
    ? []
    : requests.filter(({status = 0, failure}) => status >= 400 || failure !== undefined)
  const failed = failures.find(({isOfTool = true}) => isOfTool)
  if (failed !== undefined) return describeFailed(failed)
  if (hasEnded && call.wentTo === undefined)
    return 'The page was loaded again during the call, which ended it.'
  if (hasEnded && !expect.some(({kind}) => kind === 'goesTo'))
    return `The page went to ${shortened(call.wentTo ?? '', LONGEST_URL)} during the call, which ended it.`
  const [asked] = dialogs
  if (asked !== undefined) return `The page asked ${shown(asked)}, and the test declined.`
  const page = requests.find(
    ({contentType = '', isOfTool = true}) => isOfTool && /^text\/html\b/i.test(contentType),
  )
  if (page?.ledTo !== undefined)
    return `${nameOf(page)} led to ${shortened(page.ledTo, LONGEST_URL)}, which is a web page.`
  if (page !== undefined) return `${nameOf(page)} returned a web page instead of JSON${bodyOf(page)}.`
  const broken = requests.find(({isBroken, isOfTool = true}) => isBroken && isOfTool)
  if (broken !== undefined)
    return `${nameOf(broken)} returned JSON that ends too early or is wrong${bodyOf(broken)}.`
  const [selector] = missing
  if (selector !== undefined)
    return `Nothing on the page matches ${shown(selector)}, which the tool looks for.`
  const {outcome, milliseconds} = call
  if (line !== undefined && outcome.kind === 'error')
    return `The script failed in line ${line.number}, ${shown(line.text)}: ${shortened(outcome.message, 150).replace(/\.$/, '')}.`
  const [other] = outcome.kind === 'result' ? [] : failures
  if (other !== undefined) return describeFailed(other)
  const own = requests.filter(({isOfTool = true}) => isOfTool)
  const slowest = (own.length > 0 ? own : requests).toSorted((a, b) => b.milliseconds - a.milliseconds)[0]
  const isOver = outcome.kind === 'timeout'
  // On a busy machine, a request may begin late.
  const isPending = isOver && own.length > 0 && slowest?.status === undefined
  const isSlow =
    isPending || ((isOver || milliseconds > slow) && (slowest?.milliseconds ?? 0) > milliseconds / 2)
  return isSlow && slowest !== undefined
    ? `${nameOf(slowest)} took ${seconds(slowest.milliseconds)}.`
    : undefined
}

function describeFailed(request: RequestSeen): string {
  const {status, failure} = request
  if (status !== undefined) return `${nameOf(request)} returned ${status}${bodyOf(request)}.`
  return /csp/i.test(failure ?? '')
    ? `The Content-Security-Policy of the page blocked ${nameOf(request)}.`
    : `${nameOf(request)} failed: ${shortened(failure ?? '', 80)}.`
}

function nameOf({method, url}: RequestSeen): string {
  return `${method === undefined ? '' : `${shortened(method, 10)} `}${shortened(url, LONGEST_URL)}`
}

function bodyOf({body = ''}: RequestSeen): string {
  const line = body.replaceAll(/\s+/g, ' ').trim()
  return line === '' ? '' : `: ${shortened(line, LONGEST_BODY)}`
}

/** Where a script looks for something on the whole page; in the data of an action, its `selector`. */
const LOOKS_FOR =
  /(?:\bdocument\.querySelector(?:All)?\(|"?\bselector"?:)\s*(['"`])((?:\\[^u\n]|(?!\1)[^\\\n$])+)\1\s*[,)]/g

/** The selectors that a script looks for on the page, where they are written as texts. */
export function selectorsIn(script: string): string[] {
  const found = Array.from(script.matchAll(LOOKS_FOR), ([, , text = '']) => text.replaceAll(/\\(.)/g, '$1'))
  // Browsers find nothing by one that leads into shadow roots.
  return [...new Set(found)].filter((selector) => !selector.includes(INTO))
}

/** A longer line is not for people. */
const LONGEST_LINE = 500

/** Lines before the script in a function made from text, and in its module (schemas/rules/script.ts). */
const LINES_OF_FUNCTION = 3
const LINES_OF_MODULE = 1

/**
 * The topmost line of a tool's script in the stack of an error.
 * @param id the UUID that the tool is served with
 */
export function lineIn(stack: string, id: string, script: string): Evidence['line'] {
  const inModule = new RegExp(`/${id}/\\w+\\.js:(\\d+)`).exec(stack)?.[1]
  const inFunction = /(?:<anonymous>|> Function):(\d+):\d+/.exec(stack)?.[1]
  const number = inModule ? Number(inModule) - LINES_OF_MODULE : Number(inFunction) - LINES_OF_FUNCTION
  const text = script.split('\n')[number - 1]
  return text === undefined || text.length > LONGEST_LINE ? undefined : {number, text: text.trim()}
}
