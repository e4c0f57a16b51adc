import type {Parts} from '../reading.ts'
import {IS_EMPTY, partsCode} from './reading.ts'
import {slow, TIMEOUT_SECONDS, unreached} from './sentences.ts'
import {nothingCode, statusCode, textCode, throwCode} from './text.ts'

type Page = {
  readonly parts: Parts
  /** Undefined: the page’s own. */
  readonly origin: string | undefined
  /** The code of what an agent reads if there is nothing. */
  readonly nothing: string
  /** Whether status 404 means that there is nothing. */
  readonly isLookup: boolean
}

/**
 * Statements that load a page and return parts of it. `XMLHttpRequest` parses it without running or loading anything, makes
 * addresses absolute by the page's own address, and is allowed by policies that require Trusted Types.
 */
export function pageCode({parts, origin, nothing, isLookup}: Page): string[] {
  return [
    'const request = new XMLHttpRequest()',
    "request.open('GET', address)",
    "request.responseType = 'document'",
    `request.timeout = ${TIMEOUT_SECONDS}_000`,
    'await new Promise((resolve, reject) => {',
    '  const fail = (problem) => () => reject(problem)',
    '  request.onload = resolve',
    `  request.onerror = fail(new Error(${textCode(unreached(false, origin))}))`,
    `  request.ontimeout = fail(new Error(${textCode(slow(false))}))`,
    '  request.onabort = () => reject(signal.reason)',
    "  signal.addEventListener('abort', () => request.abort())",
    '  request.send()',
    '})',
    'const {status, response: document} = request',
    ...(isLookup ? [nothingCode('status === 404', nothing)] : []),
    `if (status >= 400) {\n${statusCode(false)}\n}`,
    throwCode('!document', "'The website did not send a page. This tool has to be changed.'"),
    '// As on the screen: what is hidden is not read, and texts of neighbours do not run together.',
    "for (const element of document.querySelectorAll('script, style, template, noscript, [hidden]')) element.remove()",
    "for (const element of document.querySelectorAll('body :not(b, i, em, strong, a, span, mark, small, code)')) element.after(' ')",
    ...partsCode(parts),
    throwCode(
      `${IS_EMPTY} && document.querySelector('input[type=password]')`,
      "'The website sent its sign-in page: the visitor may have to sign in first.'",
    ),
    nothingCode(IS_EMPTY, nothing),
    'return found',
  ]
}
