/** A content repository on disk. */
export type ContentDirectory = {
  /** Its work tree; of a bare repository, the repository itself. */
  readonly root: string
  readonly gitDir: string
  /** The folder that holds its refs. */
  readonly commonDir: string
  readonly isBare: boolean
}
