import {parseArgs} from 'node:util'
import {compare} from '../../advice/changes/compare.ts'
import {type Command, CommandError, type Console} from '../command.ts'
import {contentDirectory} from '../directory.ts'
import {printableJson} from '../printable.ts'
import {readRevision} from '../source/gitFiles.ts'
import {readWorkTree} from '../source/workTree.ts'
import {markdown} from './markdown.ts'
import {readSnapshot} from './snapshot.ts'

const HELP = `Usage: content diff BASE [HEAD] [OPTIONS]

Shows what changes for visitors between two commits: which tools come, go or change on which pages, and how. It prints
Markdown for a pull request. Without HEAD, it compares BASE with the work tree, or with the newest commit of
a bare repository.

  --dir DIR     the content repository; by default CONTENT_DIR, .handrail/content.git or the current directory
  --json        print JSON
  --help        print this help

Exit codes: 0 compared, 2 wrong usage or no such commit.
`

const OPTIONS = {
  dir: {type: 'string'},
  json: {type: 'boolean', default: false},
} as const

/** The version of the JSON format. Members may be added to it. */
const VERSION = 1

/** `content diff`. */
export const command: Command = {help: HELP, run}

async function run(args: readonly string[], console: Console): Promise<number> {
  const {values, positionals} = parseArgs({args: [...args], options: OPTIONS, allowPositionals: true})
  const [base, head, more] = positionals
  if (base === undefined || more !== undefined) throw new CommandError('Name one commit or two.')
  const directory = await contentDirectory(values.dir, console)
  const options = {inHook: directory === console.directory}
  const [before, after] = await Promise.all([
    readRevision(directory, base, options),
    head === undefined ? readWorkTree(directory) : readRevision(directory, head, options),
  ])
  const sites = compare(readSnapshot(before), readSnapshot(after))
  console.out(values.json ? printableJson({version: VERSION, sites}) : markdown(sites))
  return 0
}
