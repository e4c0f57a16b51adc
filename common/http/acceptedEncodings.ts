import {LRUCache} from 'lru-cache'

/** A content encoding that servers here use. */
export type Encoding = 'br' | 'gzip' | 'identity'

/** The order of preference if a client accepts several equally. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip', 'identity']

/** Without the header, any encoding may be sent (RFC 9110 §12.5.3). The plain text is the safest. */
const WITHOUT_FIELD: readonly Encoding[] = ['identity', 'br', 'gzip']

/**
 * Cache of parsed headers, limited in number and length. Browsers send a few short ones; other clients could
 * make up any number.
 */
const remembered = new LRUCache<string, readonly Encoding[]>({max: 200})
const MAX_LENGTH = 200

/**
 * Returns the encodings that an `Accept-Encoding` header allows, the best one first. `identity` is always
 * included as the fallback.
 * @param field `undefined` if the header is missing.
 */
export function acceptedEncodings(field: string | undefined): readonly Encoding[] {
  if (field === undefined) return WITHOUT_FIELD
  const known = remembered.get(field)
  if (known) return known
  const accepted = rank(field)
  if (field.length <= MAX_LENGTH) remembered.set(field, accepted)
  return accepted
}

function rank(field: string): readonly Encoding[] {
  const qualities = new Map<string, number>()
  // Encoding names are case-insensitive (§8.4.1).
  for (const member of field.toLowerCase().split(',')) {
    const [name = '', ...parameters] = member.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    qualities.set(name, weight === undefined ? 1 : Number(weight.slice('q='.length)) || 0)
  }
  // `identity` is acceptable unless excluded, and least preferred unless named.
  const qualityOf = (encoding: Encoding) =>
    qualities.get(encoding) ?? qualities.get('*') ?? (encoding === 'identity' ? Number.MIN_VALUE : 0)
  const accepted = ENCODINGS.filter((encoding) => qualityOf(encoding) > 0)
  accepted.sort((one, other) => qualityOf(other) - qualityOf(one))
  return accepted.includes('identity') ? accepted : [...accepted, 'identity']
}
