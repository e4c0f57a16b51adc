import {createWriteStream, existsSync} from 'node:fs'
import {rename, rm} from 'node:fs/promises'
import {basename} from 'node:path'
import {Readable} from 'node:stream'
import {pipeline} from 'node:stream/promises'
import {parseArgs} from 'node:util'
import {createGzip} from 'node:zlib'
import {packTar} from 'modern-tar/fs'
import {errorMessage} from '../../common/errorMessage.ts'
import {counted} from '../../common/text/counted.ts'
import {openRepository} from '../../git/openContentDirectory.ts'
import {type Command, CommandError, type Console} from '../command.ts'
import {contentDirectory} from '../directory.ts'
import {printable} from '../printable.ts'
import {fileNamed, isArchive} from '../transfer/file.ts'
import {isEmptyDirectory, readContent} from '../transfer/repository.ts'

const HELP = `Usage: content export [DIR] FILE

Writes the documents that are committed at HEAD of the content repository DIR to a file for "sanity datasets
import": FILE.tar.gz, an archive, or FILE.ndjson, one document per line. Without DIR, it is CONTENT_DIR,
.handrail/content.git or the current directory. No lake needs to run.

Exit code: 0 if all was exported; 1 if documents were left out that need attention; 2 if nothing was exported.
`

export const command: Command = {help: HELP, run}

async function run(args: readonly string[], console: Console): Promise<number> {
  const {positionals} = parseArgs({args: [...args], options: {}, allowPositionals: true})
  const file = positionals.at(-1)
  const [given, ...rest] = positionals.slice(0, -1)
  if (file === undefined || rest.length > 0)
    throw new CommandError('give FILE, and at most one DIR: see --help')
  const path = fileNamed(file, console)
  const directory = await contentDirectory(given, console)
  if (await isEmptyDirectory(directory))
    throw new CommandError(`there is no content repository at ${directory}: give DIR, or set CONTENT_DIR`)
  const {seconds, documents, invalid} = await readContent(await openRepository(directory))
  const sorted = [...documents.values()].sort((a, b) => (a._id < b._id ? -1 : 1))
  const lines = sorted.map((document) => `${JSON.stringify(document)}\n`)
  await write(path, lines, new Date(seconds * 1_000))
  console.out(`Exported ${counted(sorted.length, 'document')} to ${path}.\n`)
  if (invalid.length > 0) console.out(`Left out: ${counted(invalid.length, 'invalid file')}\n`)
  for (const one of invalid) console.out(`  ${printable(one.path)}: ${one.reason}\n`)
  return invalid.length > 0 ? 1 : 0
}

/**
 * The file appears when it is complete.
 * @param mtime of the files in an archive, so that one commit always gives the same archive
 */
async function write(path: string, lines: readonly string[], mtime: Date): Promise<void> {
  if (existsSync(path)) throw new CommandError(`${path} exists: choose another name, or delete it`)
  const temporary = `${path}.${process.pid}.partial`
  try {
    const file = createWriteStream(temporary, {flags: 'wx'})
    if (isArchive(path)) await pipeline(archive(basename(path), lines, mtime), createGzip(), file)
    else await pipeline(Readable.from(lines), file)
    await rename(temporary, path)
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${errorMessage(error)}`)
  } finally {
    await rm(temporary, {force: true})
  }
}

/** The layout of `@sanity/export`. */
function archive(name: string, lines: readonly string[], mtime: Date): Readable {
  const folder = name.replace(/\.(tar\.gz|tgz)$/i, '')
  return packTar([
    {type: 'content', target: `${folder}/data.ndjson`, content: lines.join(''), mtime},
    {type: 'content', target: `${folder}/assets.json`, content: '{}', mtime},
  ])
}
