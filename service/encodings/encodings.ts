import {Negotiator} from '@fastify/accept-negotiator'
import {LRUCache} from 'lru-cache'

/** The content encodings (RFC 9110 §8.4.1), in the order of preference if a client accepts several equally. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Browsers send a few short headers. Other clients could make up any number, of any length. */
const negotiator = new Negotiator({
  supportedValues: [...ENCODINGS],
  cache: new LRUCache<string, string>({max: 200}),
})
const MAX_FIELD = 200

/**
 * The encoding that a client prefers, by its `Accept-Encoding`. Without the header, any may be sent (§12.5.3): the plain text is
 * the safest.
 */
export function encodingFor(field: string | undefined): Encoding {
  if (field === undefined || field.length > MAX_FIELD) return 'identity'
  const preferred = negotiator.negotiate(field)
  return ENCODINGS.find((encoding) => encoding === preferred) ?? 'identity'
}

/**
 * Returns the entity tag of a text in one encoding: a strong tag, so each has its own (§8.8.3.3).
 * @param entityTag the strong tag of the plain text.
 */
export function entityTagIn(encoding: Encoding, entityTag: string): string {
  return encoding === 'identity' ? entityTag : `${entityTag.slice(0, -1)}-${encoding}"`
}
