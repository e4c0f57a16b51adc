import {counted} from '../../../common/text/counted.ts'
import {seconds} from '../../../verdicts/judge.ts'
import {printable} from '../../printable.ts'
import type {TestResult} from '../run.ts'

/** Characters of the arguments of a failed call. */
const LONGEST_ARGUMENTS = 200

/** The results for a person: the tests of each page as a table, and what is wrong with those that failed. */
export function textReport(results: readonly TestResult[], notes: readonly string[], took: number): string {
  const width = Math.max(0, ...results.map(({test}) => test.toolName.length))
  const pages = [...Map.groupBy(results, ({test}) => test.page)]
  const tables = pages.map(([page, group]) => {
    return `${printable(page || 'No page')}\n${group.map((result) => rowOf(result, width)).join('')}\n`
  })
  const said = notes.map((note) => `note: ${printable(note)}\n`)
  return `${tables.join('')}${said.join('')}${summary(results, took)}\n`
}

function rowOf({test, failures, warnings, arguments: args, milliseconds}: TestResult, width: number): string {
  const state = failures.length > 0 ? 'FAILED' : warnings.length > 0 ? 'warned' : 'passed'
  const head = `  ${state}  ${printable(test.toolName).padEnd(width)}  ${printable(test.title)}  ${durationOf(milliseconds)}\n`
  const given = JSON.stringify(args) ?? ''
  const called = given.length > LONGEST_ARGUMENTS ? `${given.slice(0, LONGEST_ARGUMENTS)}…` : given
  const details = [
    ...failures,
    ...warnings,
    ...(failures.length > 0 && args !== undefined ? [`Called with ${called}`] : []),
  ]
  return head + details.map((line) => `          ${printable(line)}\n`).join('')
}

function summary(results: readonly TestResult[], took: number): string {
  if (results.length === 0) return 'There are no tests to run.'
  const failed = results.filter(({failures}) => failures.length > 0).length
  const warned = results.filter(({failures, warnings}) => failures.length === 0 && warnings.length > 0).length
  const tools = new Set(results.map(({test}) => test.toolName)).size
  const pages = new Set(results.map(({test}) => test.page)).size
  const what = `${counted(results.length, 'test')} of ${counted(tools, 'tool')} on ${counted(pages, 'page')}`
  const outcome = failed === 0 ? 'all passed' : `${failed} failed`
  const hints = warned === 0 ? '' : `, ${counted(warned, 'warning')}`
  return `${what}: ${outcome}${hints}, in ${seconds(took)}.`
}

function durationOf(milliseconds: number): string {
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : seconds(milliseconds)
}
