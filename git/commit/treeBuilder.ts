import type {ContentDirectory} from '../contentDirectory.ts'
import {UnfitNameError} from '../errors.ts'
import {type GitObject, gitObject, idLength} from '../objects/looseObjects.ts'
import {
  type EditedTree,
  editTree,
  FOLDER_MODE,
  findCaseConflict,
  findEntry,
  type TreeEntry,
  WrongKindError,
} from '../objects/treeObject.ts'
import {streamGit} from '../process.ts'

type Kept = {readonly root: Buffer; readonly folders: ReadonlyMap<string, Buffer>}

/**
 * Builds the trees of a commit from those of its parent. It caches the latest trees: reading a folder of
 * 10,000 documents back from Git would take longer than the rest of the publication.
 */
export class TreeBuilder {
  readonly #folder: ContentDirectory
  /** The cached trees of a commit: its root, and by their ids the folders that were needed. */
  #known: {readonly commit: string; readonly kept: Kept} | undefined

  constructor(folder: ContentDirectory) {
    this.#folder = folder
  }

  /**
   * Builds the trees of `parent` (undefined: none) with some files set to blobs or deleted.
   * @param blobs by `<folder>/<file>`
   * @returns the new trees; the entries of the changed files that existed, by path; and what to {@link keep} once the change
   * took effect
   * @throws GitError if a tree cannot be read
   * @throws UnfitNameError if a new file cannot have its name, for example because the name is taken
   */
  async change(parent: string | undefined, blobs: ReadonlyMap<string, string | undefined>) {
    const {format} = this.#folder
    const idBytes = idLength(format)
    const known = this.#known?.commit === parent ? this.#known?.kept : undefined
    const root = known?.root ?? (parent === undefined ? Buffer.alloc(0) : await this.#read(parent))
    const before = new Map<string, TreeEntry>()
    const folderIds = new Map<string, string | undefined>()
    /** The new folders, each with a file in it. */
    const newFolders = new Map<string, string>()
    const folders: GitObject[] = []
    const kept = new Map<string, Buffer>()
    for (const [folder, files] of byFolder(blobs)) {
      const entry = findEntry(root, idBytes, folder)
      const [firstFile = ''] = files.keys()
      if (entry !== undefined && entry.mode !== FOLDER_MODE) {
        throw new UnfitNameError(
          `${folder}/${firstFile}`,
          `"${folder}" is not a folder in the content repository, but a file or a submodule: choose another type`,
        )
      }
      const body =
        entry === undefined ? Buffer.alloc(0) : (known?.folders.get(entry.id) ?? (await this.#read(entry.id)))
      const edited = editFolder(folder, body, files, idBytes)
      const isNew = ([name, id]: [string, string | undefined]) => id !== undefined && !edited.before.has(name)
      const newFiles = [...files].filter(isNew).map(([name]) => name)
      const tree = gitObject(format, 'tree', edited.pieces)
      checkCase(tree.body, newFiles, idBytes, folder)
      if (entry === undefined && newFiles.length > 0) newFolders.set(folder, firstFile)
      for (const [name, was] of edited.before) before.set(`${folder}/${name}`, was)
      // Git has no empty folders.
      if (tree.body.length === 0) {
        folderIds.set(folder, undefined)
        continue
      }
      folders.push(tree)
      folderIds.set(folder, tree.id)
      kept.set(tree.id, tree.body)
    }
    const tree = gitObject(format, 'tree', editTree(root, idBytes, 'folder', folderIds).pieces)
    const conflict = findCaseConflict(tree.body, newFolders.keys(), idBytes)
    if (conflict !== undefined) {
      const {name, existing} = conflict
      throw new UnfitNameError(
        `${name}/${newFolders.get(name)}`,
        `The type "${name}" differs only by case from "${existing}" in the content repository: use that, or choose another type`,
      )
    }
    for (const [id, folder] of known?.folders ?? []) if (!kept.has(id)) kept.set(id, folder)
    return {root: tree, folders, before, kept: {root: tree.body, folders: kept}}
  }

  /** Caches the trees of a new commit, and drops those that it no longer contains. */
  keep(commit: string, {root, folders}: Kept): void {
    const alive = new Map<string, Buffer>()
    const hex = root.toString('hex')
    for (const [id, body] of folders) if (hex.includes(id)) alive.set(id, body)
    this.#known = {commit, kept: {root, folders: alive}}
  }

  /** The body of a tree, given its id or its commit. */
  async #read(name: string): Promise<Buffer> {
    const chunks: Buffer[] = []
    await streamGit(this.#folder.root, ['cat-file', 'tree', name], (chunk) => {
      chunks.push(chunk)
    })
    return Buffer.concat(chunks)
  }
}

/** @throws UnfitNameError if there is a folder where a file should go */
function editFolder(
  folder: string,
  body: Buffer,
  files: ReadonlyMap<string, string | undefined>,
  idBytes: number,
): EditedTree {
  try {
    return editTree(body, idBytes, 'file', files)
  } catch (error) {
    if (!(error instanceof WrongKindError)) throw error
    const [firstFile = ''] = files.keys()
    throw new UnfitNameError(
      `${folder}/${firstFile}`,
      `In the folder "${folder}" of the content repository, ${error.message}: choose another id`,
    )
  }
}

/** @throws UnfitNameError if a new file differs only by case from another one in its folder */
function checkCase(body: Buffer, newFiles: readonly string[], idBytes: number, folder: string): void {
  const conflict = findCaseConflict(body, newFiles, idBytes)
  if (conflict === undefined) return
  const {name, existing} = conflict
  throw new UnfitNameError(
    `${folder}/${name}`,
    `The file "${folder}/${name}" would differ only by case from "${folder}/${existing}": choose another id`,
  )
}

function byFolder(
  blobs: ReadonlyMap<string, string | undefined>,
): Map<string, Map<string, string | undefined>> {
  const folders = new Map<string, Map<string, string | undefined>>()
  for (const [path, blob] of blobs) {
    const slash = path.indexOf('/')
    const files = folders.get(path.slice(0, slash)) ?? new Map<string, string | undefined>()
    files.set(path.slice(slash + 1), blob)
    folders.set(path.slice(0, slash), files)
  }
  return folders
}
