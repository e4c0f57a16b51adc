/** A content repository on disk: its work tree, its Git folder, and the folder that holds its refs. */
export type ContentDirectory = {readonly root: string; readonly gitDir: string; readonly commonDir: string}
