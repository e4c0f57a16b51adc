/**
 * Copies a well-formed text into memory of its own, for texts that are kept: V8 keeps the whole text that a part was cut
 * from, and all parts that a text was joined from.
 */
export function ownText(text: string): string {
  return Buffer.from(text).toString()
}
