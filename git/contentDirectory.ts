import type {ObjectFormat} from './objects/looseObjects.ts'

/** A content repository on disk. That of a lake is bare; commands also work in a clone with a work tree. */
export type ContentDirectory = {
  /** The repository itself if it is bare, else its work tree. */
  readonly root: string
  /** The folder with HEAD and the lake's state. The same as `root` if the repository is bare. */
  readonly gitDir: string
  readonly isBare: boolean
  readonly format: ObjectFormat
}
