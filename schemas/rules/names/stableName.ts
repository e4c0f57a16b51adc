/** What CSS modules append, such as `__xQ3zW`, or what styled components are called: `kVpQxy`. Words in camel case are none. */
const HASH = /(?:(?:__|--)(?=.*(?:\d|[A-Z](?:[A-Z]|.?$|[a-z][A-Z])))|^(?=.*[A-Z][a-z][A-Z]))[\w-]{5,8}$/

/** Whether a name of an element looks chosen by a person: generated ones, such as `:r3:` or `css-1x2y3z`, change. */
export function isStable(name: string): boolean {
  return (
    /^[A-Za-z/][\w\-/ .]*$/.test(name) &&
    !HASH.test(name) &&
    !/\d{3}|[a-z]\d[a-z\d]*\d|[a-z]\d[a-z]+\d?|^(css|sc|jsx?)-/i.test(name)
  )
}
