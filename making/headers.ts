import {secretKindOf} from '../schemas/rules/names/secrets.ts'
import type {Row} from './exchange.ts'

/** Headers that browsers and programs set by themselves, or that a tool sets by what it sends. */
const BY_THEMSELVES =
  /^(?:accept|accept-.*|content-.*|authorization|cookie|user-agent|cache-control|pragma|priority|range|if-.*|dnt|sec-.*|origin|referer|host|connection|te|upgrade.*|x-forwarded-.*)$/i

/** A date or a number, such as `2022-11-28` and `v1.2`. */
const VERSION = /^v?\d{1,4}(?:[.-]\d{1,3}){0,3}$/i
const OF_VERSION = /(?:version|revision)$/i

const CODE = /^(?:[a-z]{2}(?:[-_][a-z]{2})?|[A-Z]{3})$/i
const OF_CODE = /(?:lang|language|locale|country|currency|region|market|store)$/i

/** Words that say how to answer, such as those of `Prefer`: https://www.rfc-editor.org/rfc/rfc7240 */
const WORD =
  /^(?:true|false|XMLHttpRequest|fetch|default|respond-async|(?:return|count|resolution|handling|missing|tx)=[a-z-]+)$/i

/** The headers that every call sends as well: those whose name and value cannot be a key, a session, or about a visitor. */
export function harmlessHeaders(headers: readonly (readonly [name: string, value: string])[]): Row[] {
  return headers.flatMap(([name, value]) => {
    const isHarmless =
      (OF_VERSION.test(name) && VERSION.test(value)) ||
      (OF_CODE.test(name) && CODE.test(value)) ||
      value.split(/,\s*/).every((word) => WORD.test(word))
    const isTaken = isHarmless && !BY_THEMSELVES.test(name) && secretKindOf(name) === undefined
    return isTaken ? [{name, value}] : []
  })
}
