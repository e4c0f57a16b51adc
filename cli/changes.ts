import {mkdir, rm, writeFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {git} from '../git/process.ts'
import {CommandError} from './command.ts'
import type {DocumentFiles} from './documents.ts'

/** Files that a command writes: the new content by path; undefined if the file is deleted. */
export type FileChanges = ReadonlyMap<string, string | undefined>

/** What differs between the files of a document and those that it has afterwards. */
export function changesOf({files}: DocumentFiles, after: ReadonlyMap<string, string>): FileChanges {
  const changes = new Map<string, string | undefined>()
  for (const [path, content] of files) {
    const text = after.get(path)
    if (Buffer.isBuffer(content) && !content.equals(Buffer.from(text ?? ''))) changes.set(path, text)
  }
  for (const [path, text] of after) if (!files.has(path)) changes.set(path, text)
  return changes
}

/** @throws CommandError if the directory is no work tree, in which files could be written */
export async function assertWorkTree(directory: string, what: string): Promise<void> {
  if ((await git(directory, ['rev-parse', '--is-inside-work-tree'])).trim() !== 'true')
    throw new CommandError(`${directory} has no work tree: clone it, ${what} the clone, and push.`)
}

export async function writeChanges(directory: string, changes: FileChanges): Promise<void> {
  for (const [path, text] of changes) {
    const file = join(directory, path)
    if (text === undefined) await rm(file)
    else {
      await mkdir(dirname(file), {recursive: true})
      await writeFile(file, text)
    }
  }
}
