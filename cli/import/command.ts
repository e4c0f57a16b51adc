import {access} from 'node:fs/promises'
import {basename, resolve} from 'node:path'
import {parseArgs} from 'node:util'
import {errorCode} from '../../common/errorCode.ts'
import type {JsonObject} from '../../common/json.ts'
import {counted, grouped} from '../../common/text/counted.ts'
import type {ContentDirectory} from '../../git/contentDirectory.ts'
import {HANDRAIL} from '../../git/objects/commitObject.ts'
import {git} from '../../git/process.ts'
import {type Command, CommandError, type Console} from '../command.ts'
import {commitFiles} from '../commitFiles.ts'
import {DEFAULT_DIRECTORY, refuseEmbedded} from '../directory.ts'
import {moveBranch} from '../moveBranch.ts'
import {describeCounts} from '../transfer/counts.ts'
import {DATASET_HELP, DATASET_OPTIONS, DATASET_PLACE, openDataset, readDataset} from '../transfer/dataset.ts'
import {DocumentGroups} from '../transfer/documentGroups.ts'
import {progressOf} from '../transfer/progress.ts'
import {fileNamed, readFile} from '../transfer/sources.ts'
import {writeDrafts} from './drafts.ts'
import {planImport} from './plan.ts'
import {openTarget} from './target.ts'

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
  const {missing, drafts: withDrafts, 'dry-run': isDryRun} = values
  const leftOut = new DocumentGroups('Left out')
  const source = await openSource(from, values, console, leftOut)
  const {folder, head, known, drafts} = await openTarget(directory, {withDrafts, isDryRun})
  try {
    const plan = planImport(await readAll(source, console), known, values, leftOut)
    const {writes, kept, unchanged} = plan
    if (folder !== undefined && !isDryRun && writes.size > 0) {
      const files = new Map([...writes.values()].flatMap((write) => [...write.files]))
      const message = `Import ${counted(writes.size, 'document')} from ${source.label}\n`
      await commit(folder, head, files, message)
    }
    const revisionOf = (id: string) => writes.get(id)?.revision ?? known.documents.get(id)?._rev
    const draftCounts = drafts && writeDrafts(drafts, plan.drafts, missing, revisionOf)
    const replaced = [...writes.keys()].filter((id) => known.documents.has(id)).length
    const counts = {created: writes.size - replaced, replaced, kept, unchanged}
    const done = isDryRun ? 'Would import' : 'Imported'
    console.out(`${describeCounts(done, `from ${source.label} into ${directory}`, counts)}.\n`)
    if (draftCounts !== undefined)
      console.out(
        `Drafts: ${grouped(draftCounts.written)} written, ${grouped(draftCounts.kept)} kept, ${grouped(draftCounts.unchanged)} unchanged.\n`,
      )
    console.out(`${leftOut}${plan.broken}`)
    return leftOut.hasProblems ? 1 : 0
  } finally {
    await drafts?.close()
  }
}

async function openSource(
  from: string,
  flags: Parameters<typeof openDataset>[0],
  console: Console,
  leftOut: DocumentGroups,
): Promise<Source> {
  if (from === 'dataset') {
    const dataset = await openDataset(flags, console)
    return {label: dataset.label, documents: readDataset(dataset, console)}
  }
  const path = fileNamed(from, 'FROM', console)
  await access(path).catch((error: unknown) => {
    throw new CommandError(`${path} cannot be read (${errorCode(error)})`)
  })
  const onAsset = () => leftOut.add('files of assets: use addresses of files on your website', '', false)
  return {label: basename(from), documents: readFile(path, onAsset)}
}

async function readAll({documents}: Source, console: Console): Promise<JsonObject[]> {
  const progress = progressOf(console, 'read')
  const read: JsonObject[] = []
  for await (const document of documents) {
    read.push(document)
    progress()
  }
  return read
}

/** Commits files, and moves the branch there. */
async function commit(
  folder: ContentDirectory,
  parent: string | undefined,
  files: Map<string, string | undefined>,
  message: string,
): Promise<void> {
  const committer = await git(folder.root, ['var', 'GIT_COMMITTER_IDENT']).catch(
    () => `${HANDRAIL.name} <${HANDRAIL.email}> ${Math.floor(Date.now() / 1_000)} +0000`,
  )
  const made = await commitFiles(folder.root, files, {parent, message, committer: committer.trim()})
  await moveBranch(folder, parent, made, {action: 'import', done: 'imported'})
}
