/** What CSS modules append, such as `__xQ3zW` or `_Tv2o`, or what styled components are called: `kVpQxy`. Words in camel case are none. */
const HASH =
  /(?:(?:__|--)(?=.*(?:\d|[A-Z](?:[A-Z]|.?$|[a-z][A-Z])))|^(?=.*[A-Z][a-z][A-Z]))[\w-]{5,8}$|_(?=\w*(?:\d|\w[A-Z]))[A-Za-z\d]{4}$/

/** Classes of utilities: they say how something looks, and are others tomorrow. */
const UTILITY =
  /^(?:text|font|bg|border|rounded|flex|grid-cols|grid-flow|btn|gap|space-[xy]|items|justify|leading|max-[wh]|min-[wh]|ring|shadow|overflow|align|visually|[mp][trblxyse]?|[wh]|d|fs|fw|lh|css|jsx?|is|has)-|^(?:flex|grid|group|row|col|block|inline|hidden|truncate|italic|underline|uppercase|lowercase|capitalize|relative|absolute|sticky|static|clearfix|container|small|light|muted|sr-only|odd|even|first|last|active|selected|open|current|loaded|new|collapse|collapsed|fade|show)$/i

/** Whether a name of an element looks chosen by a person: generated ones, such as `:r3:` or `css-1x2y3z`, change. */
export function isStable(name: string): boolean {
  return (
    /^[A-Za-z/][\w\-/ .]*$/.test(name) &&
    !HASH.test(name) &&
    !/\d{3}|[a-z]\d[a-z\d]*\d|[a-z]\d[a-z]+\d?|^(css|sc|jsx?|phx|ember|svelte|astro)-/i.test(name)
  )
}

/** Whether a class says how an element looks, or in which state it is, and not what it is. */
export function isUtility(className: string): boolean {
  return UTILITY.test(className)
}
