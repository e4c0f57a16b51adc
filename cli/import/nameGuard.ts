import {dirname} from 'node:path/posix'
import {UnfitDocumentError} from '../../content/canonical.ts'

/**
 * Refuses names that differ only by case or Unicode form, because macOS and Windows cannot check out both files, and
 * files that would replace a folder or the other way round.
 */
export class NameGuard {
  /** Files and folders, by what a file system takes for the same name. */
  readonly #known = new Map<string, {readonly path: string; readonly isFolder: boolean}>()

  constructor(paths: readonly string[]) {
    for (const path of paths) this.#add(path, false)
  }

  #add(path: string, isFolder: boolean): void {
    this.#known.set(folded(path), {path, isFolder})
    if (path.includes('/')) this.#add(dirname(path), true)
  }

  /** @throws UnfitDocumentError */
  claim(type: string, files: readonly string[]): void {
    const folder = this.#known.get(folded(type))
    if (folder?.isFolder === false)
      throw new UnfitDocumentError(
        `"${type}" is the name of a file of the content repository, not of a folder`,
      )
    if (folder !== undefined && folder.path !== type)
      throw new UnfitDocumentError(`the type "${type}" would differ only by case from "${folder.path}"`)
    for (const path of files) {
      const known = this.#known.get(folded(path))
      if (known?.isFolder)
        throw new UnfitDocumentError(`"${path}" is a folder of the content repository, not a file`)
      if (known !== undefined && known.path !== path)
        throw new UnfitDocumentError(`the file "${path}" would differ only by case from "${known.path}"`)
    }
    for (const path of files) this.#add(path, false)
  }
}

function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}
