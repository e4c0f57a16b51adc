import {access} from 'node:fs/promises'
import {basename, resolve} from 'node:path'
import {parseArgs} from 'node:util'
import {errorCode} from '../../common/errorCode.ts'
import type {JsonObject} from '../../common/json.ts'
import {counted, grouped} from '../../common/text/counted.ts'
import {LAYOUT_FILE} from '../../content/layout/layout.ts'
import type {ContentDirectory} from '../../git/contentDirectory.ts'
import {type Command, CommandError, type Console} from '../command.ts'
import {DEFAULT_DIRECTORY, refuseEmbedded} from '../directory.ts'
import {STANDARD_LAYOUT} from '../layout.ts'
import {moveBranch} from '../moveBranch.ts'
import {DATASET_HELP, DATASET_OPTIONS, DATASET_PLACE, openDataset, readDataset} from '../transfer/dataset.ts'
import {DocumentGroups} from '../transfer/documentGroups.ts'
import {Progress} from '../transfer/progress.ts'
import {isArchive, isNdjson, readFile} from '../transfer/sources.ts'
import {commitWrites} from './commits.ts'
import type {DraftCounts} from './drafts.ts'
import {openTarget} from './target.ts'
import {Tally, type Write, writesFor} from './writes.ts'

const HELP = `Usage: content import FROM [DIR] [OPTIONS]

Commits documents to the content repository DIR, by default CONTENT_DIR. Creates the repository if DIR is
missing or empty.

FROM is one of
${DATASET_PLACE}
  FILE.tar.gz           an archive of "sanity datasets export"
  FILE.ndjson           one document per line, as JSON

Options:
${DATASET_HELP}
  --drafts              also import drafts, into the journal of DIR. No lake may be running on it
  --missing             keep documents that DIR has with other content, instead of replacing them
  --dry-run             only say what would be imported

Exit code: 0 if all was imported; 1 if documents were left out that need attention; 2 if nothing was imported.
`

const OPTIONS = {
  ...DATASET_OPTIONS,
  drafts: {type: 'boolean', default: false},
  missing: {type: 'boolean', default: false},
  'dry-run': {type: 'boolean', default: false},
} as const

export const command: Command = {help: HELP, run}

type Source = {readonly label: string; readonly documents: AsyncIterable<JsonObject>}

async function run(args: readonly string[], console: Console): Promise<number> {
  const {values, positionals} = parseArgs({args: [...args], options: OPTIONS, allowPositionals: true})
  const [from, given = console.environment.CONTENT_DIR || DEFAULT_DIRECTORY, ...rest] = positionals
  if (from === undefined || rest.length > 0)
    throw new CommandError('give FROM, and at most one DIR: see --help')
  const directory = resolve(console.directory, given)
  await refuseEmbedded(directory)
  const {missing: missingOnly, drafts: withDrafts, 'dry-run': isDryRun} = values
  const leftOut = new DocumentGroups('Left out')
  const source = await openSource(from, values, console, leftOut)
  const {folder, content, drafts} = await openTarget(directory, {withDrafts, isDryRun})
  try {
    const tally = new Tally(leftOut, withDrafts)
    const documents = reported(source.documents, new Progress(console, 'read'))
    const writes = writesFor(documents, content, missingOnly, tally)
    const leaveOut = () => {
      tally.leaveOutDraftsOfOtherTypes((id) => content.documents.get(id)?._type ?? drafts?.typeOf(id))
      return tally.leaveOutReferrers(content.documents)
    }
    if (folder === undefined || isDryRun) {
      await countAll(writes)
      leaveOut()
    } else await importWrites(folder, content.head, writes, leaveOut, source.label)
    const revisionOf = (id: string) => tally.revisions.get(id) ?? content.documents.get(id)?._rev
    const draftCounts = await drafts?.write(tally.drafts ?? [], missingOnly, revisionOf)
    console.out(report(tally, source.label, directory, isDryRun))
    if (draftCounts !== undefined) console.out(draftReport(draftCounts))
    console.out(`${leftOut}${tally.broken}`)
    return leftOut.hasProblems ? 1 : 0
  } finally {
    await drafts?.close()
  }
}

async function openSource(
  from: string,
  flags: {readonly project?: string | undefined; readonly dataset?: string | undefined},
  console: Console,
  leftOut: DocumentGroups,
): Promise<Source> {
  if (from === 'dataset') {
    const dataset = await openDataset(flags, console)
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

async function importWrites(
  folder: ContentDirectory,
  parent: string | undefined,
  writes: AsyncIterable<Write>,
  leftOut: () => ReadonlySet<string>,
  label: string,
): Promise<void> {
  const seed = new Map([[LAYOUT_FILE, `${JSON.stringify(STANDARD_LAYOUT, null, 2)}\n`]])
  const commit = await commitWrites({folder, parent, seed, leftOut, origin: `from ${label}`}, writes)
  if (commit !== undefined) await moveBranch(folder, parent, commit, {action: 'import', done: 'imported'})
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
  const {created, replaced, kept, unchanged} = tally
  const counts = `${grouped(created)} new, ${grouped(replaced)} replaced, ${grouped(kept)} kept, ${grouped(unchanged)} unchanged`
  const verb = isDryRun ? 'Would import' : 'Imported'
  return `${verb} ${counted(created + replaced, 'document')} from ${label} into ${directory}: ${counts}.\n`
}

function draftReport({written, kept, unchanged}: DraftCounts): string {
  return `Drafts: ${grouped(written)} written, ${grouped(kept)} kept, ${grouped(unchanged)} unchanged.\n`
}
