import {parse, v5, validate} from 'uuid'

/** The namespace of the identifiers that Handrail makes of document ids. Never changes: pages hold them. */
const NAMESPACE = parse('6f0dd51c-9f0b-5d38-a2b4-3c6f4c5f9a10')

/** A document's `_id` where it is a UUID, else the version 5 UUID of it (RFC 9562 §5.5). */
export function uuidOf(documentId: string): string {
  return validate(documentId) ? documentId : v5(documentId, NAMESPACE)
}
