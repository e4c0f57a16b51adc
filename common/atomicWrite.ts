import {randomBytes} from 'node:crypto'
import {mkdir, open, rename, rm, stat} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {errorCode} from './errorCode.ts'

type AtomicWriteOptions = {
  /** Permissions of the file, before the umask. */
  readonly mode: number
  /** How the name of the temporary file starts. Only a crash leaves one behind. */
  readonly prefix: string
  /** Where the temporary file is written: on the same file system as the file itself. */
  readonly directory?: string
}

/**
 * Replaces a file: writes a temporary file, flushes it to disk and renames it. A reader sees the old file or
 * the new one, even after a power cut. The name itself is not flushed: see {@link syncDirectory}.
 * @throws the error of the file system; the temporary file is removed then
 */
export async function atomicWrite(
  path: string,
  data: Buffer | string,
  {mode, prefix, directory = dirname(path)}: AtomicWriteOptions,
): Promise<void> {
  const temporary = join(directory, prefix + randomBytes(6).toString('hex'))
  try {
    const file = await open(temporary, 'wx', mode)
    try {
      await file.writeFile(data)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, {force: true}).catch(() => {})
    throw error
  }
}

/** Flushes the names in a directory to disk, where the file system supports it. */
export async function syncDirectory(directory: string): Promise<void> {
  try {
    const handle = await open(directory, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch {
    // Some file systems do not support this, and none needs it for consistency.
  }
}

/** Permissions of a directory that only its owner may open. */
export const OWNER_ONLY = 0o700

/**
 * Creates one directory unless it exists. Node's recursive `mkdir` reports ENOENT on a read-only disk.
 * @param mode permissions of a new directory, before the umask
 * @throws the error of the file system
 */
export async function ensureDirectory(directory: string, mode = 0o777): Promise<void> {
  await mkdir(directory, mode).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error
  })
}

/**
 * The permissions for a new file that those may read and write who may do so with its directory.
 * @throws the error of the file system
 */
export async function fileModeIn(directory: string): Promise<number> {
  return (await stat(directory)).mode & 0o666
}
