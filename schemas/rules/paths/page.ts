import {webAddress} from '../origin.ts'
import {accept, type Parsed, refuse} from '../parsed.ts'

/** A page of a site, as somebody typed it or copied it from an address bar. */
export type TypedPage = {
  /** The path, still with its escapes. */
  readonly path: string
  /** The query, with its `?`, or an empty text. */
  readonly query: string
  /** The origin of a copied address that is not one of the site's addresses. */
  readonly elsewhere?: string
}

/** A host name or an IPv4 address, perhaps with a port. */
const HOST = /^(?:[a-z\d-]+(?:\.[a-z\d-]+)+|localhost)(?::\d{1,5})?$/i
const IP = /^\d+\.\d+\.\d+\.\d+(?::\d{1,5})?$/
const SCHEME = /^[a-z][a-z\d+.-]*:(?!\d)/i

/**
 * Parses a page: a path, or an address with or without scheme, query and fragment. Of an address, the path counts.
 * @param addresses the origins of the site. If there are none, a page may be anywhere.
 */
export function parsePage(typed: string, addresses: readonly string[] = []): Parsed<TypedPage> {
  const text = typed.trim()
  if (text.startsWith('/') || /^[?#]/.test(text)) return accept(splitPath(text))
  const address = SCHEME.test(text) ? text : hostIn(text, addresses) && `https://${text}`
  if (address === undefined) {
    const [first = ''] = text.split(/[/?#]/)
    if (!HOST.test(first) || !first.includes('.')) return accept(splitPath(text))
    return refuse(
      `“${first}” can be a page or a website: type “/${text}” for the page, or the whole address with https://.`,
    )
  }
  const url = webAddress(address)
  if (url === undefined)
    return refuse(
      `“${text}” is not the address of a page: copy one that begins with https://, or type a path such as /products/7.`,
    )
  const isHere = addresses.length === 0 || addresses.some((one) => isSameSite(new URL(one), url))
  return accept({path: url.pathname, query: url.search, ...(!isHere && {elsewhere: url.origin})})
}

function splitPath(text: string): TypedPage {
  const [path = '', ...query] = text.replace(/#.*/s, '').split('?')
  return {
    path: path.startsWith('/') ? path : `/${path}`,
    query: query.length === 0 ? '' : `?${query.join('?')}`,
  }
}

/** The host with which a text without a scheme begins; undefined if it may be the name of a page. */
function hostIn(text: string, addresses: readonly string[]): string | undefined {
  const [first = ''] = text.split(/[/?#]/)
  if (!HOST.test(first)) return undefined
  const isKnown = addresses.some((one) => withoutWww(new URL(one).host) === withoutWww(first.toLowerCase()))
  const isHost =
    isKnown || IP.test(first) || /:\d+$|^www\.|^localhost$/i.test(first) || text.length > first.length
  return isHost ? first : undefined
}

/** Whether two addresses lead to the same site: with and without `www.` and TLS, one redirects to the other. */
function isSameSite(a: URL, b: URL): boolean {
  return withoutWww(a.hostname) === withoutWww(b.hostname) && a.port === b.port
}

function withoutWww(host: string): string {
  return host.replace(/^www\./, '')
}
