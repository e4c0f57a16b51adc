import {hash} from 'node:crypto'
import {areStrings, isSite} from '../upstream/responses.ts'
import type {SiteDocument} from '../upstream/siteDocument.ts'

/** The last good answer of the lake for one public identifier. */
export type Snapshot = {
  publicId: string
  document: SiteDocument
  syncTags: readonly string[]
  /** When the lake confirmed it, in milliseconds since 1970. */
  validatedAt: number
}

/** First word of every snapshot. Raise the number when an older service could not read, or would misread, a newer one. */
const FORMAT = 'handrail-snapshot-1'

/**
 * The name of a snapshot's file: visitors choose public identifiers, so none becomes part of a path.
 * @param origin names the content that it comes from: what another lake or dataset said is never served.
 */
export function fileNameOf(origin: string, publicId: string): string {
  return `${hash('sha256', `${origin}\n${publicId}`)}.json`
}

export const FILE_NAME = /^[0-9a-f]{64}\.json$/

/** One line with the digest of the rest, which is JSON. */
export function encodeSnapshot(origin: string, snapshot: Snapshot): string {
  const json = JSON.stringify({origin, ...snapshot})
  return `${FORMAT} ${hash('sha256', json)}\n${json}\n`
}

/** @throws Error that says what is wrong with the text. */
export function decodeSnapshot(text: string, origin: string, publicId: string): Snapshot {
  const end = text.indexOf('\n')
  const [format, digest] = text.slice(0, end).split(' ')
  if (format !== FORMAT) throw new Error(`It does not begin with "${FORMAT}".`)
  const json = text.slice(end + 1, -1)
  if (digest !== hash('sha256', json)) throw new Error('Its content does not have its digest.')
  const value: unknown = JSON.parse(json)
  if (!isSnapshotOf(value, origin, publicId))
    throw new Error('It is not the snapshot of the site that its name says.')
  const {document, syncTags, validatedAt} = value
  return {publicId, document, syncTags, validatedAt}
}

function isSnapshotOf(value: unknown, origin: string, publicId: string): value is Snapshot {
  return (
    typeof value === 'object' &&
    value !== null &&
    'origin' in value &&
    value.origin === origin &&
    'publicId' in value &&
    value.publicId === publicId &&
    'document' in value &&
    isSite(value.document, publicId) &&
    'syncTags' in value &&
    areStrings(value.syncTags) &&
    'validatedAt' in value &&
    typeof value.validatedAt === 'number'
  )
}
