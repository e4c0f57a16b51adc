import {withScript} from '../../actions/compile.ts'
import {ACTION_TITLES, describeAction} from '../../schemas/actions/describe.ts'
import {parseAction} from '../../schemas/actions/parseAction.ts'
import type {ToolType} from '../../schemas/documents.ts'
import {describeTexts, parseLanguageTexts} from '../../schemas/rules/conditions/languageTexts.ts'
import {describeConditions, parseOfferedWhile} from '../../schemas/rules/conditions/offeredWhile.ts'
import {isRecord} from '../../schemas/rules/json.ts'
import {parseTests} from '../../schemas/rules/tests/toolTests.ts'
import {describeTest} from '../../schemas/rules/tests/words.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {type Fields, parseFormTool, parseTool} from '../../schemas/rules/tool.ts'

/** A member of what is served that changes, as text. Undefined: it is not there. */
export type MemberChange = {
  /** Such as `executeJs`, or `inputSchema.city` for a parameter. */
  readonly member: string
  readonly before: string | undefined
  readonly after: string | undefined
}

type Members = {readonly [member: string]: string | undefined}

/** The pattern of a tool or form tool. */
export function patternOf(type: ToolType, document: Fields): string {
  return textOf(type === 'tool' ? document.pathPattern : document.pagePath)
}

/**
 * What agents are told about a valid tool and what they run: the members that the service sends, with inferred
 * hints and titles, and the pattern. Last its tests, which no page gets: they are part of what is reviewed.
 * @throws BrokenRule
 */
export function membersOf(type: ToolType, document: Fields): Members {
  const name = textOf(document.name)
  const pattern = patternOf(type, document)
  if (type === 'formTool') {
    const {description, selector, autosubmit, fields = []} = parseFormTool(name, document)
    const described = fields.map(({name: field, ...texts}) => [`fields.${field}`, JSON.stringify(texts)])
    return {
      name,
      pattern,
      description,
      selector,
      autosubmit: autosubmit ? 'yes' : undefined,
      ...Object.fromEntries(described),
      ...conditionsOf(document),
      ...textsOf(document),
      ...testsOf(document),
    }
  }
  const {title, description, annotations, exposedTo, inputSchema, outputSchema, executeJs} = parseTool(
    name,
    withScript(document),
  )
  const action = parseAction(document, inputSchema)
  return {
    name,
    pattern,
    title,
    description,
    annotations: Object.keys(annotations).join(', ') || undefined,
    exposedTo: exposedTo.join(', ') || undefined,
    ...conditionsOf(document),
    ...textsOf(document),
    ...parametersOf('inputSchema', inputSchema),
    ...(outputSchema && parametersOf('outputSchema', outputSchema)),
    ...(action === undefined
      ? {executeJs}
      : {
          action: ACTION_TITLES[action.kind],
          ...Object.fromEntries(describeAction(action).map(({id, text}) => [`action.${id}`, text])),
        }),
    ...testsOf(document),
  }
}

/** One member for each text, by its language. */
function textsOf({texts}: Fields): Members {
  const parsed = parseLanguageTexts(texts)
  if (!parsed.ok) return {texts: parsed.problem}
  return Object.fromEntries(
    parsed.value.flatMap((entry) =>
      describeTexts(entry).map(([what, text]) => [`texts.${entry.language}.${what}`, text]),
    ),
  )
}

/** One member for each kind of condition, by its title. */
function conditionsOf({offeredWhile}: Fields): Members {
  const parsed = parseOfferedWhile(offeredWhile)
  if (!parsed.ok) return {offeredWhile: parsed.problem}
  const conditions = describeConditions(parsed.value)
  return Object.fromEntries(conditions.map(([title, text]) => [`offeredWhile.${title}`, text]))
}

/** One member for each test, by its title. */
function testsOf({tests}: Fields): Members {
  const parsed = parseTests(tests)
  if (!parsed.ok) return {tests: parsed.problem}
  return Object.fromEntries(
    parsed.value.map((test) => {
      const {title, prompt} = test
      return [`tests.${title}`, describeTest(test) + (prompt === undefined ? '' : `. Prompt: ${prompt}`)]
    }),
  )
}

/** One member for each parameter, and one for the rest of the schema. */
function parametersOf(member: string, schema: Fields): Members {
  const {properties, required, ...rest} = schema
  const names = Array.isArray(required) ? required : []
  const parameters = Object.entries(isRecord(properties) ? properties : {}).map(([name, parameter]) => {
    const text = JSON.stringify(parameter)
    return [`${member}.${name}`, names.includes(name) ? `required ${text}` : text]
  })
  return {[member]: JSON.stringify(rest), ...Object.fromEntries(parameters)}
}

/** The members that differ, in the order in which they were first. */
export function compareMembers(before: Members, after: Members): MemberChange[] {
  const members = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return members
    .map((member) => ({member, before: before[member], after: after[member]}))
    .filter((change) => change.before !== change.after)
}
