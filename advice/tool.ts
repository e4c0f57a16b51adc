import {hasAction} from '../actions/compile.ts'
import {parseAction} from '../schemas/actions/parseAction.ts'
import {problemOfAction} from '../schemas/actions/problem.ts'
import {pagesFieldOf} from '../schemas/documents.ts'
import {parseFormFields} from '../schemas/fields/formFields.ts'
import {nameOfLanguage, parseLanguageTexts} from '../schemas/fields/texts.ts'
import {type Fields, isRecord} from '../schemas/record.ts'
import {
  annotationsOf,
  type Hint,
  type HintSetting,
  inferAnnotations,
  parseHintSettings,
} from '../schemas/rules/hints/annotations.ts'
import {inferHints} from '../schemas/rules/hints/inferHints.ts'
import {parseInputSchema, parseOutputSchema} from '../schemas/rules/inputSchema.ts'
import {DEFAULT_POLL_INTERVAL, parsePollInterval} from '../schemas/rules/pollInterval.ts'
import {textOf} from '../schemas/rules/text.ts'
import {adviseAction, dataUse} from './action.ts'
import {type Advice, advise} from './advice.ts'
import {adviseOfferedWhile} from './conditions/offeredWhile.ts'
import {adviseParameters, adviseSensitive} from './parameters.ts'
import {advisePath} from './paths.ts'
import {adviseRecipe} from './recipes.ts'
import {adviseScript, type ScriptAdvice} from './script/script.ts'
import {adviseOnPages} from './site/pages.ts'
import {SiteTools, type ToolOfSite, toolOfSite} from './site/siteTools.ts'
import {adviseDescription, adviseName, adviseParameterDescription, adviseProse} from './texts.ts'

/** What advice needs to know about the rest of the site. */
type SiteFacts = {
  /** The site's other tools and form tools. */
  readonly others?: readonly ToolOfSite[]
  /** The names of tools that its pages register themselves. */
  readonly pageTools?: readonly string[]
}

/**
 * All advice on a document. A field that breaks a rule gets no advice, because the rule's message says what is wrong.
 */
export function adviseDocument(
  type: string,
  fields: Fields,
  {others = [], pageTools}: SiteFacts = {},
): Advice[] {
  const alone = adviseAlone(type, fields)
  if (type !== 'tool' && type !== 'formTool') return alone
  return [...adviseAmong(toolOfSite(fields), type, new SiteTools(others, pageTools)), ...alone]
}

/** The advice on a document that does not depend on others. */
export function adviseAlone(type: string, fields: Fields): Advice[] {
  if (type === 'site') return adviseSite(fields)
  if (type === 'tool') return adviseToolAlone(fields)
  return type === 'formTool' ? adviseFormToolAlone(fields) : []
}

/** Seconds after which an open page should have noticed that a tool was switched off. */
const LONGEST_GOOD_INTERVAL = 3_600

/** All advice on a site. */
function adviseSite({pollInterval}: Fields): Advice[] {
  const seconds = parsePollInterval(pollInterval)
  if (!seconds.ok || seconds.value <= LONGEST_GOOD_INTERVAL) return []
  const hours = (seconds.value / 3_600).toFixed(1)
  const message = `These are seconds: open pages keep a tool for up to ${hours} hours after you switch it off. Most sites use ${DEFAULT_POLL_INTERVAL}.`
  const fix = {title: `Use ${DEFAULT_POLL_INTERVAL} seconds`, replacement: DEFAULT_POLL_INTERVAL}
  return [advise('POLL_INTERVAL_LONG', 'pollInterval', message, {fix})]
}

