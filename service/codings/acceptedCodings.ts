import {LRUCache} from 'lru-cache'

/** A content coding that the service supports. */
export type Coding = 'br' | 'gzip' | 'identity'

/** The order of preference if a client accepts several equally. */
const CODINGS: readonly Coding[] = ['br', 'gzip', 'identity']

/** Without the header, any coding may be sent (RFC 9110 §12.5.3). The plain text is the safest. */
const WITHOUT_FIELD: readonly Coding[] = ['identity', 'br', 'gzip']

/**
 * Cache of parsed headers, limited in number and length. Browsers send a few short ones; other clients could
 * make up any number.
 */
const remembered = new LRUCache<string, readonly Coding[]>({max: 200})
const MAX_LENGTH = 200

/**
 * Returns the codings that an `Accept-Encoding` header allows, the best one first. `identity` is always
 * included as the fallback.
 * @param field `undefined` if the header is missing.
 */
export function acceptedCodings(field: string | undefined): readonly Coding[] {
  if (field === undefined) return WITHOUT_FIELD
  const known = remembered.get(field)
  if (known) return known
  const accepted = rank(field)
  if (field.length <= MAX_LENGTH) remembered.set(field, accepted)
  return accepted
}

function rank(field: string): readonly Coding[] {
  const qualities = new Map<string, number>()
  // Coding names are case-insensitive (§8.4.1).
  for (const member of field.toLowerCase().split(',')) {
    const [name = '', ...parameters] = member.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    qualities.set(name, weight === undefined ? 1 : Number(weight.slice('q='.length)) || 0)
  }
  // `identity` is acceptable unless excluded, and least preferred unless named.
  const qualityOf = (coding: Coding) =>
    qualities.get(coding) ?? qualities.get('*') ?? (coding === 'identity' ? Number.MIN_VALUE : 0)
  const accepted = CODINGS.filter((coding) => qualityOf(coding) > 0)
  accepted.sort((one, other) => qualityOf(other) - qualityOf(one))
  return accepted.includes('identity') ? accepted : [...accepted, 'identity']
}
