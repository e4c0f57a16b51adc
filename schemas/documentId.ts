/** The id of a document however it is kept: as `drafts.ID`, in a release as `versions.NAME.ID`, or published as `ID`. */
export function publishedIdOf(id: string): string {
  return id.replace(/^(?:drafts|versions\.[^.]+)\./, '')
}
