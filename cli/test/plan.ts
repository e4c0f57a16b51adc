import {hasAction} from '../../actions/compile.ts'
import type {Snapshot} from '../../advice/changes/compare.ts'
import {diagnosePage, namedPaths} from '../../advice/diagnosis/page.ts'
import type {CheckedSite} from '../../advice/diagnosis/site.ts'
import {explain} from '../../advice/diagnosis/words.ts'
import {counted} from '../../common/text/counted.ts'
import {listMembers} from '../../schemas/actions/result.ts'
import {type StoredDocument, siteOf} from '../../schemas/documents.ts'
import {parseTests, type ToolTest} from '../../schemas/fields/tests.ts'
import {type Fields, isRecord} from '../../schemas/record.ts'
import {type AskBefore, asksVisitor} from '../../schemas/rules/hints/askBefore.ts'
import {changesSomething} from '../../schemas/rules/hints/effects.ts'
import type {Expectation} from '../../schemas/rules/tests/toolTests.ts'
import {WAITS_FOR_PERSON} from '../../schemas/rules/tests/words.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {servedIn} from '../../schemas/served.ts'
import {argumentsOf} from '../../verdicts/arguments.ts'
import {selectorsIn} from '../../verdicts/cause.ts'
import {deriveCalls} from '../../verdicts/derive.ts'
import type {JudgedTool} from '../../verdicts/judge.ts'

/** The lines of a document that a test is about. */
type TestPlace = {readonly path: string; readonly line?: number}

/** A tool as a page gets it. */
export type TestedTool = JudgedTool & {
  /** The UUID that it is served with. */
  readonly id: string
  readonly name: string
  /** Undefined: the tool has an action, so its lines say nothing to an editor. */
  readonly script: string | undefined
  /** What the tool looks for on the page. */
  readonly selectors: readonly string[]
  readonly isForm: boolean
}

/** A test that a command runs. */
export type PlannedTest = {
  /** The document of the tool. */
  readonly documentId: string
  readonly title: string
  /** The page, with its query. */
  readonly page: string
  /** Who opens it. Undefined: the visitor of `--storage-state` or `--sign-in`. */
  readonly visitor?: string | undefined
  readonly toolName: string
  readonly place: TestPlace
  readonly expect: readonly Expectation[]
  readonly prompt?: string | undefined
  /**
   * The arguments of the call.
   * @param schema the parameters that the page has: those of a form are known only there
   */
  readonly argumentsFor: (schema: unknown) => Record<string, unknown>
  /** The parameters of a tool. Undefined: a form has them. */
  readonly schema?: unknown
  /** Undefined: the page does not get the tool, and `problem` says why. */
  readonly tool?: TestedTool | undefined
  readonly problem?: string | undefined
}

/** The tests of a site, and what could not be derived. */
export type TestPlan = {readonly tests: readonly PlannedTest[]; readonly notes: readonly string[]}

export type PlanOptions = {
  readonly site: CheckedSite
  readonly documents: Snapshot
  /** Before which calls the site asks its visitors. */
  readonly askBefore: AskBefore
  /** Returns the body of the config for a page. */
  readonly configOn: (path: string) => string
  /** The place of the test with an index. Undefined: the tool itself. */
  readonly placeOf: (documentId: string, index?: number) => TestPlace
  /** The documents whose tests run. */
  readonly isWanted: (documentId: string) => boolean
  /** Whether tests of tools that may change something are left out. */
  readonly readsOnly: boolean
  /** Which tools are called with inputs from their schemas, too. */
  readonly derived: 'none' | 'reading' | 'all'
}

/** Plans the tests of a site's enabled tools. A tool that does not only read has a written test, or `derived` is `all`. */
export function planTests(options: PlanOptions): TestPlan {
  const {site, documents, isWanted} = options
  const offer = offersOf(options)
  const plans = site.tools.flatMap((tool) => {
    const document = isWanted(tool.id) ? documents.get(tool.id) : undefined
    if (document === undefined) return []
    return document.enabled === true ? planTool(tool, offer, options) : planOff(document)
  })
  return {tests: plans.flatMap(({tests}) => tests), notes: plans.flatMap(({notes}) => notes)}
}

function planOff({name, tests}: Fields): TestPlan {
  const count = Array.isArray(tests) ? tests.length : 0
  const note = `${textOf(name)} is switched off: ${counted(count, 'test')} left out.`
  return {tests: [], notes: count === 0 ? [] : [note]}
}

type CheckedTool = CheckedSite['tools'][number]
type OfferOn = ReturnType<typeof offersOf>

