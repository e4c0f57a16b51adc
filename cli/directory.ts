import {existsSync, realpathSync} from 'node:fs'
import {dirname, join, relative, resolve, sep} from 'node:path'
import {git} from '../git/process.ts'
import {CommandError, type Console} from './command.ts'
import {printable} from './printable.ts'

/** Where `npm start` keeps the content unless `CONTENT_DIR` is set. */
export const DEFAULT_DIRECTORY = '.handrail/content.git'

/**
 * The content repository: as given, else `CONTENT_DIR`, else that of `npm start`, else the current directory. Which of the last
 * three it is is printed.
 * @throws CommandError if Git would obey settings that are part of the content
 */
export async function contentDirectory(given: string | undefined, console: Console): Promise<string> {
  const {directory, environment} = console
  const named = given ?? (environment.CONTENT_DIR || undefined)
  const seeded = resolve(directory, DEFAULT_DIRECTORY)
  const chosen =
    named !== undefined
      ? resolve(directory, named)
      : existsSync(seeded) && (await embeddedIn(seeded)) === undefined
        ? seeded
        : directory
  await refuseEmbedded(chosen)
  if (given === undefined && chosen !== directory) console.error(`The content is in ${printable(chosen)}.\n`)
  return chosen
}

/** @throws CommandError if Git would obey settings that are part of the content */
export async function refuseEmbedded(directory: string): Promise<void> {
  const embedded = await embeddedIn(directory)
  if (embedded !== undefined)
    throw new CommandError(
      `${embedded} looks like a Git repository, but its files are part of another one. Git would run commands that its "config" names: delete HEAD and refs there.`,
    )
}

/**
 * The folder, at or above a directory, that Git takes for a bare repository although another repository tracks it: a
 * pull request can add one. https://git-scm.com/docs/git-config#Documentation/git-config.txt-safebareRepository
 */
async function embeddedIn(directory: string): Promise<string | undefined> {
  let bare: string | undefined
  for (let at = existsSync(directory) ? realpathSync(directory) : directory; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return bare !== undefined && (await tracks(at, bare)) ? bare : undefined
    if (looksBare(at)) bare ??= at
    if (at === dirname(at)) return undefined
  }
}

/** Git also asks what they contain. https://github.com/git/git/blob/master/setup.c: is_git_directory */
function looksBare(directory: string): boolean {
  const [head, refs, common] = ['HEAD', 'refs', 'commondir'].map((name) => existsSync(join(directory, name)))
  return head === true && (refs === true || common === true)
}

async function tracks(root: string, path: string): Promise<boolean> {
  const list = ['-c', 'core.fsmonitor=false', 'ls-files', '-z', '--', relative(root, path)]
  return (await git(root, list)) !== ''
}

/** The path of the content in the checked-out repository of a workflow, such as `content/`. */
export function folderInWorkflow({environment, directory: current}: Console, directory: string): string {
  const path = relative(environment.GITHUB_WORKSPACE || current, directory)
  if (path === '' || path.startsWith('..')) return ''
  return `${path.split(sep).join('/')}/`
}
