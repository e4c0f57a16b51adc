import {hash} from 'node:crypto'
import {ownText} from '../../common/ownText.ts'

/**
 * Returns a strong entity tag (RFC 9110 §8.8.3) for a body. Made of nothing else, it needs no version: a service that makes
 * another body of the same documents gives it another tag, and all that make the same one agree.
 */
export function entityTagOf(body: Buffer): string {
  return ownText(`"${hash('sha1', body, 'base64url')}"`)
}
