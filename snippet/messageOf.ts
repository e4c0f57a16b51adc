/** The message of anything that was thrown. That of a `DOMException` may be empty. */
export function messageOf(thrown: unknown): string {
  const {message, name}: {message?: unknown; name?: unknown} = thrown ?? {}
  return `${message || name || (typeof thrown === 'object' ? JSON.stringify(thrown) : thrown)}`
}
