/** One revision of one document. */
export type DocumentRevision = {readonly documentId: string; readonly revision: string}

/** A document that breaks a rule. It is left out; the site's other documents are served. */
export type InvalidDocument = DocumentRevision & {readonly field: string; readonly problem: string}

/** Returns a string that identifies a revision of a document. */
export function nameOf({documentId, revision}: DocumentRevision): string {
  return `${documentId}@${revision}`
}
