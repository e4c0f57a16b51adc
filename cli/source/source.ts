import type {FileContent} from '../../content/parseDocument.ts'

/** A file of a repository. */
export type RepositoryFile = {
  readonly path: string
  /** Undefined: not read, because the path cannot be that of a document. */
  readonly content: FileContent | undefined
  readonly isExecutable: boolean
  /** Why the file cannot be read, in the words of the operating system. */
  readonly failure?: string | undefined
}

/** The files of a repository at one time, sorted by path. */
export type Source = {readonly files: readonly RepositoryFile[]}

/** Sorts files as Git does: by the code units of their paths. */
export function sourceOf(files: readonly RepositoryFile[]): Source {
  return {files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1))}
}
