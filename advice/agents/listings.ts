import {type Annotations, HINT_TITLES, HINTS, type Hint} from '../../schemas/rules/hints/annotations.ts'
import {isRecord} from '../../schemas/rules/json.ts'
import {CONSUMERS, type Consumer} from './consumers.ts'
import {keywordsOutsideOfDraft} from './draftKeywords.ts'

/** A tool or form tool of a page, with what consumers get of it. */
export type OfferedTool = {
  readonly type: 'tool' | 'formTool'
  readonly name: string
  readonly annotations: Annotations
  /** Form tools have none: browsers make one from the fields. */
  readonly inputSchema?: Record<string, unknown>
  readonly outputSchema?: Record<string, unknown> | undefined
  /** Of a form tool: whether the agent submits the form without the visitor. */
  readonly autosubmit?: boolean
  /** Whether the page asks the visitor before a call. */
  readonly asksVisitor?: boolean
  /** Whether pages have it only at times: they decide by selectors. */
  readonly isConditional?: boolean
  /** Whether pages register it themselves, so that nothing is known of its hints. */
  readonly isOfPages?: boolean
}

/** Something that is different for a consumer, as a sentence. */
export type Remark = {
  readonly code: RemarkCode
  /** `problem`: the tool is missing there, or agents misjudge it. `note`: it works, and there is something to know. */
  readonly severity: 'problem' | 'note'
  readonly message: string
  /** What would help. Undefined: nothing that the site can do. */
  readonly help?: string
}

type RemarkCode =
  | 'REFUSED'
  | 'PAGE_TOO_FULL'
  | 'ANNOUNCEMENT_CUT'
  | 'RENAMED'
  | 'NAME_DOUBLED'
  | 'NAME_TOO_LONG'
  | 'SEEN_AS_DESTRUCTIVE'
  | 'HINT_DROPPED'
  | 'FOR_DEVELOPERS'
  | 'FORM_WAITS'
  | 'QUESTION_CUT'
  | 'RESULT_CHECKED'
  | 'VALUES_MADE_UP'

/** A tool as a consumer lists it. */
export type Listing = {
  readonly tool: OfferedTool
  /** The name that the model reads. Undefined: the consumer does not list the tool. */
  readonly name: string | undefined
  /** What the model is told about the tool. */
  readonly hints: readonly (Hint | 'destructive')[]
  readonly remarks: readonly Remark[]
}

/** What a consumer lists of a page. */
export type ConsumerListing = {readonly consumer: Consumer; readonly listings: readonly Listing[]}

/** Seconds that the page waits for a visitor’s answer (`ANSWER_WITHIN` in `snippet/ask/limits.ts`). */
const ASKED_SECONDS = 50

/** Many models accept names of at most so many characters. */
export const LONGEST_NAME_OF_MODELS = 64

/**
 * What each known consumer lists of a page.
 * @param tools of one page
 */
export function listForConsumers(
  tools: readonly OfferedTool[],
  consumers: readonly Consumer[] = CONSUMERS,
): ConsumerListing[] {
  return consumers.map((consumer) => {
    const names = distinctNames(consumer, tools)
    return {
      consumer,
      listings: tools.map((tool) =>
        listTool(consumer, tool, tools, names.get(tool.name) ?? nameFor(consumer, tool.name)),
      ),
    }
  })
}

/** The name under which a consumer lists a tool, before it tells equal ones apart. */
export function nameFor({naming}: Consumer, name: string): string {
  if (naming === undefined) return name
  return naming.prefix + name.replace(naming.replaced, '_').slice(0, naming.longest)
}

function listTool(
  consumer: Consumer,
  tool: OfferedTool,
  page: readonly OfferedTool[],
  name: string,
): Listing {
  const refusal = refusalOf(consumer, tool)
  if (refusal !== undefined) return {tool, name: undefined, hints: [], remarks: [refusal]}
  return {
    tool,
    name,
    hints: hintsFor(consumer, tool),
    remarks: [
      ...remarksOnPage(consumer, page),
      ...remarksOnName(consumer, tool, nameFor(consumer, tool.name), name),
      ...remarksOnHints(consumer, tool),
      ...remarksOnCalls(consumer, tool),
    ],
  }
}

/** The names of a page's tools for a consumer. Browsers list tools by name, so the first one in that order keeps an equal name. */
function distinctNames(consumer: Consumer, tools: readonly OfferedTool[]): Map<string, string> {
  const used = new Set<string>()
  const names = new Map<string, string>()
  for (const own of tools.map(({name}) => name).sort()) {
    const base = nameFor(consumer, own)
    let name = base
    for (let index = 2; used.has(name); index += 1) name = `${base}_${index}`
    used.add(name)
    names.set(own, name)
  }
  return names
}

function hintsFor(consumer: Consumer, {annotations, isOfPages}: OfferedTool): Listing['hints'] {
  const passed = HINTS.filter((hint) => annotations[hint] === true && consumer.hints.includes(hint))
  const isDestructive =
    consumer.assumesDestructive === true && annotations.readOnlyHint !== true && !isOfPages
  return isDestructive ? [...passed, 'destructive'] : passed
}

function refusalOf({refusesKeywords}: Consumer, {inputSchema}: OfferedTool): Remark | undefined {
  if (refusesKeywords !== true || inputSchema === undefined) return undefined
  const keywords = keywordsOutsideOfDraft(inputSchema).map(({keyword}) => `"${keyword}"`)
  if (keywords.length === 0) return undefined
  return {
    code: 'REFUSED',
    // It is announced, and may never come: a question to visitors shows titles meanwhile.
    severity: 'note',
    message: `Refused, because its parameters use ${keywords.join(', ')}.`,
    help: 'Say it in a description instead, once browsers do this.',
  }
}

