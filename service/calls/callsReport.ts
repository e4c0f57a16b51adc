import {setImmediate} from 'node:timers/promises'
import type {CallError, CallsReport, HourOfCalls} from '../../schemas/calls/counts.ts'
import {HOUR, type StoredCounts} from '../counts/store.ts'
import type {CompiledSite} from '../site/compiledSite.ts'
import {scriptOf} from '../site/scriptModule.ts'
import {errorTextsOf} from './errorTexts.ts'
import {callsIn, type ErrorCounts} from './keys.ts'

/** How many calls must have had an error whose text is shown. */
const SHOWN_FROM = 5

/** What people who may read a site see of its calls. @param now milliseconds since 1970 */
export async function callsReport(
  {counts, since}: StoredCounts,
  site: CompiledSite | null,
  now: number,
): Promise<CallsReport> {
  const {calls, errors} = callsIn(counts)
  return {
    now: new Date(now).toISOString(),
    isOn: site !== null && site.reporting !== 'off',
    ...(since !== undefined && {since: new Date(since).toISOString()}),
    hours: calls.map(({hour, ...counts}): HourOfCalls => ({hour: dateOf(hour), ...counts})),
    errors: site === null ? [] : await errorsOf(errors, site),
  }
}

async function errorsOf(errors: readonly ErrorCounts[], site: CompiledSite): Promise<CallError[]> {
  const sums = new Map<string, ErrorCounts>()
  for (const {hour, tool, hash, count} of errors) {
    const key = `${tool} ${hash}`
    const known = sums.get(key)
    sums.set(key, {
      tool,
      hash,
      count: count + (known?.count ?? 0),
      hour: Math.max(hour, known?.hour ?? hour),
    })
  }
  const textOf = textsIn(site)
  const found: CallError[] = []
  for (const {tool, hash, count, hour} of sums.values()) {
    const text = count >= SHOWN_FROM ? await textOf(tool, hash) : undefined
    found.push({tool, hash, ...(text !== undefined && {text}), count, lastHour: dateOf(hour)})
  }
  return found
}

/** Looks up the text of an error. The scripts are read when they are needed. */
function textsIn(site: CompiledSite): (tool: string, hash: string) => Promise<string | undefined> {
  const served = site.texts.served()
  const tools = site.texts.tools()
  const byTool = new Map<string, ReadonlyMap<string, string>>()
  return async (tool, hash) => {
    let texts = byTool.get(tool)
    if (!texts) {
      // A long script takes milliseconds: configs are served in between.
      await setImmediate()
      const script = scriptOf(tools[served.findIndex(({documentId}) => documentId === tool)] ?? '{}')
      texts = script === undefined ? new Map() : errorTextsOf(script)
      byTool.set(tool, texts)
    }
    return texts.get(hash)
  }
}

function dateOf(hour: number): string {
  return new Date(hour * HOUR).toISOString().replace('.000', '')
}