function planTool(checked: CheckedTool, offer: OfferOn, options: PlanOptions): TestPlan {
  const {documents, placeOf, derived, readsOnly} = options
  const {id} = checked
  const document: Readonly<Record<string, unknown>> = documents.get(id) ?? {}
  const name = textOf(document.name)
  const of = {documentId: id, toolName: name}
  const written = parseTests(document.tests)
  if (!written.ok) {
    const broken = {...of, title: 'tests', page: '', place: placeOf(id), expect: []}
    return {tests: [{...broken, argumentsFor: () => ({}), problem: written.problem}], notes: []}
  }
  const tests = written.value.map(
    ({title, page, visitor, expect, prompt, arguments: typed}, index): PlannedTest => {
      const argumentsFor = (schema: unknown) => argumentsOf(typed, schema)
      const place = placeOf(id, index)
      return {...offer(id, page), ...of, title, page, visitor, expect, prompt, argumentsFor, place}
    },
  )
  const more =
    derived === 'none'
      ? NONE
      : planDerived(checked, {...of, place: placeOf(id)}, written.value, offer, derived)
  const kept = tests.filter(({tool}) => !(readsOnly && tool?.readsOnly === false))
  const leftOut = tests.length - kept.length
  const note = `${name}: ${counted(leftOut, 'test')} left out, because it may change something.`
  return {tests: [...kept, ...more.tests], notes: leftOut === 0 ? more.notes : [note, ...more.notes]}
}

const NONE: TestPlan = {tests: [], notes: []}

function planDerived(
  {id, now}: CheckedTool,
  of: Pick<PlannedTest, 'documentId' | 'toolName' | 'place'>,
  written: readonly ToolTest[],
  offer: OfferOn,
  derived: 'reading' | 'all',
): TestPlan {
  const name = of.toolName
  const pattern = now.verdict.place?.pattern
  const page = written[0]?.page ?? (pattern === undefined ? undefined : namedPaths(pattern)[0])
  if (page === undefined)
    return {tests: [], notes: [`${name}: its pattern names no page. Write a test, which does.`]}
  const {tool, problem, schema} = offer(id, page)
  if (tool === undefined || tool.isForm || (derived === 'reading' && !tool.readsOnly)) {
    return problem === undefined ? NONE : {tests: [], notes: [`${name}: ${problem}`]}
  }
  const examples = written
    .filter(({expect}) => !expect.some(({kind}) => kind === 'fails'))
    .map(({arguments: typed}) => argumentsOf(typed, schema))
  const {calls, unknown} = deriveCalls(isRecord(schema) ? schema : {}, examples)
  const notes = unknown.map(
    (parameter) =>
      `${name}: no value is known for “${parameter}”. Write a test, or add "examples" to the parameter.`,
  )
  const tests = calls.map(({title, arguments: args, expect}): PlannedTest => {
    return {...of, title: `derived: ${title}`, page, expect, argumentsFor: () => args, tool}
  })
  return {tests, notes}
}

type Offer = Pick<PlannedTest, 'tool' | 'problem' | 'schema'>

/** Returns what tells the tool as a page gets it, or why it does not. What a page offers is computed once. */
function offersOf({site, documents, askBefore, configOn}: PlanOptions): (id: string, page: string) => Offer {
  const known = new Map<string, ReturnType<typeof read>>()
  const read = (path: string) => {
    return {served: servedIn(JSON.parse(configOn(path))), tools: diagnosePage(site, path).tools}
  }
  return (id, page) => {
    const path = page.replace(/\?.*/s, '')
    const {served, tools} = known.get(path) ?? read(path)
    known.set(path, {served, tools})
    const on = tools.find((tool) => tool.id === id)
    const [reason] = on === undefined ? [] : explain(on)
    if (on === undefined || reason !== undefined)
      return {problem: `${path} does not offer the tool. ${reason ?? ''}`.trim()}
    const members = served.find(({name}) => name === on.now.verdict.place?.name)?.members ?? {}
    if (members.autosubmit === false) return {problem: WAITS_FOR_PERSON}
    return {tool: testedTool(members, documents.get(id) ?? {}, askBefore), schema: members.inputSchema}
  }
}

function testedTool(
  {id, name, executeJs, selector, annotations, outputSchema}: Record<string, unknown>,
  document: Record<string, unknown>,
  askBefore: AskBefore,
): TestedTool {
  const script = textOf(executeJs)
  const hints = isRecord(annotations) ? annotations : {}
  const changes = changesSomething(document)
  return {
    id: textOf(id),
    name: textOf(name),
    script: hasAction(document) ? undefined : script,
    selectors: typeof selector === 'string' ? [selector] : selectorsIn(script),
    isForm: typeof selector === 'string',
    readsOnly: hints.readOnlyHint === true && !changes,
    asks: asksVisitor(askBefore, hints, changes),
    members: listMembers(document),
    outputSchema: isRecord(outputSchema) ? outputSchema : undefined,
  }
}

/** The documents of a site that differ from an earlier state: all of them, if the site does, because it decides what is asked. */
export function changedSince(base: Snapshot, now: Snapshot, siteId: string): ReadonlySet<string> {
  const isChanged = ({_id, _rev}: StoredDocument) => base.get(_id)?._rev !== _rev
  const site = now.get(siteId)
  const isSiteChanged = site !== undefined && isChanged(site)
  const changed = [...now.values()].filter((document) => {
    return siteOf(document) === siteId && (isSiteChanged || isChanged(document))
  })
  return new Set(changed.map(({_id}) => _id))
}
