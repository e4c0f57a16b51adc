import {type Fields, isRecord, recordsIn} from '../../schemas/record.ts'
import type {References} from './references.ts'

/**
 * What is said of the keys and tokens that an operation needs. The cookie of a visitor is sent, and is none.
 * @param security requirements, of which one is enough
 */
export function notesOfSecurity(security: unknown, document: Fields, references: References): string[] {
  const {components} = document
  const schemes = isRecord(components) ? components.securitySchemes : undefined
  const isCookie = (name: string) =>
    isRecord(schemes) && Object.hasOwn(schemes, name) && references.resolve(schemes[name])?.in === 'cookie'
  const needed = recordsIn(security).map((one) => Object.keys(one).filter((name) => !isCookie(name)))
  const [first] = needed
  if (first === undefined || needed.some((names) => names.length === 0)) return []
  return [
    `The server asks for a key or a token (${first.join(', ')}), which every visitor could read in a tool: let a server of yours add it.`,
  ]
}
