/** Characters of an error that count. */
const LONGEST = 200

/** Shorter values of arguments may be anywhere in a text. */
const SHORTEST_VALUE = 3

/** Arguments of which the values are looked for, at most. */
const MAX_VALUES = 100

/**
 * The first line of an error, with `#` for each value of an argument, each number and each e-mail address in it. So calls
 * with other arguments have the same text, and it says nothing about them. A status stays, and what a website said goes, so
 * that the sentences of compiled tools (`actions/run/outcome.ts`) are known.
 */
export function errorText(message: string, args?: unknown): string {
  let [line = ''] = message.trim().split('\n', 1)
  line = line.slice(0, LONGEST)
  for (const value of valuesIn(args).sort((a, b) => b.length - a.length)) line = line.replaceAll(value, '#')
  return line
    .replace(/^The website says: “.*”\.? (?=The )/, '')
    .replace(/[^\s#]+@[^\s#]+|(?<!status \d{0,2})\d+/g, '#')
    .replace(/#+/g, '#')
}

function valuesIn(args: unknown): string[] {
  const values: string[] = []
  const left = [args]
  while (left.length && values.length < MAX_VALUES) {
    const value = left.pop()
    if (typeof value === 'string' && value.length >= SHORTEST_VALUE) values.push(value)
    else if (typeof value === 'object' && value) left.push(...Object.values(value).slice(0, MAX_VALUES))
  }
  return values
}

/** 64 bits that stand for a text: FNV-1a twice, with two primes. Anybody can hash a guess and compare. */
export function hashText(text: string): string {
  let high = 0x811c9dc5
  let low = 0x9e3779b9
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 0x01000193)
    low = Math.imul(low ^ unit, 0x85ebca6b)
  }
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}
