import {parseArgs} from 'node:util'
import {counted, grouped} from '../../common/text/counted.ts'
import type {Document} from '../../content/document.ts'
import {readCommit} from '../../git/read/lsTree.ts'
import {type Command, CommandError, type Console} from '../command.ts'
import {contentDirectory} from '../directory.ts'
import {printable} from '../printable.ts'
import {describeCounts} from '../transfer/counts.ts'
import {
  DATASET_HELP,
  DATASET_OPTIONS,
  DATASET_PLACE,
  type Dataset,
  openDataset,
  readDataset,
} from '../transfer/dataset.ts'
import {DocumentGroups} from '../transfer/documentGroups.ts'
import {type Content, isEmptyDirectory, openFolder, readContent, readDrafts} from '../transfer/repository.ts'
import {fileNamed} from '../transfer/sources.ts'
import {writeDocuments} from './files.ts'
import {planExport, readRemotes} from './plan.ts'
import {mutate} from './upload.ts'

const HELP = `Usage: content export [DIR] TO [OPTIONS]

Exports the documents that are committed at HEAD of the content repository DIR. Without DIR, it is CONTENT_DIR,
.handrail/content.git or the current directory. No lake needs to run.

TO is one of
${DATASET_PLACE}
  FILE.tar.gz           an archive for "sanity datasets import"
  FILE.ndjson           one document per line, as JSON

Options:
${DATASET_HELP}
  --drafts              also export the drafts of the lake that uses DIR
  --replace             replace documents that have other content in the dataset, or the existing FILE
  --missing             keep documents that have other content in the dataset
  --prune               list published documents that only the dataset has
  --prune --yes         delete them
  --dry-run             only say what would be written

An export into a dataset can be repeated, and goes on where an earlier one stopped.

Exit code: 0 if all was exported; 1 if documents were left out that need attention; 2 if nothing was exported, or
the export stopped.
`

const OPTIONS = {
  ...DATASET_OPTIONS,
  drafts: {type: 'boolean', default: false},
  replace: {type: 'boolean', default: false},
  missing: {type: 'boolean', default: false},
  prune: {type: 'boolean', default: false},
  yes: {type: 'boolean', default: false},
  'dry-run': {type: 'boolean', default: false},
} as const

type Options = Readonly<Record<'replace' | 'missing' | 'prune' | 'yes' | 'dry-run', boolean>>

export const command: Command = {help: HELP, run}

async function run(args: readonly string[], console: Console): Promise<number> {
  const {values, positionals} = parseArgs({args: [...args], options: OPTIONS, allowPositionals: true})
  const to = positionals.at(-1)
  const [given, ...rest] = positionals.slice(0, -1)
  if (to === undefined || rest.length > 0) throw new CommandError('give TO, and at most one DIR: see --help')
  if (values.replace && values.missing) throw new CommandError('give --replace or --missing, not both')
  const directory = await contentDirectory(given, console)
  const leftOut = new DocumentGroups('Left out')
  const content = await readRepository(directory, values.drafts, leftOut)
  if (to === 'dataset') {
    const dataset = await openDataset(values, console)
    await exportToDataset(dataset, content.documents, values, leftOut, console)
  } else await exportToFile(fileNamed(to, 'TO', console), directory, content, values, console)
  console.out(String(leftOut))
  return leftOut.hasProblems ? 1 : 0
}

async function readRepository(
  directory: string,
  withDrafts: boolean,
  leftOut: DocumentGroups,
): Promise<Content> {
  if (await isEmptyDirectory(directory))
    throw new CommandError(`there is no content repository at ${directory}: give DIR, or set CONTENT_DIR`)
  const folder = await openFolder(directory)
  const content = await readContent(folder)
  for (const {path, reason} of content.invalid)
    leftOut.add('files that are not valid documents', `${path}: ${reason}`, true)
  if (!withDrafts) return content
  return {...content, documents: new Map([...content.documents, ...(await readDrafts(folder))])}
}

async function exportToFile(
  path: string,
  directory: string,
  {head, documents}: Content,
  {replace, 'dry-run': isDryRun}: Options,
  console: Console,
): Promise<void> {
  const sorted = [...documents.values()].sort((a, b) => (a._id < b._id ? -1 : 1))
  const seconds = head === undefined ? 0 : (await readCommit(directory, head)).seconds
  if (!isDryRun) await writeDocuments(path, sorted, {date: new Date(seconds * 1000), mayReplace: replace})
  console.out(`${doneBy(isDryRun)} ${counted(sorted.length, 'document')} to ${path}.\n`)
}

async function exportToDataset(
  dataset: Dataset,
  documents: ReadonlyMap<string, Document>,
  options: Options,
  leftOut: DocumentGroups,
  console: Console,
): Promise<void> {
  const {replace, missing, prune, yes, 'dry-run': isDryRun} = options
  const remotes = await readRemotes(readDataset(dataset, console))
  const {writes, different, unchanged, surplus} = planExport(documents, remotes, leftOut)
  if (different.length > 0 && !replace && !missing && !isDryRun)
    throw new CommandError(
      `${counted(different.length, 'document')} of ${dataset.label} have other content, such as ${different[0]}: replace them with --replace, or keep them with --missing. Nothing was exported`,
    )
  const kept = new Set(replace ? [] : different)
  const operation = replace ? 'createOrReplace' : 'createIfNotExists'
  const groups = writes.map((group) => {
    const written = group.filter(({_id}) => !kept.has(_id))
    return written.map(({_rev, ...document}) => ({[operation]: document}))
  })
  if (!isDryRun) await mutate(dataset, groups, 'written', console)
  const counts = {
    created: writes.flat().length - different.length,
    replaced: different.length - kept.size,
    kept: kept.size,
    unchanged,
  }
  const said = describeCounts(doneBy(isDryRun), `to ${dataset.label}`, counts)
  console.out(`${said}; ${grouped(surplus.length)} only there.\n`)
  if (!prune) return
  for (const id of surplus) console.out(`  only in the dataset: ${printable(id)}\n`)
  if (surplus.length === 0) return
  if (!yes || isDryRun) console.out('Nothing was deleted: --prune --yes deletes these documents.\n')
  else {
    const deletions = surplus.map((id) => [{delete: {id}}])
    await mutate(dataset, deletions, 'deleted', console)
    console.out(`Deleted ${counted(surplus.length, 'document')}.\n`)
  }
}

function doneBy(isDryRun: boolean): string {
  return isDryRun ? 'Would export' : 'Exported'
}
