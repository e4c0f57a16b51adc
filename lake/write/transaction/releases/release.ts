import {hash} from 'node:crypto'
import {isJsonObject, type JsonObject} from '../../../../common/json.ts'
import type {Document} from '../../../../content/document.ts'
import type {DraftEditor} from '../../../../content/drafts/draftEditors.ts'
import {type Draft, isDraft} from '../../../../content/drafts/journal.ts'
import {isReleaseId, versionId} from '../../../../content/ids.ts'
import {parseIsoTime} from '../../../../content/isoTime.ts'
import type {DocumentStore} from '../../../../content/store.ts'
import type {Principal} from '../../../access/principal.ts'
import {refuse} from '../../errors.ts'
import {publishedRevision} from '../publishing.ts'

/** The type of the documents in which Sanity keeps releases. */
export const RELEASE_TYPE = 'system.release'

/** A lake changes a release in one transaction: Sanity's states `publishing`, `archiving` and so on never occur. */
export const RELEASE_STATES = ['active', 'scheduled', 'published', 'archived'] as const
export type ReleaseState = (typeof RELEASE_STATES)[number]

const TYPES = ['asap', 'scheduled', 'undecided'] as const

/** Maximum characters of a title, and of a description. */
const MAX_TITLE = 200
const MAX_DESCRIPTION = 10_000

/** Who schedules a release, and publishes it by that. */
type Scheduler = DraftEditor & Pick<Principal, 'isProgram' | 'credential'>

/** A release: https://www.sanity.io/docs/content-lake/content-release-document-flow */
export type Release = Document & {
  readonly name: string
  readonly state: ReleaseState
  readonly metadata: JsonObject
  /** ISO 8601, UTC; while it is scheduled. */
  readonly publishAt?: string
  readonly scheduledBy?: Scheduler
  /** What was in it when it was published or archived, by the ids of the versions. */
  readonly finalDocumentStates?: readonly {readonly id: string}[]
  /** Why it was not published at its time. */
  readonly error?: {readonly message: string}
}

/** Reads a release from its document; undefined if it is none. */
export function releaseIn(document: Document | undefined): Release | undefined {
  return document !== undefined && isRelease(document) ? document : undefined
}

/** Only the lake writes documents with such an id. */
function isRelease(value: Document): value is Release {
  return isReleaseId(value._id) && value._type === RELEASE_TYPE
}

/** The title of a release, for messages. */
export function titleOf({name, metadata: {title}}: Release): string {
  return typeof title === 'string' && title.trim() !== '' ? title.trim() : name
}

/**
 * Parses what people say about a release.
 * @throws RefusedError 400
 */
export function parseMetadata(value: unknown): JsonObject {
  if (!isJsonObject(value)) throw refuse.malformed('"metadata" must be an object')
  const {title, description, releaseType = 'undecided', cardinality, intendedPublishAt, ...others} = value
  const unknown = Object.keys(others)
  if (unknown.length > 0) throw refuse.malformed(`"metadata" has unknown members: ${unknown.join(', ')}`)
  if (!isText(title, MAX_TITLE))
    throw refuse.malformed(`"title" must be a text of at most ${MAX_TITLE} characters`)
  if (!isText(description, MAX_DESCRIPTION))
    throw refuse.malformed(`"description" must be a text of at most ${MAX_DESCRIPTION} characters`)
  if (!TYPES.some((known) => known === releaseType))
    throw refuse.malformed(`"releaseType" must be one of ${TYPES.join(', ')}`)
  if (cardinality !== undefined && cardinality !== 'one' && cardinality !== 'many')
    throw refuse.malformed('"cardinality" must be "one" or "many"')
  if (intendedPublishAt !== undefined && intendedPublishAt !== null) parseTime(intendedPublishAt)
  return {...value, releaseType}
}

/** Parses a time, and returns it as ISO 8601 in UTC. @throws RefusedError 400 */
export function parseTime(value: unknown): string {
  const time = parseIsoTime(value)
  if (time === undefined)
    throw refuse.malformed(
      `"${value}" is not a time. Write a date, a time and its zone, such as 2027-01-31T00:00:00Z`,
    )
  return new Date(time).toISOString()
}

function isText(value: unknown, most: number): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.length <= most)
}

/** The documents as they are kept, or as a transaction leaves them. */
type Documents = Pick<DocumentStore, 'idsFrom' | 'get'>

/** The versions in a release, by id. */
export function versionsIn(release: string, documents: Documents): Document[] {
  return documentsFrom(versionId(release, ''), documents)
}

/** Where the versions of an archived release are: as text, so that no query finds them and they refer to nothing. */
export const ARCHIVED_PREFIX = '_.archived.'

/** The documents that keep the versions of an archived release. */
export function archivedIn(release: string, documents: Documents): Document[] {
  return documentsFrom(`${ARCHIVED_PREFIX}${release}.`, documents)
}

/** A version as it was archived, with what was kept of it. */
export function archivedDraft({_id, content}: Document): Draft {
  const draft: unknown = JSON.parse(String(content))
  if (!isDraft(draft)) throw new Error(`the archived version "${_id}" is not valid`)
  return draft
}

/** The documents whose ids begin so. */
export function documentsFrom(prefix: string, documents: Documents): Document[] {
  return documents.idsFrom(prefix).flatMap((id) => documents.get(id) ?? [])
}

/** Identifies what a release publishes: a document that is added, changed or removed changes it. */
export function releaseContent(release: string, documents: Documents): string {
  const content = versionsIn(release, documents).map((version) => [version._id, publishedRevision(version)])
  return hash('sha256', JSON.stringify(content), 'base64url')
}
