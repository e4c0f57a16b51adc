/**
 * The published id of a document: `ID` for a draft `drafts.ID`, a version `versions.NAME.ID`, or `ID` itself.
 */
export function publishedIdOf(id: string): string {
  return id.replace(/^(?:drafts|versions\.[^.]+)\./, '')
}
