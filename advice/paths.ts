import {parsePathPattern} from '../schemas/rules/paths/pathPattern.ts'
import {type Advice, type AdviceCode, advise} from './advice.ts'

/** Advice on a path pattern that the rules accept but that probably matches no page. */
export function advisePath(pattern: string, field: string): Advice[] {
  if (!parsePathPattern(pattern).ok) return []
  return SLIPS.flatMap(({code, wrong, message, meant}) => {
    const found = wrong.exec(pattern)
    if (found === null) return []
    const [text] = found
    const before = pattern.slice(0, found.index)
    const replacement = meant?.(before, pattern)
    const fix = replacement === undefined ? {} : {fix: {title: `Use ${replacement}`, replacement}}
    return [advise(code, field, message(text, before, pattern), {offset: found.index, ...fix})]
  })
}

/** What people write in a pattern and do not mean. */
type Slip = {
  readonly code: AdviceCode
  readonly wrong: RegExp
  /** @param before what stands before it in the pattern */
  readonly message: (text: string, before: string, pattern: string) => string
  /** The pattern that is meant, if there is one right answer. */
  readonly meant?: (before: string, pattern: string) => string
}

const SLIPS: readonly Slip[] = [
  {
    code: 'PATH_WITH_QUERY',
    wrong: /\?[^/]*=/,
    message: (text, before) =>
      `“${text}…” looks like a query string. Patterns only match the path, and “?” matches any one character: type “${before || '/'}”.`,
  },
  {
    // Outside of braces.
    code: 'PATH_WITH_COMMA',
    wrong: /(?<=^(?:[^{},]|\{(?:[^{}]|\{[^{}]*\})*\})*),/,
    message: (_text, _before, pattern) => {
      const pages = pattern.split(/\s*,\s*/).map((page) => page.replace(/^\//, ''))
      return `A comma is an ordinary character here. To match several pages, type “/{${pages.filter(Boolean).join(',')}}”.`
    },
  },
  {
    code: 'PATH_WITH_HOST',
    wrong:
      /(?<=^\/?)(?:(?:www\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|de|dev|co|uk|eu|fr|shop|app|localhost)(?=[:/]|$)|(?:localhost(?::\d+)?|www\.[^/]+)(?=\/|$))/i,
    message: (text) =>
      `“${text}” looks like the name of a host. A pattern is the part of the address after it: remove it.`,
  },
  {
    // What stands for a part of the path in other systems: `:id`, `<id>`, `$id`, `%s`, `...`.
    code: 'PATH_WITH_PLACEHOLDER',
    wrong: /(?<=\/):\w+|<\w*>|(?<=\/)\$\w+|%[sd](?=\/|$)|\.{2,}|…/,
    message: (text) =>
      `“${text}” is ordinary text here. Use “*” for one part of the path, and “**” for everything below.`,
  },
  {
    code: 'PATH_WITH_EMPTY_PART',
    wrong: /\/\//,
    message: (_text, _before, pattern) =>
      `There are two slashes in a row, and pages rarely have such a path: type “${withoutEmptyParts(pattern)}”.`,
    meant: (_before, pattern) => withoutEmptyParts(pattern),
  },
  {
    // `/stores*` is often meant to be all pages below `/stores`.
    code: 'PATH_STAR_IN_NAME',
    wrong: /(?<=\/[a-z0-9]{2,})\*$/i,
    message: (_text, before) =>
      `“*” stays within one part of the path, so this does not match ${before}/more. For that page and all pages below, type “${before}/**”.`,
    meant: (before) => `${before}/**`,
  },
  {
    // `/*` is often meant to be every page.
    code: 'PATH_ONE_LEVEL',
    wrong: /^\/\*$/,
    message: () =>
      '“/*” is on pages such as /events, but not on / and not on /events/1. For every page, type “/**”.',
    meant: () => '/**',
  },
]

function withoutEmptyParts(pattern: string): string {
  return pattern.replace(/\/{2,}/g, '/')
}
