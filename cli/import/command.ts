import {access} from 'node:fs/promises'
import {basename, resolve} from 'node:path'
import {parseArgs} from 'node:util'
import {errorCode} from '../../common/errorCode.ts'
import type {JsonObject} from '../../common/json.ts'
import {counted, grouped} from '../../common/text/counted.ts'
import {UniqueValues} from '../../content/uniqueValues.ts'
import {DETACHED, readBranch} from '../../git/branch.ts'
import {HANDRAIL} from '../../git/objects/commitObject.ts'
import {openRepository} from '../../git/openContentDirectory.ts'
import {git} from '../../git/process.ts'
import {changedEntries} from '../../git/read/trees.ts'
import {UNIQUE_RULES} from '../../schemas/unique.ts'
import {type Command, CommandError, type Console} from '../command.ts'
import {DEFAULT_DIRECTORY, refuseEmbedded} from '../directory.ts'
import {printable} from '../printable.ts'
import {fileNamed, readFile} from '../transfer/file.ts'
import {isEmptyDirectory, readContent} from '../transfer/repository.ts'
import {commitFiles} from './commitFiles.ts'
import {moveBranch} from './moveBranch.ts'
import {planImport} from './plan.ts'

const HELP = `Usage: content import FILE [DIR] [--dry-run]

Commits documents to the content repository DIR, by default CONTENT_DIR. Creates the repository if DIR is
missing or empty. FILE is an archive of "sanity datasets export", FILE.tar.gz, or has one document per line as
JSON, FILE.ndjson. With --dry-run, the command only says what it would import.

Exit code: 0 if all was imported; 1 if documents were left out that need attention; 2 if nothing was imported.
`

const OPTIONS = {'dry-run': {type: 'boolean', default: false}} as const

/** Maximum documents that are named per reason. */
const MAX_NAMED = 20

export const command: Command = {help: HELP, run}

async function run(args: readonly string[], console: Console): Promise<number> {
  const {values, positionals} = parseArgs({args: [...args], options: OPTIONS, allowPositionals: true})
  const isDryRun = values['dry-run']
  const [from, given = console.environment.CONTENT_DIR || DEFAULT_DIRECTORY, ...rest] = positionals
  if (from === undefined || rest.length > 0)
    throw new CommandError('give FILE, and at most one DIR: see --help')
  const path = fileNamed(from, console)
  const directory = resolve(console.directory, given)
  await refuseEmbedded(directory)
  await access(path).catch((error: unknown) => {
    throw new CommandError(`${path} cannot be read (${errorCode(error)})`)
  })
  const target = await openTarget(directory, isDryRun)
  const source: JsonObject[] = []
  for await (const document of readFile(path)) source.push(document)
  const {files, counts, leftOut} = planImport(source, target)
  const {created, replaced, unchanged} = counts
  const written = counted(created + replaced, 'document')
  if (target.folder !== undefined && !isDryRun && files.size > 0) {
    const {folder, head} = target
    const committer = await git(folder.root, ['var', 'GIT_COMMITTER_IDENT']).catch(
      () => `${HANDRAIL.name} <${HANDRAIL.email}> ${Math.floor(Date.now() / 1_000)} +0000`,
    )
    const message = `Import ${written} from ${basename(path)}\n`
    const commit = await commitFiles(folder.root, files, {parent: head, message, committer: committer.trim()})
    await moveBranch(folder, head, commit)
  }
  console.out(
    `${isDryRun ? 'Would import' : 'Imported'} ${written} into ${directory}: ${grouped(created)} new, ${grouped(replaced)} replaced, ${grouped(unchanged)} unchanged.\n`,
  )
  for (const [reason, group] of Map.groupBy(leftOut, (one) => one.reason)) {
    const names = group.slice(0, MAX_NAMED).map(({name}) => `\n  ${printable(name)}`)
    const more = group.length > MAX_NAMED ? `\n  … and ${group.length - MAX_NAMED} more` : ''
    console.out(`Left out: ${group.length} ${reason}${names.join('')}${more}\n`)
  }
  return leftOut.some(({isProblem}) => isProblem) ? 1 : 0
}

/** Opens the repository, and creates a missing one except for a dry run. */
async function openTarget(directory: string, isDryRun: boolean) {
  const unique = new UniqueValues(UNIQUE_RULES)
  if (isDryRun && (await isEmptyDirectory(directory))) return {documents: new Map(), paths: [], unique}
  const folder = await openRepository(directory)
  if ((await readBranch(folder.gitDir)) === undefined)
    throw new CommandError(
      `nothing was imported: ${folder.isBare ? DETACHED : `${directory} has no branch checked out`}`,
    )
  const {head, documents} = await readContent(folder)
  const files = head === undefined ? undefined : await changedEntries(folder.root, undefined, head)
  for (const [id, document] of documents) unique.put(id, document)
  return {folder, head, documents, unique, paths: [...(files?.after.keys() ?? [])]}
}