function remarksOnPage({mostTools, mostAnnounced}: Consumer, tools: readonly OfferedTool[]): Remark[] {
  const count = tools.length
  const most = mostTools ?? mostAnnounced
  if (most === undefined || count <= most) return []
  const always = tools.filter(({isConditional}) => isConditional !== true).length
  const counted =
    always === count
      ? `This page has ${count} tools.`
      : `This page has up to ${count} tools, ${always} of them always.`
  const effect =
    mostTools === undefined
      ? `It announces about ${most}, in the order of the alphabet; the model finds the others only if it lists the tools.`
      : `About ${most} were seen to work; with too many, none is listed.`
  return [
    {
      code: mostTools === undefined ? 'ANNOUNCEMENT_CUT' : 'PAGE_TOO_FULL',
      severity: always > most ? 'problem' : 'note',
      message: `${counted} ${effect}`,
      help: 'Offer fewer tools on this page.',
    },
  ]
}

function remarksOnName({naming}: Consumer, {name: own}: OfferedTool, base: string, name: string): Remark[] {
  if (naming === undefined) return []
  const remarks: Remark[] = []
  if (base !== naming.prefix + own)
    remarks.push({
      code: 'RENAMED',
      severity: 'note',
      message: `The model reads “${base}”.`,
      help: 'Use letters, digits, “_” and “-” only, and at most 57 characters.',
    })
  if (name !== base)
    remarks.push({
      code: 'NAME_DOUBLED',
      severity: 'problem',
      message: `Another tool of the page has the same name there, so this one is “${name}”: of equal names, the first in the alphabet stays.`,
      help: 'Choose a name that differs in its letters or digits.',
    })
  if (name.length > LONGEST_NAME_OF_MODELS)
    remarks.push({
      code: 'NAME_TOO_LONG',
      severity: 'problem',
      message: `The name has ${name.length} characters there. Many models refuse more than ${LONGEST_NAME_OF_MODELS}.`,
      help: `Use at most ${LONGEST_NAME_OF_MODELS - naming.prefix.length} characters.`,
    })
  return remarks
}

function remarksOnHints(consumer: Consumer, tool: OfferedTool): Remark[] {
  const {annotations, type} = tool
  const remarks: Remark[] = HINTS.filter(
    (hint) => annotations[hint] === true && !consumer.hints.includes(hint),
  ).map((hint) => ({
    code: 'HINT_DROPPED',
    severity: hint === 'consequentialHint' ? 'problem' : 'note',
    message: `The model is not told “${HINT_TITLES[hint]}”.`,
    help: 'Say it in the description.',
  }))
  if (hintsFor(consumer, tool).includes('destructive') && annotations.consequentialHint !== true)
    remarks.push({
      code: 'SEEN_AS_DESTRUCTIVE',
      severity: 'note',
      message: 'Announced as destructive, because it is not marked as read-only.',
      ...(type === 'tool' && {help: 'If it only reads, set the hint “Read-only” to “Yes”.'}),
    })
  if (annotations.debugging === true)
    remarks.push({
      code: 'FOR_DEVELOPERS',
      severity: 'note',
      message:
        consumer.debugging === 'apart'
          ? 'Listed apart from the others, as a tool for developers.'
          : 'Listed like any other tool, although it is for developers only.',
    })
  return remarks
}

function remarksOnCalls(
  {waitingForm, checksResults, makesUpValues, callSeconds = ASKED_SECONDS}: Consumer,
  tool: OfferedTool,
): Remark[] {
  const {type, autosubmit, asksVisitor, outputSchema, inputSchema = {}} = tool
  const remarks: Remark[] = []
  if (type === 'tool' && asksVisitor === true && callSeconds < ASKED_SECONDS)
    remarks.push({
      code: 'QUESTION_CUT',
      severity: 'problem',
      message: `The page waits ${ASKED_SECONDS} seconds for the visitor’s answer, and this agent ends the call after ${callSeconds}.`,
      help: 'Ask visitors only before what they could not undo.',
    })
  if (type === 'formTool' && autosubmit !== true && waitingForm !== undefined)
    remarks.push({
      code: 'FORM_WAITS',
      severity: 'problem',
      message:
        waitingForm === 'blocks it'
          ? 'The call waits for a person to submit the form, and until then all other calls time out.'
          : 'The call waits for a person to submit the form, and times out without one.',
      help: asksVisitor
        ? 'The site asks visitors before such calls, so “Submit without asking” has no effect.'
        : 'If a visitor need not confirm it, switch “Submit without asking” on.',
    })
  if (checksResults === true && outputSchema !== undefined)
    remarks.push({
      code: 'RESULT_CHECKED',
      severity: 'note',
      message: 'A result that differs from the output schema becomes an error.',
      help: 'Try the tool in the panel, which compares the result.',
    })
  const bare = makesUpValues === true ? parametersWithoutValues(inputSchema) : []
  if (bare.length > 0)
    remarks.push({
      code: 'VALUES_MADE_UP',
      severity: 'note',
      message: `Called with made-up values for ${bare.map((name) => `“${name}”`).join(', ')}.`,
      help: 'Give these parameters examples.',
    })
  return remarks
}

/** Required texts for which there is nothing to choose from. */
function parametersWithoutValues({properties, required}: Record<string, unknown>): string[] {
  if (!isRecord(properties) || !Array.isArray(required)) return []
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (!required.includes(name) || !isRecord(schema) || schema.type !== 'string') return []
    return ['examples', 'default', 'enum', 'const'].some((keyword) => keyword in schema) ? [] : [name]
  })
}
