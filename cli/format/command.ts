import {parseArgs} from 'node:util'
import {git} from '../../git/process.ts'
import {readHead} from '../../git/read/lsTree.ts'
import {assertWorkTree, writeChanges} from '../changes.ts'
import {type Command, CommandError, type Console} from '../command.ts'
import {commitFiles} from '../commitFiles.ts'
import {contentDirectory} from '../directory.ts'
import {moveBranch} from '../moveBranch.ts'
import {printable} from '../printable.ts'
import {readRevision} from '../source/gitFiles.ts'
import {type FormatPlan, planFormat} from './plan.ts'

const HELP = `Usage: content format [DIR] [OPTIONS]

Writes every document of a content repository as the lake would write it: long texts in files of their own,
and sorted keys. All changes are one commit, which "git revert" undoes.
Nothing changes for visitors, and documents keep their revisions.

  --no-commit   only write the files
  --pretty      indent JSON Schemas, too; their documents get new revisions
  --help        print this help

Exit codes: 0 formatted, or nothing to do; 1 some documents are invalid and were left as they are; 2 wrong usage,
uncommitted changes, or a failure of Git.
`

const OPTIONS = {
  'no-commit': {type: 'boolean', default: false},
  pretty: {type: 'boolean', default: false},
} as const

/** The message of the commit. */
const MESSAGE = `Format the content

Long texts are files of their own, and keys are sorted. What is served stays the same.
`

/** `content format`. */
export const command: Command = {help: HELP, run}

async function run(args: readonly string[], console: Console): Promise<number> {
  const {values, positionals} = parseArgs({args: [...args], options: OPTIONS, allowPositionals: true})
  if (positionals.length > 1) throw new CommandError('There can be only one directory.')
  const directory = await contentDirectory(positionals[0], console)
  await assertWorkTree(directory, 'format')
  const status = await git(directory, ['status', '--porcelain', '--untracked-files=normal', '--', '.'])
  if (status !== '') {
    const first = printable(status.split('\n', 1)[0] ?? '')
    throw new CommandError(`There are uncommitted changes (${first}): commit or discard them first.`)
  }
  const head = await readHead(directory)
  if (head === undefined) throw new CommandError('The repository has no commit yet.')
  const plan = planFormat(await readRevision(directory, head, {}), values.pretty)
  if (plan.files.size > 0) {
    if (values['no-commit']) await writeChanges(directory, plan.files)
    else {
      const committer = (await git(directory, ['var', 'GIT_COMMITTER_IDENT'])).trim()
      const commit = await commitFiles(directory, plan.files, {parent: head, message: MESSAGE, committer})
      // An editor may have published meanwhile.
      await moveBranch({root: directory, isBare: false}, head, commit, {action: 'format', done: 'formatted'})
    }
  }
  console.out(describe(plan))
  return plan.leftOut.length > 0 ? 1 : 0
}

function describe({files, documents, leftOut}: FormatPlan): string {
  const lines = leftOut.map(({path, reason}) => `${printable(path)} stays as it is: ${printable(reason)}\n`)
  const done =
    files.size === 0
      ? 'Nothing to format.\n'
      : `Formatted ${documents.toLocaleString('en-US')} documents (${files.size.toLocaleString('en-US')} files).\n`
  return `${lines.join('')}${done}`
}
