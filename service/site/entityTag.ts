import {hash} from 'node:crypto'

/**
 * Part of every entity tag. Raise it whenever the same documents make another body (the serialiser, a title,
 * the inference of a hint): revisions alone do not know of it, and a browser would keep the old body.
 */
const FORMAT_VERSION = '1'

/**
 * A strong entity tag (RFC 9110 §8.8.3) for the answer made of these revisions, in this order.
 * @param revisions each names one document and its revision.
 */
export function entityTagOf(revisions: readonly string[]): string {
  return `"${hash('sha1', [FORMAT_VERSION, ...revisions].join('\n'), 'base64url')}"`
}
