import {hash} from 'node:crypto'
import {isJsonObject} from '../../common/json.ts'
import {siteQuery} from '../upstream/queries.ts'
import {isSite} from '../upstream/responses.ts'
import type {SiteDocument} from '../upstream/siteDocument.ts'

type SnapshotHead = {
  readonly publicId: string
  /** When upstream confirmed it, in milliseconds since 1970. */
  readonly validatedAt: number
}

/** The last valid upstream response for one public ID. */
export type Snapshot = SnapshotHead & {readonly document: SiteDocument}

/** A snapshot to write. Usually the same document is on disk already, and its JSON is not needed. */
export type PendingSnapshot = SnapshotHead & {
  /** Memory that it takes until it is written, if its site is no longer cached. */
  readonly bytes: number
  documentJson(): string
}

/**
 * First word of every snapshot. It names the query, because a snapshot lacks the fields of a later one. Snapshots of other formats are not used:
 * increase the number if another version of the service would misread this one.
 */
const FORMAT = `handrail-snapshot-1-${hash('sha1', siteQuery, 'base64url')}`

/**
 * Returns the file name of a snapshot. It is a hash, because visitors choose public IDs and these must not
 * become part of a path.
 * @param origin identifies the content, so that snapshots of another lake or dataset are never served.
 */
export function fileNameOf(origin: string, publicId: string): string {
  const name = hash('sha256', `${origin}\n${publicId}`)
  return `${prefixOf(origin)}${name.slice(PREFIX_LENGTH)}.json`
}

/** Whether a snapshot is of this content, by the name of its file. */
export function isOfOrigin(origin: string, name: string): boolean {
  return name.startsWith(prefixOf(origin))
}

function prefixOf(origin: string): string {
  return hash('sha256', origin).slice(0, PREFIX_LENGTH)
}

/** Characters of a file's name that say of which content it is. */
const PREFIX_LENGTH = 8

export const FILE_NAME = /^[0-9a-f]{64}\.json$/

/** Encodes a snapshot: one line with the digest, followed by JSON. */
export function encodeSnapshot(
  origin: string,
  {publicId, validatedAt, documentJson}: PendingSnapshot,
): string {
  const head = JSON.stringify({origin, publicId, validatedAt})
  const json = `${head.slice(0, -1)},"document":${documentJson()}}`
  return `${FORMAT} ${hash('sha256', json)}\n${json}\n`
}

/** @throws Error that describes what is wrong with the text. */
export function decodeSnapshot(text: string, origin: string, publicId: string): Snapshot {
  const end = text.indexOf('\n')
  const [format, digest] = text.slice(0, end).split(' ')
  if (format !== FORMAT) throw new Error(`It does not begin with "${FORMAT}".`)
  const json = text.slice(end + 1, -1)
  if (digest !== hash('sha256', json)) throw new Error('Its digest does not match its content.')
  const value: unknown = JSON.parse(json)
  if (!isSnapshotOf(value, origin, publicId))
    throw new Error('It contains another site than its file name says.')
  const {document, validatedAt} = value
  return {publicId, document, validatedAt}
}

function isSnapshotOf(value: unknown, origin: string, publicId: string): value is Snapshot {
  return (
    isJsonObject(value) &&
    value.origin === origin &&
    value.publicId === publicId &&
    isSite(value.document, publicId) &&
    typeof value.validatedAt === 'number'
  )
}
