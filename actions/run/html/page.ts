import {checkSignIn, NO_PAGE, nothingFor, SIGN_IN_PAGE, stop} from '../outcome.ts'
import type {Call} from '../request.ts'
import {type ListPlan, nextOf, pageOf} from './otherPages.ts'
import {cutLists, type Found, isEmpty, type PartReaders, readParts} from './parts.ts'

/** A page that was read. */
type ReadPage = {readonly page: Document; readonly url: string; readonly found: Found}

/** Reads the next pages of lists: where the next one is, in the end. */
type ReadMore = (
  first: ReadPage,
  lists: readonly (ListPlan & {readonly name: string; readonly limit: number})[],
  call: Call,
  read: (page: Document) => Found,
) => Promise<{readonly found: Found; readonly next: string | undefined}>

/** The functions that a request for parts of a page needs. */
export type PageFeatures = PartReaders & {readonly readMore?: ReadMore}

/** Makes the function that returns parts of the page that a request returns. */
export const parts =
  (features: PageFeatures) =>
  async (response: Response, call: Call): Promise<unknown> => {
    const {plan, fail, column} = call
    const wanted = plan.parts ?? []
    checkSignIn(response)
    const page = (await pageOf(response).catch(() => fail(column.unread))) ?? stop(NO_PAGE)
    const read = (page: Document) => readParts(wanted, asSeen(page), features)
    const found = read(page)
    if (isEmpty(found)) {
      if (page.querySelector('input[type=password]')) stop(SIGN_IN_PAGE)
      return nothingFor(plan, call.args)
    }
    const lists = wanted.filter((part) => 'limit' in part)
    const {url} = response
    const all = (await features.readMore?.({page, url, found}, lists, call, read)) ?? {found}
    const cut = cutLists(all.found, wanted)
    const next = 'next' in all ? all.next : lists.length > 0 ? nextOf(page, url, lists) : undefined
    for (const {name} of lists) {
      const list = cut[name]
      if (next && Array.isArray(list) && list.length > 0)
        list.push(`The list has more pages; the next one is ${next}`)
    }
    return cut
  }

/**
 * Reads more pages, while a list has room. A page that fails ends the lists, and the agent reads where it is. One that was read
 * before, or of another website, is none.
 */
export const readMore: ReadMore = async (first, lists, {plan, address, host, signal}, read) => {
  const {fetch} = host
  const load = async (next: string): Promise<ReadPage | undefined> => {
    const response = await fetch(new URL(next), {signal})
    const page = response.ok ? await pageOf(response) : undefined
    return page && {page, url: response.url, found: read(page)}
  }
  const entriesOf = (found: Found) => JSON.stringify(lists.map(({name}) => found[name]))
  const isFull = (list: unknown, limit: number) => !Array.isArray(list) || list.length >= limit
  const found = {...first.found}
  const seen = [address.href, first.url]
  let last = entriesOf(found)
  let next = nextOf(first.page, first.url, lists)
  for (let count = 2; count <= (plan.pages ?? 1) && next && !signal.aborted; count += 1) {
    if (lists.every(({name, limit}) => isFull(found[name], limit))) break
    const more = await load(next).catch(() => host.signal.throwIfAborted())
    if (!more) break
    const {url} = more
    const entries = entriesOf(more.found)
    const isNew = new URL(url).origin === address.origin && !seen.includes(url) && entries !== last
    next = isNew ? nextOf(more.page, url, lists) : undefined
    if (!isNew) break
    seen.push(url)
    last = entries
    for (const [name, part] of Object.entries(more.found)) {
      const before = found[name]
      found[name] = Array.isArray(part)
        ? [...(Array.isArray(before) ? before : []), ...part]
        : (before ?? part)
    }
    if (next && seen.includes(next)) next = undefined
  }
  return {found, next}
}

const NOT_SEEN =
  'script, style, template, noscript, [hidden]:not([role=region], [role=tabpanel], [hidden=until-found])'

/** As on the screen: what is hidden is not read, but what visitors open is, and texts of neighbours do not run together. */
function asSeen(page: Document): Document {
  for (const element of page.querySelectorAll(NOT_SEEN)) element.remove()
  for (const element of page.querySelectorAll('body :not(b, i, em, strong, a, span, mark, small, code)'))
    element.after(' ')
  return page
}
