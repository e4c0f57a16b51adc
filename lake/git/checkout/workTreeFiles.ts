import {lstat, mkdir, readFile, rm, rmdir} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {atomicWrite} from '../../../common/atomicWrite.ts'
import {errorCode} from '../../../common/errorCode.ts'
import {gitObject, type ObjectFormat} from '../commit/looseObjects.ts'
import {isFileMode, type TreeEntry} from '../commit/treeObject.ts'

/** Larger files are left to whoever put them there: they are read whole. */
const MAX_BYTES = 64 * 1024 * 1024

/** What the work tree holds at a path: nothing, a file with the id of its bytes, or something else. */
export type WorkFile =
  | {readonly kind: 'missing'}
  | {readonly kind: 'other'}
  | {readonly kind: 'file'; readonly id: string}

/** One place of a work tree. Nothing behind a symbolic link is ever touched. */
export class WorkTreeFiles {
  readonly #root: string
  /** Files are written here and renamed, so that a crash leaves no stray file among the documents. */
  readonly #aside: string
  readonly #format: ObjectFormat

  constructor(root: string, gitDir: string, format: ObjectFormat) {
    this.#root = root
    this.#aside = join(gitDir, 'handrail')
    this.#format = format
  }

  /** Looks at a path; whatever cannot be read counts as something else. */
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
      : {kind: 'file', id: gitObject(this.#format, 'blob', bytes).id}
  }

  /**
   * Writes a file as HEAD has it.
   * @throws the error of the file system
   */
  async write(path: string, {mode}: TreeEntry, bytes: Buffer): Promise<void> {
    const target = join(this.#root, path)
    await mkdir(dirname(target), {recursive: true})
    const permissions = mode === '100755' ? 0o777 : 0o666
    try {
      await atomicWrite(target, bytes, {
        mode: permissions,
        prefix: 'file-',
        directory: this.#aside,
      })
    } catch (error) {
      // The Git folder of a linked work tree may lie on another disk.
      if (errorCode(error) !== 'EXDEV') throw error
      await atomicWrite(target, bytes, {mode: permissions, prefix: '.handrail-'})
    }
  }

  /**
   * Deletes a file, and the folders that are empty without it, as Git does.
   * @throws the error of the file system
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
 * Whether a path of a commit stays in the work tree and out of Git's own folder, whatever the file system thinks of
 * case, trailing dots, short names and signs without width. Git looks when it checks files out, not when it fetches.
 */
export function isSafePath(path: string): boolean {
  return path.split('/').every((part) => {
    const plain = part.replace(/\p{Default_Ignorable_Code_Point}/gu, '').toLowerCase()
    return !/^(\.{0,2}|\.git|git~\d+)[ .]*($|:)/.test(plain) && !/[\\\0]/.test(part)
  })
}

/** Whether the lake writes what an entry stands for: symbolic links and submodules are left to Git. */
export function isWritable(entry: TreeEntry | undefined): boolean {
  return entry === undefined || isFileMode(entry.mode)
}
