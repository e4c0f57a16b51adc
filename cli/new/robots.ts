type Rule = {readonly isAllowed: boolean; readonly pattern: string}

/** Bytes that are read: https://www.rfc-editor.org/rfc/rfc9309#section-2.5 wants at least these. */
export const MAX_ROBOTS = 512_000

/** What `robots.txt` says to programs that it does not name: the addresses of sitemaps, and whether a path may be opened. */
export function readRobots(text: string) {
  const rules: Rule[] = []
  const sitemaps: string[] = []
  let [isForAll, isNaming] = [false, false]
  for (const line of text.split(/\r?\n/)) {
    const [, key = '', value = ''] = /^\s*([\w-]+)\s*:\s*([^#\s]*)/.exec(line) ?? []
    const field = key.toLowerCase()
    if (field === 'user-agent') {
      isForAll = (isNaming && isForAll) || value === '*'
      isNaming = true
    } else if (field === 'sitemap') sitemaps.push(value)
    else if (field !== '') {
      isNaming = false
      if (isForAll && value !== '' && /^(?:dis)?allow$/.test(field))
        rules.push({isAllowed: field === 'allow', pattern: value})
    }
  }
  // The longest rule counts, and of two with the same length the one that allows.
  rules.sort((a, b) => b.pattern.length - a.pattern.length || Number(b.isAllowed) - Number(a.isAllowed))
  return {
    sitemaps,
    mayOpen: (path: string) => rules.find(({pattern}) => matches(pattern, path))?.isAllowed ?? true,
  }
}

/** In linear time: others write the pattern. */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$')
  const [first = '', ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const part of parts) {
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  if (!isWhole || at === path.length) return true
  const last = parts.at(-1)
  return last !== undefined && path.endsWith(last)
}
