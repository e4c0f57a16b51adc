import {lstat, mkdir, readFile, rm, rmdir} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {atomicWrite} from '../../../common/atomicWrite.ts'
import {errorCode} from '../../../common/errorCode.ts'
import {gitObject, type ObjectFormat} from '../objects/looseObjects.ts'
import {isFileMode, type TreeEntry} from '../objects/treeObject.ts'

/** Larger files are not updated, because files are read into memory as a whole. */
const MAX_BYTES = 64 * 1024 * 1024

/** What the work tree holds at a path: nothing, a file with the id of its bytes, or something else. */
export type WorkFile =
  | {readonly kind: 'missing'}
  | {readonly kind: 'other'}
  | {readonly kind: 'file'; readonly id: string}

/** The files of a work tree. Paths that lead through a symbolic link are never touched. */
export class WorkTreeFiles {
  readonly #root: string
  /** Files are written here and then renamed, so that a crash leaves no partial file among the documents. */
  readonly #temporary: string
  readonly #format: ObjectFormat

  constructor(root: string, gitDir: string, format: ObjectFormat) {
    this.#root = root
    this.#temporary = join(gitDir, 'handrail')
    this.#format = format
  }

  /** Reads the state of a path. A path that cannot be read counts as `other`. */
  async look(path: string): Promise<WorkFile> {
    if (!isSafePath(path)) return {kind: 'other'}
    const parts = path.split('/')
    let place = this.#root
    for (const [at, part] of parts.entries()) {
      place = join(place, part)
      const found = await lstat(place).catch(errorCode)
      if (found === 'ENOENT') return {kind: 'missing'}
      if (typeof found !== 'object') return {kind: 'other'}
      const last = at === parts.length - 1
      if (last ? !found.isFile() || found.size > MAX_BYTES : !found.isDirectory()) return {kind: 'other'}
    }
    const bytes = await readFile(place).catch(() => undefined)
    return bytes === undefined
      ? {kind: 'other'}
      : {kind: 'file', id: gitObject(this.#format, 'blob', [bytes]).id}
  }

  /**
   * Writes a file with HEAD's content.
   * @throws file system errors
   */
  async write(path: string, {mode}: TreeEntry, bytes: Buffer): Promise<void> {
    const target = join(this.#root, path)
    await mkdir(dirname(target), {recursive: true})
    const permissions = mode === '100755' ? 0o777 : 0o666
    try {
      await atomicWrite(target, bytes, {
        mode: permissions,
        prefix: 'file-',
        directory: this.#temporary,
      })
    } catch (error) {
      // The Git folder of a linked work tree may be on another disk.
      if (errorCode(error) !== 'EXDEV') throw error
      await atomicWrite(target, bytes, {mode: permissions, prefix: '.handrail-'})
    }
  }

  /**
   * Deletes a file and the folders that become empty, as Git does.
   * @throws file system errors
   */
  async remove(path: string): Promise<void> {
    await rm(join(this.#root, path), {force: true})
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
      try {
        await rmdir(join(this.#root, folder))
      } catch {
        return
      }
    }
  }
}

/**
 * Whether a path of a commit stays inside the work tree and outside of `.git`, even on file systems that
 * ignore case, trailing dots, short names and zero-width characters. Git checks this at checkout, not at
 * fetch.
 */
export function isSafePath(path: string): boolean {
  return path.split('/').every((part) => {
    const plain = part.replace(/\p{Default_Ignorable_Code_Point}/gu, '').toLowerCase()
    return !/^(\.{0,2}|\.git|git~\d+)[ .]*($|:)/.test(plain) && !/[\\\0]/.test(part)
  })
}

/** Whether the lake writes this kind of entry. Symbolic links and submodules are left to Git. */
export function isWritable(entry: TreeEntry | undefined): boolean {
  return entry === undefined || isFileMode(entry.mode)
}
