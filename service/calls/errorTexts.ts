import {sentencesOfFailures} from '../../actions/run/outcome.ts'
import {errorText, hashText} from '../../schemas/calls/errorText.ts'

/** Without escapes and nested templates, which stay hashes. */
const LITERAL = /"([^"\\\n]+)"|'([^'\\\n]+)'|`([^`\\]+)`/g

const IDENTIFIER = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu

/** A function that is called, with the path to it, such as `cart.add(`. Without a limit, it would take quadratic time. */
const CALLED = /[\p{ID_Start}$_][\p{ID_Continue}$.]{0,80}(?=\()/gu

/** Errors of `fetch` and of signals. */
const COMMON = [
  'Failed to fetch',
  'Load failed',
  'NetworkError when attempting to fetch resource.',
  'signal timed out',
  'signal is aborted without reason',
  'The user aborted a request.',
]

/**
 * The errors that a script may have, by hash: the texts in it, and what browsers say of the names in it. Pages send only
 * hashes, so no text of an argument, a page or a visitor can come from here.
 */
export function errorTextsOf(script: string): ReadonlyMap<string, string> {
  const literals = Array.from(script.matchAll(LITERAL), ([, double, single, template]) =>
    // As in the error, `#` stands for what is inserted.
    (double ?? single ?? template ?? '').replace(/\$\{[^{}]*\}/g, '#'),
  )
  const names = [...new Set(script.match(IDENTIFIER))]
  const ofBrowsers = [
    ...names.flatMap((name) => [
      `Cannot read properties of undefined (reading '${name}')`,
      `Cannot read properties of null (reading '${name}')`,
      `${name} is not defined`,
    ]),
    ...Array.from(script.match(CALLED) ?? [], (path) => `${path} is not a function`),
  ]
  return new Map(
    [...ofBrowsers, ...COMMON, ...literals, ...sentencesOfFailures()].map((text) => {
      const shown = errorText(text)
      return [hashText(shown), shown]
    }),
  )
}
