import {access} from 'node:fs/promises'
import {basename, resolve} from 'node:path'
import {parseArgs} from 'node:util'
import {errorCode} from '../../common/errorCode.ts'
import type {JsonObject} from '../../common/json.ts'
import {Layout} from '../../lake/documents/layout/layout.ts'
import {findPause} from '../../lake/git/branch.ts'
import type {ContentDirectory} from '../../lake/git/contentDirectory.ts'
import {type Command, CommandError, type Console} from '../command.ts'
import {openDataset, readDataset} from '../transfer/dataset.ts'
import {LeftOut} from '../transfer/leftOut.ts'
import {counted, Progress} from '../transfer/progress.ts'
import {type Content, isEmptyDirectory, openFolder, readContent} from '../transfer/repository.ts'
import {isArchive, isNdjson, readFile} from '../transfer/sources.ts'
import {adopt} from './adopt.ts'
import {commitWrites} from './commits.ts'
import {Tally, type Write, writesFor} from './writes.ts'

const HELP = `Usage: content import FROM [DIR] [OPTIONS]

Commits documents to the content repository DIR, by default CONTENT_DIR. Creates the repository if DIR is
missing or empty.

FROM is one of
  dataset               a dataset of hosted Sanity or of a lake, found by the same environment variables as the
                        service's: SANITY_PROJECT_ID, SANITY_DATASET, SANITY_API_HOST, SANITY_API_TOKEN
  FILE.tar.gz           an archive of "sanity datasets export"
  FILE.ndjson           one document per line, as JSON

Options:
  --project ID          instead of SANITY_PROJECT_ID
  --dataset NAME        instead of SANITY_DATASET
  --missing             keep documents that DIR has with other content, instead of replacing them
  --dry-run             only say what would be imported

Exit code: 0 if all was imported; 1 if documents were left out that need attention; 2 if nothing was imported.
`

const OPTIONS = {
  project: {type: 'string'},
  dataset: {type: 'string'},
  missing: {type: 'boolean', default: false},
  'dry-run': {type: 'boolean', default: false},
} as const

export const command: Command = {help: HELP, run}

type Source = {readonly label: string; readonly documents: AsyncIterable<JsonObject>}

async function run(args: readonly string[], console: Console): Promise<number> {
  const {values, positionals} = parseArgs({args: [...args], options: OPTIONS, allowPositionals: true})
  const [from, given = console.environment.CONTENT_DIR || '.handrail/content', ...rest] = positionals
  if (from === undefined || rest.length > 0)
    throw new CommandError('give FROM, and at most one DIR: see --help')
  const directory = resolve(console.directory, given)
  const leftOut = new LeftOut()
  const source = await openSource(from, values, console, leftOut)
  const isDryRun = values['dry-run']
  const target = await openTarget(directory, isDryRun)
  const tally = new Tally(leftOut, false)
  const defaultDate = Math.floor(Date.now() / 1000)
  const known = {layout: Layout.ONE_FILE, documents: target.content.documents}
  const documents = reported(source.documents, new Progress(console, 'read'))
  const writes = writesFor(documents, known, {missingOnly: values.missing, defaultDate}, tally)
  if (target.folder === undefined || isDryRun) await countAll(writes)
  else await importWrites(target.folder, target.content.head, writes, source.label)
  console.out(report(tally, source.label, directory, isDryRun))
  return leftOut.hasProblems ? 1 : 0
}

async function openSource(
  from: string,
  flags: {readonly project?: string | undefined; readonly dataset?: string | undefined},
  console: Console,
  leftOut: LeftOut,
): Promise<Source> {
  if (from === 'dataset') {
    const dataset = await openDataset(flags, console.environment, (line) => console.error(`${line}\n`))
    return {label: dataset.label, documents: readDataset(dataset)}
  }
  if (!isArchive(from) && !isNdjson(from))
    throw new CommandError(
      `FROM must be "dataset", or a file that ends with .tar.gz or .ndjson: not "${from}"`,
    )
  const path = resolve(console.directory, from)
  await access(path).catch((error: unknown) => {
    throw new CommandError(`${path} cannot be read (${errorCode(error)})`)
  })
  const onAsset = () => leftOut.add('files of assets: use addresses of files on your website', '', false)
  return {label: basename(from), documents: readFile(path, onAsset)}
}

type Target = {readonly folder: ContentDirectory | undefined; readonly content: Content}

/** Creates a missing repository, except for a dry run. */
async function openTarget(directory: string, isDryRun: boolean): Promise<Target> {
  const isNew = await isEmptyDirectory(directory)
  if (isNew && isDryRun)
    return {folder: undefined, content: {head: undefined, documents: new Map(), invalid: []}}
  const folder = await openFolder(directory)
  const pause = await findPause(folder)
  if (pause !== undefined) throw new CommandError(`nothing was imported. ${pause.message}`)
  return {folder, content: await readContent(folder)}
}

async function importWrites(
  folder: ContentDirectory,
  parent: string | undefined,
  writes: AsyncIterable<Write>,
  label: string,
): Promise<void> {
  const commit = await commitWrites({folder, parent, seed: new Map(), origin: `from ${label}`}, writes)
  if (commit !== undefined) await adopt(folder, parent, commit)
}

async function* reported<T>(items: AsyncIterable<T>, progress: Progress): AsyncGenerator<T> {
  for await (const item of items) {
    progress.add()
    yield item
  }
}

async function countAll(writes: AsyncIterable<Write>): Promise<void> {
  for await (const _write of writes);
}

function report(tally: Tally, label: string, directory: string, isDryRun: boolean): string {
  const {created, replaced, kept, unchanged, leftOut} = tally
  const counts = `${created} new, ${replaced} replaced, ${kept} kept, ${unchanged} unchanged`
  const verb = isDryRun ? 'Would import' : 'Imported'
  const total = counted(created + replaced, 'document')
  return `${verb} ${total} from ${label} into ${directory}: ${counts}.\n${leftOut}`
}
