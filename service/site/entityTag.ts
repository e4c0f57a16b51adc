import {hash} from 'node:crypto'
import {COMPILER_VERSION} from '../../actions/compile.ts'
import {ownText} from '../../common/ownText.ts'

/**
 * Part of every entity tag. Increase it when the same documents produce another body, for example after a
 * change of the serialization, of titles or of how hints are inferred. The revisions do not change then, and
 * browsers would keep the old body.
 */
const FORMAT_VERSION = '1'

/**
 * Returns how a tag names the revision of a tool.
 * @param isCompiled whether its script was compiled from an action: a newer compiler makes another script of the same
 * revision
 */
export function nameInTag(revision: string, isCompiled: boolean): string {
  return isCompiled ? `${revision}+compiler ${COMPILER_VERSION}` : revision
}

/**
 * Returns a strong entity tag (RFC 9110 §8.8.3) for a response made of these revisions, in this order.
 * @param revisions each one identifies a document and its revision.
 */
export function entityTagOf(revisions: readonly string[]): string {
  return ownText(`"${hash('sha1', [FORMAT_VERSION, ...revisions].join('\n'), 'base64url')}"`)
}
