/** A request to the service that the page's Content-Security-Policy blocked. */
export type Blocked = {
  readonly url: string
  /** The directive that has to allow the service, such as `connect-src`. */
  readonly directive: string
  /** That directive as the policy should have it. */
  readonly line: string
  /** Whether the policy has the directive already, so that the line replaces it. */
  readonly isListed: boolean
}

/** A `SecurityPolicyViolationEvent`. */
type Violation = {blockedURI: string; effectiveDirective: string; originalPolicy: string; disposition: string}

/**
 * Reads what must change in a policy that blocked a request.
 * @param base the address of the service, with a trailing slash.
 * @returns undefined if the request was not for the service, or was only reported.
 */
export function blockedBy(violation: Violation, base: string): Blocked | undefined {
  const {blockedURI, effectiveDirective, originalPolicy, disposition} = violation
  if (disposition === 'report' || !blockedURI.startsWith(base)) return undefined
  const directives = directivesOf(originalPolicy)
  const fallbacks = [effectiveDirective, effectiveDirective.replace('-elem', ''), 'default-src']
  const applied = fallbacks.find((name) => directives.has(name))
  const listed = applied === undefined ? [] : (directives.get(applied) ?? [])
  // A new directive replaces the default one, so it needs the sources of that too.
  const directive =
    applied === undefined || applied === 'default-src' ? effectiveDirective.replace('-elem', '') : applied
  const sources = listed.filter((source) => isFor(directive, source)).map(withoutNonce)
  return {
    url: blockedURI,
    directive,
    line: [directive, ...sources, new URL(base).origin].join(' '),
    isListed: directive === applied,
  }
}

/** `'none'` allows nothing else, and the sources of `default-src` that are for scripts do nothing in `connect-src`. */
function isFor(directive: string, source: string): boolean {
  const keyword = source.toLowerCase()
  if (keyword === "'none'") return false
  return directive !== 'connect-src' || !keyword.startsWith("'") || keyword === "'self'"
}

/** A nonce is another one in each response. */
function withoutNonce(source: string): string {
  return /^'nonce-/i.test(source) ? "'nonce-…'" : source
}

/** The first directive of a name counts (Content Security Policy Level 3, §2.2.1). */
function directivesOf(policy: string): Map<string, string[]> {
  const directives = new Map<string, string[]>()
  for (const part of policy.split(';')) {
    const [name = '', ...sources] = part.trim().split(/\s+/)
    const key = name.toLowerCase()
    if (key !== '' && !directives.has(key)) directives.set(key, sources)
  }
  return directives
}
