const TOKENS = /\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|[)|]|[*+?]|\{\d+(?:,\d*)?\}|./gsu

/** Repetitions of a group that cannot take minutes, as in `(\d+\.){3}`. */
const FEW = 10

/** What is wrong with a regular expression that a test expects a result to match. */
export function problemOfPattern(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u')
  } catch {
    return `“${pattern}” is not a regular expression: check its brackets`
  }
  return repeatsWhatVaries(pattern)
    ? `“${pattern}” repeats a group in which something is repeated, optional or a choice: that can take minutes, so write it without the group`
    : undefined
}

/**
 * Whether a group of various lengths is repeated, as in `(a+)+`: the number of ways to match a text can double with
 * each of its characters.
 * @param pattern a regular expression with the flag `u`
 */
function repeatsWhatVaries(pattern: string): boolean {
  let group = {varies: false}
  const outer: (typeof group)[] = []
  let before = {isQuantifier: false, varies: false}
  for (const [token] of pattern.matchAll(TOKENS)) {
    const most = before.isQuantifier ? undefined : mostOf(token)
    if (most !== undefined) {
      if (most > FEW && before.varies) return true
      if (!/^\{\d+\}$/.test(token)) group.varies = true
    } else if (token === '|') group.varies = true
    else if (token.startsWith('(')) {
      outer.push(group)
      group = {varies: false}
    }
    before = {isQuantifier: most !== undefined, varies: token === ')' && group.varies}
    if (token === ')') {
      const {varies} = group
      group = outer.pop() ?? group
      group.varies ||= varies
    }
  }
  return false
}

/** How often a quantifier repeats at most; undefined for what is none. */
function mostOf(token: string): number | undefined {
  if (token === '?') return 1
  if (token === '*' || token === '+') return Number.POSITIVE_INFINITY
  const [, least, comma, most] = /^\{(\d+)(,?)(\d*)\}$/.exec(token) ?? []
  if (least === undefined) return undefined
  return comma === '' ? Number(least) : Number(most || Number.POSITIVE_INFINITY)
}