function adviseToolAlone(tool: Fields): Advice[] {
  const name = textOf(tool.name)
  const schema = parseInputSchema(tool.inputSchema)
  const work = adviseWork(tool, schema)
  const hints = parseHintSettings(tool.annotations)
  return [
    ...adviseText(tool),
    ...(schema.ok ? adviseParameters(schema.value, textOf(tool.inputSchema)) : []),
    ...work.advice,
    ...(hints.ok ? adviseHints(name, hints.value, work, inferAnnotations(name, tool)) : []),
    ...adviseProse(textOf(tool.title), 'title', 'The title'),
    ...adviseRecipe(tool),
    ...adviseOutput(tool.outputSchema),
    ...adviseOfferedWhile(tool.offeredWhile),
    ...adviseToolTexts(tool.texts, schema.ok ? schema.value.properties : undefined),
  ]
}

function adviseToolTexts(texts: unknown, properties: Fields | undefined): Advice[] {
  const entries = Object.entries(properties ?? {})
  const described = entries.filter(([, schema]) => isRecord(schema) && textOf(schema.description) !== '')
  return adviseLanguageTexts(
    texts,
    described.map(([name]) => name),
    properties && Object.keys(properties),
  )
}

function describedFields(value: unknown): string[] {
  const fields = parseFormFields(value)
  return fields.ok ? fields.value.flatMap(({name, description}) => (description ? [name] : [])) : []
}

/** The advice on what a tool does: its script or its action. */
function adviseWork(tool: Fields, schema: ReturnType<typeof parseInputSchema>): ScriptAdvice {
  if (!hasAction(tool)) return adviseScript(textOf(tool.executeJs), schema.ok ? schema.value : undefined)
  const action =
    schema.ok && problemOfAction(tool) === undefined ? parseAction(tool, schema.value) : undefined
  if (!schema.ok || action === undefined) return {advice: [], changesData: false}
  return {advice: adviseAction(tool, action, schema.value), ...dataUse(action)}
}

function adviseFormToolAlone(formTool: Fields): Advice[] {
  return [
    ...adviseText(formTool),
    ...adviseAutosubmit(formTool),
    ...adviseFormFields(formTool.fields),
    ...adviseRecipe(formTool),
    ...adviseOfferedWhile(formTool.offeredWhile),
    ...adviseLanguageTexts(formTool.texts, describedFields(formTool.fields), undefined),
  ]
}

/**
 * The advice on a tool or form tool that depends on the site's other tools.
 * @param site the site's enabled tools. This one may be among them.
 */
export function adviseAmong(tool: ToolOfSite, type: string, site: SiteTools): Advice[] {
  const field = pagesFieldOf(type)
  return [
    ...adviseName(tool.name, site.namedLike(tool.name)),
    ...(site.isOfPages(tool.name) ? [advise('NAME_OF_PAGE', 'name', OF_PAGE)] : []),
    ...advisePath(tool.pattern, field),
    ...adviseOnPages(tool, field, site),
  ]
}

/** Browsers refuse a second tool of the same name. */
const OF_PAGE =
  'The pages of this site register a tool of this name themselves, and a page can have only one of the two. Choose another name.'

function adviseText({description}: Fields): Advice[] {
  const text = textOf(description)
  return text.trim() === '' ? [] : adviseDescription(text)
}

function adviseAutosubmit({name, autosubmit}: Fields): Advice[] {
  if (autosubmit !== true || !inferHints(textOf(name)).consequential) return []
  const message = `“${name}” sounds like an action with consequences, but the agent submits the form without asking the visitor. Switch this off.`
  return [advise('AUTOSUBMIT_CONSEQUENTIAL', 'autosubmit', message)]
}

function adviseOutput(value: unknown): Advice[] {
  const schema = parseOutputSchema(value)
  if (schema.ok) return []
  const message = `Agents get this tool without its output schema, because the schema is broken. ${schema.problem}`
  return [advise('OUTPUT_SCHEMA_BROKEN', 'outputSchema', message)]
}

function adviseFormFields(value: unknown): Advice[] {
  const fields = parseFormFields(value)
  if (!fields.ok) return []
  return fields.value.flatMap(({name, title = '', description = ''}) => [
    ...adviseProse(title, 'fields', `The title of “${name}”`),
    ...adviseParameterDescription(name, description, 'fields'),
    ...adviseSensitive(name, 'fields'),
  ])
}

