import {hasAction} from '../../actions/compile.ts'
import {problemOfAction} from '../../schemas/actions/problem.ts'
import {parseFormFields} from '../../schemas/rules/formFields.ts'
import {parseDebugging, parseHintSettings} from '../../schemas/rules/hints/annotations.ts'
import {parseAskBefore} from '../../schemas/rules/hints/askBefore.ts'
import {parseInputSchema} from '../../schemas/rules/inputSchema.ts'
import {parseTitle} from '../../schemas/rules/names/title.ts'
import {parsePageTools, parseToolName} from '../../schemas/rules/names/toolName.ts'
import {parseAddresses, parseOrigins} from '../../schemas/rules/origin.ts'
import {accept, type Parsed, refuse} from '../../schemas/rules/parsed.ts'
import {parsePathPattern} from '../../schemas/rules/paths/pathPattern.ts'
import {parsePollInterval} from '../../schemas/rules/pollInterval.ts'
import {parsePublicId} from '../../schemas/rules/publicId.ts'
import {parseScript} from '../../schemas/rules/script.ts'
import {parseSelector} from '../../schemas/rules/selector.ts'
import {parseReview} from '../../schemas/rules/site.ts'
import {parseTests} from '../../schemas/rules/tests/toolTests.ts'
import {parseDescription, parseText} from '../../schemas/rules/text.ts'
import type {Fields} from '../../schemas/rules/tool.ts'

/** A broken rule of a field, in the words of the rule. */
type BrokenField = {readonly field: string; readonly problem: string}

type Rule = readonly [field: string, parse: (value: unknown) => Parsed<unknown>]

const SHARED: readonly Rule[] = [
  ['name', parseToolName],
  ['description', parseDescription],
  ['enabled', parseSwitch],
  ['tests', parseTests],
]

/** The rules of each type's fields: those by which the service leaves a tool out, and those of Studio. */
const RULES: ReadonlyMap<string, readonly Rule[]> = new Map([
  [
    'site',
    [
      ['name', (value) => parseText(value, 'The name', 200)],
      ['enabled', parseSwitch],
      ['publicId', parsePublicId],
      ['addresses', parseAddresses],
      ['hashRouter', parseSwitch],
      ['pollInterval', parsePollInterval],
      ['askBefore', parseAskBefore],
      ['reportCalls', parseSwitch],
      ['reportAfterConsent', parseSwitch],
      ['pageTools', parsePageTools],
      ['review', parseReview],
    ],
  ],
  [
    'tool',
    [
      ...SHARED,
      ['pathPattern', parsePathPattern],
      ['inputSchema', parseInputSchema],
      ['exposedTo', parseOrigins],
      ['title', (value) => parseTitle(value)],
      ['annotations', parseHintSettings],
      ['annotations', parseDebugging],
    ],
  ],
  [
    'formTool',
    [
      ...SHARED,
      ['pagePath', parsePathPattern],
      ['selector', parseSelector],
      ['autosubmit', parseSwitch],
      ['fields', parseFormFields],
    ],
  ],
])

/** Applies every rule of a type to a document. A rule of the service stops at the first broken field. */
export function brokenFields(type: string, document: Fields): BrokenField[] {
  const broken = (RULES.get(type) ?? []).flatMap(([field, parse]) =>
    brokenField(field, parse(document[field])),
  )
  return type === 'tool' ? [...broken, ...brokenWork(document)] : broken
}

function brokenField(field: string, result: Parsed<unknown>): BrokenField[] {
  return result.ok ? [] : [{field, problem: result.problem}]
}

/** Applies the rules of a tool’s script or of its action. */
function brokenWork(tool: Fields): BrokenField[] {
  if (!hasAction(tool)) return brokenField('executeJs', parseScript(tool.executeJs))
  const problem = problemOfAction(tool)
  return problem === undefined ? [] : [{field: problem.field, problem: problem.message}]
}

function parseSwitch(value: unknown): Parsed<boolean> {
  if (value === undefined || value === null) return accept(false)
  if (typeof value === 'boolean') return accept(value)
  return refuse('The value must be true or false, without quotation marks.')
}
