import {type Features, type Planned, planOf, READERS, usualNothingOf} from '../../actions/plan.ts'
import * as functions from '../../actions/run/all.ts'
import {findDeep, type PartReaders, readParts} from '../../actions/run/html/parts.ts'
import {readNow} from '../../actions/run/html/reading.ts'
import {readTable} from '../../actions/run/html/tables.ts'
import type {PartPlan} from '../../actions/run/plan.ts'
import {type RequestFeatures, runRequest} from '../../actions/run/request.ts'
import type {ProposedTool} from '../../making/exchange.ts'
import type {ProposedPart} from '../../making/picked.ts'
import {parseAction} from '../../schemas/actions/parseAction.ts'
import {USUAL_PAGE_LIMIT} from '../../schemas/actions/parts.ts'
import {isRecord} from '../../schemas/record.ts'

// A tool is tried before it is made. The policy of a page may forbid to run the text of its script (`script-src` without
// 'unsafe-eval'), and the service has no module of a tool that is not saved. So the panel has the functions that texts are made of.

const PART_READERS: PartReaders = functionsOf({find: 'findDeep', ...READERS})

/** Functions of a request by the names that its plan has. */
export function featuresOf(names: Features): RequestFeatures {
  return functionsOf(names)
}

function functionsOf(names: Features): ReturnType<typeof Object> {
  const found = Object.entries(names).map(([what, needed]) => {
    if (typeof needed === 'string') return [what, Object(functions)[needed]]
    const [[maker = '', inner = {}] = []] = Object.entries(needed)
    return [what, Object(functions)[maker](functionsOf(inner))]
  })
  return Object(Object.fromEntries(found))
}

/** What runs of a tool that is made. @throws BrokenRule */
export function plannedOf(tool: ProposedTool): Extract<Planned, {readonly run: 'runRequest'}> {
  const action = parseAction({...tool}, undefined)
  const planned = action && planOf(action, JSON.parse(tool.inputSchema))
  if (planned?.run !== 'runRequest') throw new Error('The tool sends no request.')
  return planned
}

/** What an agent gets of a request, sent with this `fetch`. @throws Error with what the agent reads */
export function runOnPage(
  {plan, features}: ReturnType<typeof plannedOf>,
  args: Readonly<Record<string, unknown>>,
  fetch: (address: URL, init: RequestInit) => Promise<Response>,
  signal: AbortSignal,
): Promise<unknown> {
  return runRequest(plan, args, {fetch, signal, document, origin: location.origin}, featuresOf(features))
}

/** What an agent gets of parts of the page as it is. @throws Error with what the agent reads */
export function readPage(proposed: readonly ProposedPart[]): unknown {
  const nothing = usualNothingOf(proposed)
  const plan = {parts: proposed.map(planOfPart), ...(nothing !== undefined && {nothing})}
  return readNow(plan, document, PART_READERS)
}

/** What a tool reads of a part of the page, with a list as long as it is. */
export function readPart(part: ProposedPart): unknown {
  return readParts([planOfPart(part)], document, PART_READERS)[part.name]
}

function planOfPart(part: ProposedPart): PartPlan {
  const {name, selector, kind, columns, fields = []} = part
  const list = {name, selector, limit: USUAL_PAGE_LIMIT}
  switch (kind) {
    case 'table':
      return {...list, kind, ...(columns && {columns})}
    case 'items':
      return {
        ...list,
        kind,
        fields: fields.map(({name, selector: within, kind, attribute = ''}) =>
          kind === 'attribute' ? {name, within, kind, attribute} : {name, within, kind},
        ),
      }
    case 'list':
    case 'links':
      return {...list, kind}
    default:
      return {name, selector, kind}
  }
}

/** The headings of a table, by which its rows are returned; none if its first row is data. */
export function headingsOf({kind, selector}: ProposedPart): string[] {
  const element = kind === 'table' && findDeep(document, selector)[0]
  const rows: readonly unknown[] = element ? readTable(element, undefined, true) : []
  return [...new Set(rows.flatMap((row) => (isRecord(row) ? Object.keys(row) : [])))]
}
