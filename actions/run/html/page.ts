import {checkPage, checkSignIn, ledTo, nothingFor, UNREAD} from '../outcome.ts'
import type {Call} from '../request.ts'
import {stop} from '../said.ts'
import {forEach, type ListPlan, nextOf, pageOf, rest} from './otherPages.ts'
import {cutLists, type Found, isEmpty, type PartReaders, readParts} from './parts.ts'

/** A page that was read. */
type ReadPage = {readonly page: Document; readonly url: string; readonly found: Found}

type Lists = readonly (ListPlan & {readonly name: string; readonly limit: number})[]

/** Adds what the next pages of lists have to what was found; returns where the next one is, in the end. */
type ReadMore = (
  first: ReadPage,
  next: string | undefined,
  lists: Lists,
  call: PageCall,
) => Promise<string | undefined>

/** A request for parts of a page that was sent. */
type PageCall = Call & PartReaders & {readonly readMore?: ReadMore}

async function readPage(response: Response, call: PageCall): Promise<ReadPage | undefined> {
  const {parts = [], ended: signal} = call
  const ending = {signal}
  const page = await pageOf(response, ending)
  if (!page) return undefined
  await setAsSeen(page, ending)
  return {page, url: response.url, found: await readParts({...call, ...ending, parts, document: page})}
}

/** Parts of the page that a request returns. */
export const parts = async (response: Response, call: PageCall): Promise<unknown> => {
  const {parts = [], column, fail, readMore} = call
  const first = (await readPage(response, call).catch(fail)) ?? stop(UNREAD + column.unsure)
  const {page, url, found} = first
  const isNone = isEmpty(found)
  // A sign-in page may have a heading, and no list.
  if (!Object.values(found).some((part) => Array.isArray(part) && part.length > 0))
    checkPage(response, column, page.body.innerHTML, !isNone)
  if (isNone) {
    const led = ledTo(response)
    // Searches are sent by POST, too: they have words that are searched, or an editor's own text.
    return column.unsure && !call.nothing ? stop(UNREAD + column.unsure) : nothingFor(call, led && `${led} `)
  }
  const lists = parts.filter((part) => 'limit' in part)
  await rest({signal: call.ended})
  const after = nextOf(page, url, lists)
  const next = readMore ? await readMore(first, after, lists, call) : after
  cutLists(found, parts)
  for (const {name} of lists) {
    const list = found[name]
    if (next && Array.isArray(list) && list.length > 0)
      list.push(`The list has more pages; the next one is ${next}`)
  }
  return found
}

/**
 * Reads more pages, while a list has room. A page that fails ends the lists, and the agent reads where it is. One that was read
 * before, or of another website, is none.
 */
export const readMore: ReadMore = async (first, after, lists, call) => {
  const {fetch, signal, ended, pages = 1} = call
  const {found} = first
  const hasRoom = ({name, limit}: Lists[number]) => {
    const list = found[name]
    return Array.isArray(list) && list.length < limit
  }
  // Where pages are, and what is in their lists: on each page, one may be the same.
  const seen = [first.url]
  const unseen = (found: Found) =>
    lists.flatMap(({name}) => {
      const entries = name + JSON.stringify(found[name])
      if (seen.includes(entries)) return []
      seen.push(entries)
      return name
    })
  unseen(found)
  let next = after
  for (let page = 1; page < pages && next && !signal.aborted && lists.some(hasRoom); page += 1) {
    const more = await fetch(new URL(next), {signal})
      .then((response) => {
        checkSignIn(response, call.column)
        return response.ok ? readPage(response, call) : undefined
      })
      .catch(() => ended.throwIfAborted())
    // A page without a list asks to sign in, or says that something failed.
    if (!more || isEmpty(Object.fromEntries(lists.map(({name}) => [name, more.found[name]])))) break
    const {url} = more
    const names = unseen(more.found)
    if (new URL(url).origin !== new URL(first.url).origin || seen.includes(url) || names.length === 0)
      return undefined
    next = nextOf(more.page, url, lists)
    seen.push(url)
    for (const [name, part] of Object.entries(more.found))
      if (!Array.isArray(part)) found[name] ??= part
      else if (names.includes(name)) found[name] = [found[name] ?? [], part].flat()
    if (next && seen.includes(next)) next = undefined
  }
  return next
}

const NOT_SEEN =
  'script, style, template, noscript, td > form:not(:only-child, :has(td, li)), [hidden]:not([role=region], [role=tabpanel], [hidden=until-found])'

/** As on the screen: what is hidden is not read, but what visitors open is, and texts of neighbours do not run together. */
async function setAsSeen(page: Document, ending: {readonly signal: AbortSignal}): Promise<void> {
  await forEach(page.querySelectorAll(NOT_SEEN), (element) => element.remove(), ending)
  const blocks = page.querySelectorAll('body :not(b, i, em, strong, a, span, mark, small, code)')
  await forEach(blocks, (element) => element.after(' '), ending)
}
