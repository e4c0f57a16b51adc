import {all} from '../snippet/page.ts'
import {namesSite, pathFor} from '../snippet/tag.ts'

/** The path of the page, as the snippet asks for its tools. */
export function pagePath(): string {
  const tag = all<HTMLScriptElement>('script').find(namesSite)
  return tag ? pathFor(tag) : location.pathname
}
