import {hash} from 'node:crypto'
import {ownText} from '../../common/ownText.ts'
import {COMPILER_VERSION} from '../../schemas/actions/compile.ts'

/**
 * Part of every entity tag. Increase it when the same documents produce another body, for example after a
 * change of the serialization, of titles or of how hints are inferred. The revisions do not change then, and
 * browsers would keep the old body.
 */
const FORMAT_VERSION = '1'

/**
 * What was made of a document, if not only what version 0.1 served. `extended`: it has fields that were added since.
 * `compiled`: its script was compiled from an action.
 */
export type RevisionMark = 'extended' | 'compiled'

/**
 * Returns how a tag names the revision of a document. Without the mark `extended`, a page that got the document from an
 * older service would keep the body without the new fields: the revision is the same. A newer compiler makes another
 * script of the same revision. Fields of a later version need another mark.
 */
export function nameInTag(revision: string, mark: RevisionMark | undefined): string {
  switch (mark) {
    case 'extended':
      return `${revision}+`
    case 'compiled':
      return `${revision}+compiler ${COMPILER_VERSION}`
    case undefined:
      return revision
  }
}

/**
 * Returns a strong entity tag (RFC 9110 §8.8.3) for a response made of these revisions, in this order.
 * @param revisions each one identifies a document and its revision.
 */
export function entityTagOf(revisions: readonly string[]): string {
  return ownText(`"${hash('sha1', [FORMAT_VERSION, ...revisions].join('\n'), 'base64url')}"`)
}
