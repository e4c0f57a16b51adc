import {parseArgs} from 'node:util'
import {fieldTitle} from '../../advice/diagnosis/titles.ts'
import {counted} from '../../common/text/counted.ts'
import {assertWorkTree, writeChanges} from '../changes.ts'
import {type Command, CommandError, type Console} from '../command.ts'
import {contentDirectory, folderInWorkflow} from '../directory.ts'
import {printable, printableJson} from '../printable.ts'
import {readIndex, readRevision} from '../source/gitFiles.ts'
import type {Source} from '../source/source.ts'
import {readWorkTree} from '../source/workTree.ts'
import {check, type Report, type ReportedFinding} from './check.ts'
import type {Severity} from './finding.ts'

const HELP = `Usage: content check [DIR] [OPTIONS]

Finds what is wrong in a content repository, without a lake: what Studio would refuse, what would not be served,
and what is probably not intended. Without DIR, it checks CONTENT_DIR, .handrail/content.git or the current directory.

  --ref REVISION   check a commit instead of the work tree; a bare repository is checked at HEAD otherwise
  --staged         check what the next commit will have
  --strict         treat warnings as errors
  --fix            first change the files where there is one right answer, such as a missing slash, and write them as
                   the lake does: long texts in files of their own, sorted keys
  --json           print JSON. On GitHub, there are annotations otherwise
  --help           print this help

Exit codes: 0 no errors, 1 errors, 2 wrong usage.
`

const OPTIONS = {
  ref: {type: 'string'},
  staged: {type: 'boolean', default: false},
  strict: {type: 'boolean', default: false},
  fix: {type: 'boolean', default: false},
  json: {type: 'boolean', default: false},
} as const

/** `content check`. */
export const command: Command = {help: HELP, run}

async function run(args: readonly string[], console: Console): Promise<number> {
  const {values, positionals} = parseArgs({args: [...args], options: OPTIONS, allowPositionals: true})
  if (positionals.length > 1) throw new CommandError('There can be only one directory.')
  if (values.ref !== undefined && values.staged) throw new CommandError('Use either --ref or --staged.')
  if (values.fix && (values.ref !== undefined || values.staged))
    throw new CommandError('--fix changes the files of the work tree: leave out --ref and --staged.')
  const directory = await contentDirectory(positionals[0], console)
  if (values.fix) await fix(directory, console)
  const source = await read(directory, values, console)
  const report = check(source)
  if (!values.json && console.environment.GITHUB_ACTIONS === 'true')
    console.out(githubReport(report, folderInWorkflow(console, directory)))
  console.out(values.json ? jsonReport(report) : textReport(report))
  return isAccepted(report, values.strict) ? 0 : 1
}

/** Changes the files of a work tree, and says what was done. */
async function fix(directory: string, console: Console): Promise<void> {
  await assertWorkTree(directory, 'fix')
  const {planFixes} = await import('./fix.ts')
  const {files, fixes} = planFixes(await readWorkTree(directory))
  await writeChanges(directory, files)
  for (const {path, title} of fixes) console.error(`${printable(path)}: ${printable(title)}\n`)
}

/** Reads what to check: a commit, the next commit, or the work tree. */
function read(
  directory: string,
  {ref, staged}: {readonly ref?: string | undefined; readonly staged: boolean},
  console: Console,
): Promise<Source> {
  // In a hook, Git says where the new objects and the index are, if it is about this repository.
  const inHook = directory === console.directory
  if (ref !== undefined) return readRevision(directory, ref, {inHook})
  return staged ? readIndex(directory, {inHook}) : readWorkTree(directory)
}

function isAccepted({findings}: Report, isStrict: boolean): boolean {
  return !findings.some(({severity}) => severity === 'error' || (isStrict && severity === 'warning'))
}

/** The version of the format. Members may be added to it; a change or a removal makes it another version. */
const VERSION = 1

/** The report for programs. `docs/content-check.md` describes it. */
function jsonReport({documents, findings}: Report): string {
  const count = (severity: string) => findings.filter((finding) => finding.severity === severity).length
  const counts = {errors: count('error'), warnings: count('warning'), infos: count('info')}
  return printableJson({version: VERSION, documents, ...counts, findings})
}

/** The report for a person: the findings of each file below its path. */
function textReport({documents, findings}: Report): string {
  const groups = Map.groupBy(findings, ({path}) => path)
  const files = Array.from(groups, ([path, group]) => {
    return `${printable(path)}\n${group.map(lineOf).join('')}\n`
  })
  return `${files.join('')}${summary(documents, findings)}\n`
}

function lineOf(finding: ReportedFinding): string {
  const {line, column, severity, code, message} = finding
  const place = line === undefined ? '' : `${line}:${column ?? 1}`
  return `  ${place.padEnd(7)} ${severity.padEnd(7)}  ${fieldOf(finding)}${printable(message)} (${code})\n`
}

function fieldOf({type, field}: ReportedFinding): string {
  return type === undefined || field === undefined ? '' : `${printable(fieldTitle(type, field))}: `
}

function summary(documents: number, findings: readonly ReportedFinding[]): string {
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length
  const counts = [
    counted(count('error'), 'error'),
    counted(count('warning'), 'warning'),
    counted(count('info'), 'hint'),
  ]
  const found = counts.filter((text) => !text.startsWith('0 '))
  return `${counted(documents, 'document')}: ${found.length === 0 ? 'nothing to report' : found.join(', ')}.`
}

/** GitHub's names of the severities. */
const COMMANDS = {error: 'error', warning: 'warning', info: 'notice'} as const

/**
 * The findings as workflow commands, which GitHub shows next to the lines of a pull request.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 * @param folder the directory of the content in the repository, such as `content/`; empty if it is the root
 */
function githubReport({findings}: Report, folder: string): string {
  return findings.map((finding) => `${commandOf(finding, folder)}\n`).join('')
}

function commandOf(finding: ReportedFinding, folder: string): string {
  const {severity, path, line, column: col, message, code, type, field} = finding
  const title = type === undefined || field === undefined ? code : `${fieldTitle(type, field)} (${code})`
  const properties = Object.entries({file: folder + path, line, col, title}).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${escapeProperty(String(value))}`,
  )
  return `::${COMMANDS[severity]} ${properties.join(',')}::${escapeData(message)}`
}

/** https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts */
function escapeData(text: string): string {
  return printable(text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'))
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
