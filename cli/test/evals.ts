import {basename, dirname, extname, join} from 'node:path'
import type {PlannedTest} from './plan.ts'

/** A file of cases for the page at an address. */
type EvalsFile = {readonly path: string; readonly page: string; readonly cases: readonly object[]}

/**
 * Cases of tests in the format of Chrome's webmcp-evals, one file for each page, because its `smoke` takes one address.
 * Tests that expect a failure are left out: a call that fails is a failed case there.
 * https://github.com/GoogleChromeLabs/webmcp-tools
 * @param file such as `evals.json`: the name of the page is added before the dot
 */
export function evalsOf(tests: readonly PlannedTest[], file: string): EvalsFile[] {
  const wanted = tests.filter(({prompt, expect, tool}) => {
    return tool !== undefined && prompt !== undefined && !expect.some(({kind}) => kind === 'fails')
  })
  const taken = new Set<string>()
  return [...Map.groupBy(wanted, ({page}) => page)].map(([page, group]) => {
    const path = freePath(file, page, taken)
    return {path, page, cases: group.map(caseOf)}
  })
}

function caseOf({title, toolName, prompt = title, argumentsFor, schema}: PlannedTest): object {
  return {
    name: `${toolName}: ${title}`,
    messages: [{role: 'user', type: 'message', content: prompt}],
    expectedCall: [{functionName: toolName, arguments: argumentsFor(schema)}],
  }
}

/** Such as `evals.products.json`. */
function freePath(file: string, page: string, taken: Set<string>): string {
  const extension = extname(file)
  const slug = page.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '') || 'home'
  const base = join(dirname(file), `${basename(file, extension)}.${slug}`)
  let path = base + extension
  for (let copy = 2; taken.has(path); copy += 1) path = `${base}-${copy}${extension}`
  taken.add(path)
  return path
}