/**
 * Advice on hints that contradict the tool's name or its script.
 * @param script what is known of the script
 */
function adviseHints(
  name: string,
  settings: Record<Hint, HintSetting>,
  {changesData, onlyReads = false}: Pick<ScriptAdvice, 'changesData' | 'onlyReads'>,
  inferred = inferAnnotations(name),
): Advice[] {
  const advice: Advice[] = []
  const {readOnlyHint: isReadOnly = false, consequentialHint: isConsequential = false} = annotationsOf(
    name,
    settings,
    inferred,
  )
  if (settings.readOnlyHint === 'true' && inferred.consequentialHint === true) {
    const message = `The hint says that the tool only reads, but “${name}” sounds like an action with consequences. Agents may call it without asking the visitor.`
    advice.push(advise('HINT_CONTRADICTS_NAME', 'annotations.readOnlyHint', message))
  }
  if (settings.consequentialHint === 'false' && inferred.consequentialHint === true) {
    const message = `“${name}” sounds like an action with consequences, but the hint says that it has none. Agents will not ask the visitor first.`
    advice.push(advise('HINT_CONTRADICTS_NAME', 'annotations.consequentialHint', message))
  }
  if (isReadOnly && isConsequential && advice.length === 0) {
    const message =
      'A tool that only reads has no consequences, but both hints come to “Yes”. Set one of them to “No”.'
    advice.push(advise('HINTS_CONTRADICT', 'annotations.consequentialHint', message))
  }
  if (isReadOnly && changesData) {
    const message =
      'The tool sends data with POST, PUT, PATCH or DELETE, but the tool is marked as read-only. If the call changes something, set this hint to “No”.'
    advice.push(
      advise('HINT_CONTRADICTS_SCRIPT', 'annotations.readOnlyHint', message, {
        fix: {title: 'Set “Read-only” to “No”', replacement: 'false'},
      }),
    )
  }
  if (settings.readOnlyHint === 'auto' && !isReadOnly && !isConsequential && onlyReads) {
    const message = `The tool seems to change nothing, but “${name}” does not begin with a verb for reading, so the tool is not marked as read-only: some agents announce it as destructive. If it only reads, set this hint to “Yes”.`
    advice.push(advise('READ_ONLY_UNSET', 'annotations.readOnlyHint', message))
  }
  return advice
}

/**
 * Advice on the texts of a tool in other languages.
 * @param described the parameters that have a description in the tool's own language
 * @param known all parameters; undefined if others exist, such as fields of a form that are not described
 */
function adviseLanguageTexts(
  value: unknown,
  described: readonly string[],
  known: readonly string[] | undefined,
): Advice[] {
  const parsed = parseLanguageTexts(value)
  if (!parsed.ok) return []
  return parsed.value.flatMap(({language, title = '', description, parameters = []}) => {
    const name = nameOfLanguage(language)
    const names = parameters.map((one) => one.name)
    const missing = [
      ...(description === undefined ? ['the description'] : []),
      ...described.filter((one) => !names.includes(one)).map((one) => `“${one}”`),
    ]
    const unknown = names.find((one) => known !== undefined && !known.includes(one))
    const lack = `The texts in ${name} lack ${missing.join(', ')}: agents read these in the tool’s own language. Write them, too.`
    const surplus = `The tool has no parameter “${unknown}”, which the texts in ${name} describe: remove it, or correct its name.`
    return [
      ...(missing.length > 0 ? [advise('LANGUAGE_INCOMPLETE', 'texts', lack)] : []),
      ...(unknown === undefined ? [] : [advise('LANGUAGE_PARAMETER_UNKNOWN', 'texts', surplus)]),
      ...adviseProse(title, 'texts', `The title in ${name}`),
      ...adviseProse(description ?? '', 'texts', `The description in ${name}`),
      ...parameters.flatMap((one) =>
        adviseProse(one.description, 'texts', `The description of “${one.name}” in ${name}`),
      ),
    ]
  })
}
