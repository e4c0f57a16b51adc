import {setTimeout} from 'node:timers/promises'
import type {FullResult, Reporter, Suite, TestCase} from '@playwright/test/reporter'
import {errorMessage} from '../../common/errorMessage.ts'
import {counted} from '../../common/text/counted.ts'
import {seconds} from '../../verdicts/judge.ts'
import {printable} from '../printable.ts'
import {reportToLake} from './reportToLake.ts'
import {settings} from './settings.ts'

/** Prints the tests of each page, and what is wrong with those that failed, the cause first, and tells the lake. */
export default class ContentReporter implements Reporter {
  readonly #settings = settings()
  #suite: Suite | undefined

  printsToStdio(): boolean {
    return this.#settings.isText
  }

  onBegin(_config: unknown, suite: Suite): void {
    this.#suite = suite
  }

  onError({message}: {message?: string}): void {
    process.stderr.write(`${message}\n`)
  }

  async onEnd({duration, status}: FullResult): Promise<{status: 'failed'} | undefined> {
    const all = this.#suite?.allTests() ?? []
    const tests = all.filter(({results}) => results.length > 0)
    if (this.#settings.isText) process.stdout.write(textOf(tests, duration))
    const {report} = this.#settings
    // Studio takes a report for the whole.
    if (report === undefined || status === 'interrupted' || status === 'timedout') return undefined
    const results = tests.flatMap((test) => {
      const [id, name] = [noteOf(test, 'document')[0], noteOf(test, 'tool')[0] ?? '']
      return id === undefined ? [] : [{id, name, failure: linesOf(test)[0]}]
    })
    const console = {
      error: (text: string) => process.stderr.write(text),
      wait: (milliseconds: number) => setTimeout(milliseconds),
    }
    try {
      const isPartial = report.run.isPartial || tests.length < all.length
      await reportToLake(report.target, {...report.run, isPartial}, results, console)
    } catch (error) {
      console.error(`${errorMessage(error)}\n`)
      return {status: 'failed'}
    }
    return undefined
  }
}

function noteOf({annotations, results}: TestCase, wanted: string): string[] {
  const all = [...annotations, ...(results.at(-1)?.annotations ?? [])]
  const found = all.flatMap(({type, description = ''}) => (type === wanted ? description : []))
  return [...new Set(found)]
}

/** Why a test failed. None: it passed. */
function linesOf(test: TestCase): string[] {
  if (test.ok()) return []
  const lines =
    test.results.at(-1)?.errors.flatMap(({message = ''}) => message.split('\n').map(printable)) ?? []
  return lines.length > 0 ? lines : ['The test did not end.']
}

/** The results for a person. */
export function textOf(tests: readonly TestCase[], took: number): string {
  const pages = [...Map.groupBy(tests, ({parent}) => parent.title)]
  const tables = pages.map(([page, group]) => `${page}\n${group.map(rowOf).join('')}\n`)
  const failed = tests.filter((test) => !test.ok()).length
  const warned = tests.filter((test) => test.ok() && noteOf(test, 'warning').length > 0).length
  const tools = new Set(tests.flatMap((test) => noteOf(test, 'tool'))).size
  const what = `${counted(tests.length, 'test')} of ${counted(tools, 'tool')} on ${counted(pages.length, 'page')}`
  const outcome = failed === 0 ? 'all passed' : `${failed} failed`
  const hints = warned === 0 ? '' : `, ${counted(warned, 'warning')}`
  return `${tables.join('')}${what}: ${outcome}${hints}, in ${seconds(took)}.\n`
}

function rowOf(test: TestCase): string {
  const warnings = noteOf(test, 'warning')
  const state = test.ok() ? (warnings.length > 0 ? 'warned' : 'passed') : 'FAILED'
  const took = seconds(test.results.at(-1)?.duration ?? 0)
  const details = [...linesOf(test), ...warnings].map((line) => `          ${line}\n`)
  return `  ${state}  ${test.title}  ${took}\n${details.join('')}`
}
