import {hash} from 'node:crypto'
import {chmod, stat} from 'node:fs/promises'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {constants, deflate} from 'node:zlib'
import {atomicWrite, ensureDirectory, syncDirectory} from '../../../common/atomicWrite.ts'
import {errorCode} from '../../../common/errorCode.ts'

/** How a repository names its objects. */
export type ObjectFormat = 'sha1' | 'sha256'

/** An object as Git hashes it: header and body. */
export type GitObject = {readonly id: string; readonly bytes: Buffer}

/** Bytes of an object's name inside a tree. */
export function idLength(format: ObjectFormat): number {
  return format === 'sha1' ? 20 : 32
}

/** What Git calls the object that is not there. */
export function zeroId(format: ObjectFormat): string {
  return '0'.repeat(2 * idLength(format))
}

/** An object with its name. */
export function gitObject(format: ObjectFormat, type: 'blob' | 'tree' | 'commit', body: Buffer): GitObject {
  const bytes = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body])
  return {id: hash(format, bytes, 'hex'), bytes}
}

const compress = promisify<Buffer, {level: number}, Buffer>(deflate)

/** Files that are open at once: more would not make a disk quicker. */
const WRITERS = 8

/**
 * Writes loose objects. A Git process for each would take most of a publication's time.
 * https://git-scm.com/book/en/v2/Git-Internals-Git-Objects
 */
export class LooseObjectWriter {
  readonly #folder: string

  constructor(commonDir: string) {
    this.#folder = join(commonDir, 'objects')
  }

  /**
   * Writes objects, which are durable when this returns, and answers the bytes that they take on disk.
   * One that is there is written again: that heals what a power cut has emptied, and keeps Git from pruning it
   * as an old leftover.
   * @throws the error of the file system
   */
  async write(objects: Iterable<GitObject>): Promise<number> {
    const queue = [...new Map(Array.from(objects, (object) => [object.id, object])).values()]
    const folders = new Set<string>()
    let written = 0
    const work = async () => {
      for (let object = queue.pop(); object !== undefined; object = queue.pop()) {
        written += await this.#write(object, folders)
      }
    }
    const results = await Promise.allSettled(Array.from({length: WRITERS}, work))
    // Only when all have ended, so that nothing is being written after a failure was reported.
    for (const result of results) if (result.status === 'rejected') throw result.reason
    await Promise.all(Array.from(folders, syncDirectory))
    return written
  }

  async #write({id, bytes}: GitObject, folders: Set<string>): Promise<number> {
    const folder = join(this.#folder, id.slice(0, 2))
    const path = join(folder, id.slice(2))
    // A tree is mostly hashes, which do not shrink, and Git's housekeeping compresses everything again.
    const compressed = await compress(bytes, {level: constants.Z_BEST_SPEED})
    // Git's own name for such a file: its housekeeping removes what a crash left.
    const write = () => atomicWrite(path, compressed, {mode: 0o444, prefix: 'tmp_obj_'})
    await write().catch(async (error: unknown) => {
      if (errorCode(error) !== 'ENOENT') throw error
      await this.#makeFolder(folder)
      folders.add(this.#folder)
      await write()
    })
    folders.add(folder)
    return compressed.length
  }

  /** As accessible as the folder around it, which in a shared repository is more than the process's habit. */
  async #makeFolder(folder: string): Promise<void> {
    await ensureDirectory(folder)
    const {mode} = await stat(this.#folder)
    await chmod(folder, mode & 0o7777).catch(() => {})
  }
}
