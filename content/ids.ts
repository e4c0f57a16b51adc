/** `drafts.<id>`: https://www.sanity.io/docs/content-lake/drafts */
const DRAFT_PREFIX = 'drafts.'
/** `versions.<release>.<id>`: https://www.sanity.io/docs/content-lake/document-ids-and-metadata */
export const VERSION_PREFIX = 'versions.'
/**
 * `_.releases.<release>`, and what else Sanity keeps in documents of its own: only a lake changes them, and they are never
 * published. https://www.sanity.io/docs/content-lake/content-release-document-flow
 */
const SYSTEM_PREFIX = '_.'
const RELEASE_PREFIX = '_.releases.'
/** The requests for review, which only a lake changes, are drafts that nothing publishes. */
export const REVIEW_PREFIX = 'drafts.handrail.review.'

/**
 * Whether Sanity accepts the id: letters, digits, `._-`, at most 128, starting with a letter or digit or `_`.
 */
export function isValidId(id: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/.test(id)
}

/** Whether the id is that of a draft. */
export function isDraftId(id: string): boolean {
  return id.startsWith(DRAFT_PREFIX)
}

/** Whether the id is that of a request for review. */
export function isReviewId(id: string): boolean {
  return id.startsWith(REVIEW_PREFIX)
}

/** Whether the id is that of a document version inside a release. */
export function isVersionId(id: string): boolean {
  return id.startsWith(VERSION_PREFIX)
}

/** Whether the id is that of a document which only a lake changes. */
export function isSystemId(id: string): boolean {
  return id.startsWith(SYSTEM_PREFIX)
}

/** Whether the id is that of a release. */
export function isReleaseId(id: string): boolean {
  return id.startsWith(RELEASE_PREFIX)
}

/** Whether the id is that of a published document. */
export function isPublishedId(id: string): boolean {
  return !isDraftId(id) && !isVersionId(id) && !isSystemId(id)
}

/** The id of the document that a draft or a version in a release belongs to; undefined for any other id. */
export function versionedId(id: string): string | undefined {
  if (isDraftId(id)) return id.slice(DRAFT_PREFIX.length)
  const [, , ...rest] = isVersionId(id) ? id.split('.') : []
  return rest.length === 0 ? undefined : rest.join('.')
}

/** The published id of the id of a draft or a version. Returns any other id unchanged. */
export function publishedId(id: string): string {
  return versionedId(id) ?? id
}

/** The name of the release that a version is in; undefined for any other id. */
export function releaseNameIn(id: string): string | undefined {
  return isVersionId(id) ? id.split('.')[1] : undefined
}

/** The name of the release that a document is of; undefined for any other id. */
export function releaseNameOf(id: string): string | undefined {
  return isReleaseId(id) ? id.slice(RELEASE_PREFIX.length) : undefined
}

/** The id of the document of a release. */
export function releaseId(name: string): string {
  return RELEASE_PREFIX + name
}

/** The id of the version of a published document in a release. */
export function versionId(release: string, published: string): string {
  return `${VERSION_PREFIX}${release}.${published}`
}

/** The draft id of a published document. */
export function draftId(id: string): string {
  return DRAFT_PREFIX + id
}
