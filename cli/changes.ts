import {lstat, mkdir, rm, writeFile} from 'node:fs/promises'
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

/**
 * Writes files of the content.
 * @throws CommandError if a symbolic link leads to one; nothing is written then
 */
export async function writeChanges(directory: string, changes: FileChanges): Promise<void> {
  for (const path of changes.keys()) await refuseLinks(directory, path)
  for (const [path, text] of changes) {
    if (text === undefined) await rm(join(directory, path))
    else await writeInside(directory, path, text)
  }
}

/**
 * Writes a file of the content.
 * @param flag of the file system; `wx` keeps a file that exists
 * @throws CommandError if a symbolic link leads to it, or the error of the file system
 */
export async function writeInside(directory: string, path: string, text: string, flag = 'w'): Promise<void> {
  await refuseLinks(directory, path)
  const file = join(directory, path)
  await mkdir(dirname(file), {recursive: true})
  await writeFile(file, text, {flag})
}

/** Links are part of the content, which others write: they may lead out of it. */
async function refuseLinks(directory: string, path: string): Promise<void> {
  const parts = path.split('/')
  for (const [at] of parts.entries()) {
    const part = parts.slice(0, at + 1).join('/')
    const found = await lstat(join(directory, part)).catch(() => undefined)
    if (found?.isSymbolicLink())
      throw new CommandError(
        `${part} is a symbolic link, and nothing is written through one: delete it first.`,
      )
  }
}
