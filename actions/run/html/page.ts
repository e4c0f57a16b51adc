import {checkSignIn, NO_PAGE, nothingFor, SIGN_IN_PAGE, stop} from '../outcome.ts'
import type {Call} from '../request.ts'
import {type ListPlan, nextOf, pageOf} from './otherPages.ts'
import {cutLists, type Found, isEmpty, type PartReaders, readParts} from './parts.ts'

/** A page that was read. */
type ReadPage = {readonly page: Document; readonly url: string; readonly found: Found}

type Lists = readonly (ListPlan & {readonly name: string; readonly limit: number})[]

/** Adds what the next pages of lists have to what was found; returns where the next one is, in the end. */
type ReadMore = (
  first: ReadPage,
  next: string | undefined,
  lists: Lists,
  call: Call,
  read: (response: Response) => Promise<ReadPage | undefined>,
) => Promise<string | undefined>

/** The functions that a request for parts of a page needs. */
export type PageFeatures = PartReaders & {readonly readMore?: ReadMore}

/** Makes the function that returns parts of the page that a request returns. */
export const parts =
  (features: PageFeatures) =>
  async (response: Response, call: Call): Promise<unknown> => {
    const {plan, args, fail, column} = call
    const wanted = plan.parts ?? []
    const read = async (response: Response): Promise<ReadPage | undefined> => {
      const page = await pageOf(response)
      return page && {page, url: response.url, found: readParts(wanted, asSeen(page), features)}
    }
    checkSignIn(response)
    const first = (await read(response).catch(() => fail(column.unread))) ?? stop(NO_PAGE)
    const {page, url, found} = first
    if (isEmpty(found))
      return page.querySelector('input[type=password]') ? stop(SIGN_IN_PAGE) : nothingFor(plan, args)
    const lists = wanted.filter((part) => 'limit' in part)
    const after = nextOf(page, url, lists)
    const next = features.readMore ? await features.readMore(first, after, lists, call, read) : after
    const cut = cutLists(found, wanted)
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
export const readMore: ReadMore = async (first, after, lists, {plan, address, host, signal}, read) => {
  const {fetch} = host
  const {found} = first
  const entriesOf = (found: Found) => JSON.stringify(lists.map(({name}) => found[name]))
  const hasRoom = ({name, limit}: Lists[number]) => {
    const list = found[name]
    return Array.isArray(list) && list.length < limit
  }
  const seen = [address.href, first.url]
  let last = entriesOf(found)
  let next = after
  for (let page = 1; page < (plan.pages ?? 1) && next && !signal.aborted && lists.some(hasRoom); page += 1) {
    const more = await fetch(new URL(next), {signal})
      .then((response) => (response.ok ? read(response) : undefined))
      .catch(() => host.signal.throwIfAborted())
    if (!more) break
    const {url} = more
    const entries = entriesOf(more.found)
    if (new URL(url).origin !== address.origin || seen.includes(url) || entries === last) return undefined
    next = nextOf(more.page, url, lists)
    seen.push(url)
    last = entries
    for (const [name, part] of Object.entries(more.found))
      found[name] = Array.isArray(part) ? [found[name] ?? [], part].flat() : (found[name] ?? part)
    if (next && seen.includes(next)) next = undefined
  }
  return next
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
