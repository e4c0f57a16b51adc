import {hash} from 'node:crypto'
import {ownText} from '../../common/ownText.ts'

/**
 * Part of every entity tag. Increase it when the same documents produce another body, for example after a
 * change of the serialization, of titles or of how hints are inferred. The revisions do not change then, and
 * browsers would keep the old body.
 */
const FORMAT_VERSION = '1'

/**
 * Returns how a tag names the revision of a document with fields that were added since version 0.1. Without it,
 * a page that got the document from an older service would keep the body without them: the revision is the same.
 * Fields of a later version need another mark.
 */
export function extendedName(revision: string): string {
  return `${revision}+`
}

/**
 * Returns a strong entity tag (RFC 9110 §8.8.3) for a response made of these revisions, in this order.
 * @param revisions each one identifies a document and its revision.
 */
export function entityTagOf(revisions: readonly string[]): string {
  return ownText(`"${hash('sha1', [FORMAT_VERSION, ...revisions].join('\n'), 'base64url')}"`)
}
