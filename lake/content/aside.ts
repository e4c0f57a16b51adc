import {randomBytes} from 'node:crypto'
import {mkdir, open, rename, rm} from 'node:fs/promises'
import {dirname, join} from 'node:path'

/**
 * Writes a file aside, makes it durable and renames it to `path`: whoever looks sees the old file or the new one,
 * even after a power cut. The name itself is not made durable: see {@link syncFolder}.
 * @param prefix of the file aside, which only a crash leaves behind
 * @param folder where the file aside is written: on the same file system
 * @throws the error of the file system; nothing is left behind then
 */
export async function writeAside(
  path: string,
  bytes: Buffer,
  mode: number,
  prefix: string,
  folder: string = dirname(path),
): Promise<void> {
  const aside = join(folder, prefix + randomBytes(6).toString('hex'))
  try {
    const file = await open(aside, 'wx', mode)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(aside, path)
  } catch (error) {
    await rm(aside, {force: true}).catch(() => {})
    throw error
  }
}

/** Makes the names in a folder durable, where the system can do that. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch {
    // Some file systems cannot, and none needs it for consistency.
  }
}

/**
 * Makes one folder where there is none. Node's recursive way says ENOENT of a disk that is read-only.
 * @throws the error of the file system
 */
export async function ensureFolder(folder: string): Promise<void> {
  await mkdir(folder).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
}

/** The code of a file system error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
