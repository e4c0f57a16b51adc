import {errorMessage} from '../common/errorMessage.ts'
import {ContentDirectoryError} from '../git/openContentDirectory.ts'
import {GitError} from '../git/process.ts'
import {CANNOT_RUN, type Command, CommandError, type Console} from './command.ts'
import {printable} from './printable.ts'

/** Loaded when they are used, because most of their packages serve one command only. */
const COMMANDS: ReadonlyMap<string, () => Promise<{readonly command: Command}>> = new Map([
  ['check', () => import('./check/command.ts')],
  ['diff', () => import('./diff/command.ts')],
  ['test', () => import('./test/command.ts')],
  ['export', () => import('./export/command.ts')],
  ['new', () => import('./new/command.ts')],
  ['schema', () => import('./schema/command.ts')],
  ['import', () => import('./import/command.ts')],
])

const HELP = `Usage: content COMMAND [OPTIONS]

Commands:
  check [DIR]           find what is wrong in a content repository
  diff BASE [HEAD]      show what changes for visitors between two commits
  test [DIR]            call tools on the pages of a website, and judge what they return
  new [tool] [DIR]      write tools, made from a website, an API, a copied request or a recipe
  schema [DIR]          write JSON Schemas for editors, AGENTS.md and .gitignore
  export [DIR] FILE     write a content repository to a file for "sanity datasets import"
  import FILE [DIR]     commit a file of "sanity datasets export" to a content repository

"content COMMAND --help" lists the options of a command.
`

/** Runs a command of `content`. Returns its exit code. */
export async function run([name = '', ...args]: readonly string[], console: Console): Promise<number> {
  if (['', 'help', '--help', '-h'].includes(name)) {
    console.out(HELP)
    return name === '' ? CANNOT_RUN : 0
  }
  const load = COMMANDS.get(name)
  if (load === undefined) {
    console.error(`There is no command "${printable(name)}".\n\n${HELP}`)
    return CANNOT_RUN
  }
  const {command} = await load()
  if (args.includes('--help') || args.includes('-h')) {
    console.out(command.help)
    return 0
  }
  try {
    return await command.run(args, console)
  } catch (error) {
    if (!isExpected(error)) throw error
    console.error(`content ${name}: ${printable(errorMessage(error))}\n`)
    return CANNOT_RUN
  }
}

function isExpected(error: unknown): boolean {
  if (error instanceof CommandError || error instanceof ContentDirectoryError || error instanceof GitError)
    return true
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')
}
