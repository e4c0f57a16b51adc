import {mkdirSync, writeFileSync} from 'node:fs'
import {readdir, readFile, stat} from 'node:fs/promises'
import {join, relative} from 'node:path'

/** A file of a folder that was read, or a folder, which has no content. */
type Entry = {readonly path: string; readonly mode: number; readonly content: Buffer | undefined}

/** What a folder holds, in memory. Writing it again takes no process. */
export type FolderCopy = readonly Entry[]

export async function readFolder(directory: string): Promise<FolderCopy> {
  const entries = await readdir(directory, {recursive: true, withFileTypes: true})
  const found = await Promise.all(
    entries.map(async (entry) => {
      const file = join(entry.parentPath, entry.name)
      const content = entry.isDirectory() ? undefined : await readFile(file)
      return {path: relative(directory, file), mode: (await stat(file)).mode, content}
    }),
  )
  // A folder comes before what is in it.
  return found.toSorted((a, b) => a.path.length - b.path.length)
}

export function writeFolder(directory: string, copy: FolderCopy): void {
  mkdirSync(directory, {recursive: true})
  for (const {path, mode, content} of copy) {
    if (content === undefined) mkdirSync(join(directory, path))
    else writeFileSync(join(directory, path), content, {mode})
  }
}
