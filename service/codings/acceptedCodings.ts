import {LRUCache} from 'lru-cache'

/** A content coding that the service knows. */
export type Coding = 'br' | 'gzip' | 'identity'

/** Where a client likes several equally, the first one is sent. */
const CODINGS: readonly Coding[] = ['br', 'gzip', 'identity']

/** Any coding may be sent where there is no field (RFC 9110 §12.5.3), and the text as it is is the safest. */
const WITHOUT_FIELD: readonly Coding[] = ['identity', 'br', 'gzip']

/** Fields that are remembered, and their length: browsers send a handful of short ones, and strangers make others up. */
const remembered = new LRUCache<string, readonly Coding[]>({max: 200})
const MAX_LENGTH = 200

/**
 * The codings that an `Accept-Encoding` allows, the best one first. `identity` is always among them, as what is sent
 * where nothing else can be.
 * @param field undefined: there was none.
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
  // Names of codings are case-insensitive (§8.4.1).
  for (const member of field.toLowerCase().split(',')) {
    const [name = '', ...parameters] = member.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    qualities.set(name, weight === undefined ? 1 : Number(weight.slice('q='.length)) || 0)
  }
  // `identity` is acceptable where it is not ruled out, and liked least where it is not named.
  const qualityOf = (coding: Coding) =>
    qualities.get(coding) ?? qualities.get('*') ?? (coding === 'identity' ? Number.MIN_VALUE : 0)
  const accepted = CODINGS.filter((coding) => qualityOf(coding) > 0)
  accepted.sort((one, other) => qualityOf(other) - qualityOf(one))
  return accepted.includes('identity') ? accepted : [...accepted, 'identity']
}
