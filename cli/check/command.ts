import {parseArgs} from 'node:util'
import {assertWorkTree, writeChanges} from '../changes.ts'
import {type Command, CommandError, type Console} from '../command.ts'
import {contentDirectory, folderInWorkflow} from '../directory.ts'
import {printable} from '../printable.ts'
import {readIndex, readRevision} from '../source/gitFiles.ts'
import type {Source} from '../source/source.ts'
import {readWorkTree} from '../source/workTree.ts'
import {check, type Report} from './check.ts'
import {githubReport} from './report/github.ts'
import {jsonReport} from './report/json.ts'
import {textReport} from './report/text.ts'

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
