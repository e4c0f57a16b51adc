import {hash} from 'node:crypto'
import {chmod, stat} from 'node:fs/promises'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {constants, deflate} from 'node:zlib'
import {atomicWrite, ensureDirectory, syncDirectory} from '../../common/atomicWrite.ts'
import {errorCode} from '../../common/errorCode.ts'

/** The hash algorithm of a repository's object ids. */
export type ObjectFormat = 'sha1' | 'sha256'

type ObjectType = 'blob' | 'tree' | 'commit'

/** An object as Git hashes it: header and body. */
export type GitObject = {
  readonly id: string
  readonly type: ObjectType
  readonly bytes: Buffer
  /** The end of `bytes`: a tree of 100,000 documents has 6 MB, so each copy counts. */
  readonly body: Buffer
}

/** The length of an object id inside a tree, in bytes. */
export function idLength(format: ObjectFormat): number {
  return format === 'sha1' ? 20 : 32
}

/** Git's id for an object that does not exist. */
export function zeroId(format: ObjectFormat): string {
  return '0'.repeat(2 * idLength(format))
}

/** Builds an object and its id from the pieces of its body. */
export function gitObject(format: ObjectFormat, type: ObjectType, pieces: readonly Buffer[]): GitObject {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const header = Buffer.from(`${type} ${length}\0`)
  const bytes = Buffer.concat([header, ...pieces])
  return {id: hash(format, bytes, 'hex'), type, bytes, body: bytes.subarray(header.length)}
}

const compress = promisify<Buffer, {readonly level: number; readonly chunkSize: number}, Buffer>(deflate)

/**
 * Trees are not compressed: 4 MB, a tree of 100,000 documents, would take 80 ms and become 2.5 MB. They are
 * mostly hashes, and `git repack` compresses everything.
 */
const LEVELS = {
  blob: constants.Z_BEST_SPEED,
  commit: constants.Z_BEST_SPEED,
  tree: constants.Z_NO_COMPRESSION,
}

/** What zlib adds to bytes that it does not compress: its output fits in one chunk, which saves time. */
const OVERHEAD = 1_024

/** Maximum attempts to write an object: `git repack` removes empty folders, even one that is just made. */
const ATTEMPTS = 10

/** Maximum files open at once. More would not make a disk faster. */
const WRITERS = 8

/**
 * Writes loose objects. Starting a Git process for each object would take most of the time of a publication.
 * https://git-scm.com/book/en/v2/Git-Internals-Git-Objects
 */
export class LooseObjectWriter {
  readonly #folder: string

  constructor(gitDir: string) {
    this.#folder = join(gitDir, 'objects')
  }

  /**
   * Writes objects; they are durable once the promise resolves. Existing objects are written again: this
   * repairs files that a power cut emptied, and keeps Git from pruning them as old unreachable objects.
   * @throws file system errors
   */
  async write(objects: Iterable<GitObject>): Promise<void> {
    const queue = [...new Map(Array.from(objects, (object) => [object.id, object])).values()]
    const folders = new Set<string>()
    const work = async () => {
      for (let object = queue.pop(); object !== undefined; object = queue.pop())
        await this.#write(object, folders)
    }
    const results = await Promise.allSettled(Array.from({length: WRITERS}, work))
    // Report a failure only after all writes have ended.
    for (const result of results) if (result.status === 'rejected') throw result.reason
    await Promise.all(Array.from(folders, syncDirectory))
  }

  async #write({id, type, bytes}: GitObject, folders: Set<string>): Promise<void> {
    const folder = join(this.#folder, id.slice(0, 2))
    const compressed = await compress(bytes, {level: LEVELS[type], chunkSize: bytes.length + OVERHEAD})
    for (let attempt = 1; ; attempt += 1) {
      try {
        // Git's own prefix for temporary objects: `git gc` removes what a crash left.
        await atomicWrite(join(folder, id.slice(2)), compressed, {mode: 0o444, prefix: 'tmp_obj_'})
        break
      } catch (error) {
        if (errorCode(error) !== 'ENOENT' || attempt === ATTEMPTS) throw error
        await this.#makeFolder(folder)
        folders.add(this.#folder)
      }
    }
    folders.add(folder)
  }

  /**
   * Copies the permissions of the parent folder. In a shared repository they are wider than the process's
   * umask allows.
   */
  async #makeFolder(folder: string): Promise<void> {
    await ensureDirectory(folder)
    const {mode} = await stat(this.#folder)
    await chmod(folder, mode & 0o7777).catch(() => {})
  }
}
