import {parse, v5, validate} from 'uuid'

/**
 * The namespace of the UUIDs that Handrail derives from document IDs. It never changes, because pages store
 * them.
 */
const NAMESPACE = parse('6f0dd51c-9f0b-5d38-a2b4-3c6f4c5f9a10')

/** Returns a document's `_id` if it is a UUID, otherwise its version 5 UUID (RFC 9562 §5.5). */
export function uuidOf(documentId: string): string {
  return validate(documentId) ? documentId : v5(documentId, NAMESPACE)
}
