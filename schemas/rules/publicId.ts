import {accept, type Parsed, refuse} from './parsed.ts'
import {parseText, showCharacter} from './text.ts'

/** The ID of a site in its pages and in the service's addresses: URL-safe, so that it is the same in both. */
export function parsePublicId(value: unknown): Parsed<string> {
  const text = parseText(value, 'The public ID', 64)
  if (!text.ok) return text
  const [foreign] = text.value.match(/[^A-Za-z0-9_-]/u) ?? []
  if (foreign !== undefined) {
    return refuse(
      `A public ID cannot contain ${showCharacter(foreign)}: use only the letters A to Z, digits, "_" and "-".`,
    )
  }
  if (text.value.length < 6) return refuse('A public ID needs at least 6 characters.')
  return accept(text.value)
}

// 32 characters, so that five random bits choose one uniformly. Of the look-alikes `0 o 1 l i`, it has only `1`.
const ALPHABET = '123456789abcdefghjkmnpqrstuvwxyz'

/** Generates a public ID: 20 characters, 100 random bits, so IDs neither collide nor can be guessed. */
export function generatePublicId(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(20))
  return Array.from(bytes, (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('')
}
