import {annotation} from '../../check/report/github.ts'
import {printable, printableJson} from '../../printable.ts'
import type {TestResult} from '../run.ts'

/** The version of the JSON. Members may be added to it; a change or a removal makes it another version. */
const VERSION = 1

/** The results for programs. `docs/tool-tests.md` describes them. */
export function jsonReport(results: readonly TestResult[], notes: readonly string[]): string {
  const tests = results.map(({test, failures, warnings, arguments: args, milliseconds}) => ({
    tool: test.toolName,
    title: test.title,
    page: test.page,
    passed: failures.length === 0,
    failures,
    warnings,
    arguments: args,
    milliseconds: Math.round(milliseconds),
    ...test.place,
  }))
  const failed = tests.filter(({passed}) => !passed).length
  return printableJson({version: VERSION, failed, tests, notes})
}

/**
 * The results as annotations of GitHub, at the lines of the documents.
 * @param folder the directory of the content in the repository, such as `content/`
 */
export function githubReport(results: readonly TestResult[], folder: string): string {
  return results
    .flatMap(({test, failures, warnings}) => {
      const title = `${test.toolName}: ${test.title}`
      const place = {file: folder + test.place.path, line: test.place.line, title}
      const wrong = failures.length === 0 ? [] : [annotation('error', place, failures.join('\n'))]
      return [...wrong, ...warnings.map((warning) => annotation('warning', place, warning))]
    })
    .map((line) => `${line}\n`)
    .join('')
}

/** The results as JUnit, which most CI systems read. https://github.com/testmoapp/junitxml */
export function junitReport(results: readonly TestResult[]): string {
  const suites = [...Map.groupBy(results, ({test}) => test.page)].map(([page, group]) => {
    const failed = group.filter(({failures}) => failures.length > 0).length
    const counts = `tests="${group.length}" failures="${failed}" errors="0" skipped="0"`
    return `<testsuite name="${escaped(page)}" ${counts}>\n${group.map(caseOf).join('')}</testsuite>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('')}</testsuites>\n`
}

function caseOf({test, failures, milliseconds}: TestResult): string {
  const {toolName, title, place} = test
  const file = `file="${escaped(place.path)}"${place.line === undefined ? '' : ` line="${place.line}"`}`
  const [first = '', ...more] = failures
  const failure =
    failures.length === 0 ? '' : `<failure message="${escaped(first)}">${escaped(more.join(' '))}</failure>`
  const time = (milliseconds / 1_000).toFixed(3)
  return `<testcase classname="${escaped(toolName)}" name="${escaped(title)}" time="${time}" ${file}>${failure}</testcase>\n`
}

/** XML 1.0 has no control characters: https://www.w3.org/TR/xml/#charsets */
function escaped(text: string): string {
  return printable(text)
    .replace(/[\ufffe\uffff]/g, '�')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
