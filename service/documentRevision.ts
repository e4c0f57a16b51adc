/** One revision of one document. Entity tags are made of these. */
export type DocumentRevision = {documentId: string; revision: string}

/** A document that breaks a rule. It is left out; the site's other documents are served. */
export type InvalidDocument = DocumentRevision & {field: string; problem: string}

/** Returns a string that identifies a revision of a document. */
export function nameOf({documentId, revision}: DocumentRevision): string {
  return `${documentId}@${revision}`
}
