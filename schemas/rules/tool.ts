/** The fields of a document. Any of them may be missing or have any shape. */
export type Fields = {readonly [field: string]: unknown}
