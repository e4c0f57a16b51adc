import type {Parts} from '../../schemas/actions/reading.ts'
import {NEXT_OF, PAGE_OF} from './otherPages.ts'
import {foundCode, functionsCode, IS_EMPTY} from './reading.ts'
import {BROKEN, UNREAD} from './sentences.ts'
import {CUT, jsonCode, nothingCode, textCode, throwCode} from './text.ts'

/**
 * Statements that read parts of the page in `response`. It comes from `fetch`, which `mode: 'same-origin'` keeps on the page's own
 * website if it sends a token: `XMLHttpRequest` follows redirects to others.
 * @param pages how many pages of a list are read at most
 * @param nothing the code of what an agent reads if there is nothing
 * @param changes whether the request may change something
 */
export function pageCode(parts: Parts, pages: number, nothing: string, changes: boolean): string[] {
  const lists = parts.flatMap((part) => {
    if (!('limit' in part)) return []
    const {name, kind, selector, limit} = part
    return [{name, kind, selector, limit}]
  })
  // All entries are counted before lists are cut.
  const whole = parts.map((part) => ('limit' in part ? {...part, limit: Infinity} : part))
  return [
    PAGE_OF,
    ...(lists.length === 0 ? [] : [CUT, NEXT_OF]),
    'const read = (document) => {',
    '  // As on the screen: what is hidden is not read, but what visitors open is, and texts of neighbours do not run together.',
    "  for (const element of document.querySelectorAll('script, style, template, noscript, [hidden]:not([role=region], [role=tabpanel], [hidden=until-found])')) element.remove()",
    "  for (const element of document.querySelectorAll('body :not(b, i, em, strong, a, span, mark, small, code)')) element.after(' ')",
    ...functionsCode(parts).map((code) => code.replaceAll(/^(?=.)/gm, '  ')),
    `  return ${foundCode(whole, '  ')}`,
    '}',
    '',
    `const page = await pageOf(response).catch(() => fail(${textCode(changes ? BROKEN : UNREAD)}))`,
    throwCode('!page', "'The website did not send a page. This tool has to be changed.'"),
    'const found = read(page)',
    throwCode(
      `${IS_EMPTY} && page.querySelector('input[type=password]')`,
      "'The website sent its sign-in page: the visitor may have to sign in first.'",
    ),
    nothingCode(IS_EMPTY, nothing),
    ...(lists.length === 0 ? [] : listsCode(jsonCode(lists), pages)),
    'return found',
  ]
}

/** Statements that read more pages of the lists, and say how much is left. */
function listsCode(lists: string, pages: number): string[] {
  return [
    `const lists = ${lists}`,
    'let next = nextOf(page, response.url, lists)',
    ...(pages === 1 ? [] : [morePages(pages)]),
    `for (const {name, limit} of lists) {
  if (!found[name]?.length) continue
  found[name] = cut(found[name], limit)
  if (next) found[name].push(\`The list has more pages; the next one is \${next}\`)
}`,
  ]
}

/** A page that fails ends the list, and the agent reads where it is. One that was read before, or of another website, is none. */
function morePages(pages: number): string {
  return `// More pages, while a list has room.
const entriesOn = (page) => JSON.stringify(lists.map(({name}) => page[name]))
const load = async (address) => {
  const response = await fetch(address, {signal: AbortSignal.any([signal, timeout])})
  return response.ok ? {page: await pageOf(response), place: response.url} : {}
}
const seen = [address.href, response.url]
let last = entriesOn(found)
for (let count = 2; count <= ${pages} && next && !timeout.aborted; count++) {
  if (lists.every(({name, limit}) => (found[name]?.length ?? limit) >= limit)) break
  const {page, place} = await load(next).catch(() => signal.throwIfAborted()) ?? {}
  if (!page) break
  const more = read(page)
  const isNew = new URL(place).origin === address.origin && !seen.includes(place) && entriesOn(more) !== last
  next = isNew ? nextOf(page, place, lists) : undefined
  if (!isNew) break
  seen.push(place)
  last = entriesOn(more)
  for (const [name, part] of Object.entries(more)) found[name] = Array.isArray(part) ? [...(found[name] ?? []), ...part] : found[name] ?? part
  if (seen.includes(next)) next = undefined
}`
}
