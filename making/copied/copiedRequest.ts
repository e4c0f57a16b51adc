import {METHODS} from '../../schemas/actions/request.ts'
import {accept, type Parsed, refuse} from '../../schemas/rules/parsed.ts'
import type {Row} from '../exchange.ts'
import {harmlessHeaders} from '../headers.ts'
import type {Exchange} from '../values.ts'

/** What a command or a line of code asks for. */
export type CopiedRequest = {
  readonly exchange: Exchange
  /** Headers that the tool sends as well. */
  readonly headers: readonly Row[]
  /** Names of headers that are not taken over: browsers set most of them, and secrets do not belong into a tool. */
  readonly leftOut: readonly string[]
}

/** What stands in a copied text. */
type Copied = {
  readonly method: string
  readonly address: URL | undefined
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: string | undefined
  /** The type of a body that no header names. */
  readonly usualType: string | undefined
}

/** Headers that say of a body or of an answer what it is: a tool sets them by what it sends. */
const OF_CONTENT = /^(?:content-type|accept|content-length)$/i

/** The request that a text asks for, if a tool can send such a one. */
export function copiedRequest({
  method: wanted,
  address,
  headers,
  body,
  usualType,
}: Copied): Parsed<CopiedRequest> {
  if (address === undefined) return refuse('The text has no address, which begins with https://.')
  const method = METHODS.find((known) => known === wanted.toUpperCase())
  if (method === undefined)
    return refuse(
      `The method of the command is “${wanted.slice(0, 20)}”, which gets no data: copy another request of the page.`,
    )
  if (method === 'GET' && body !== undefined)
    return refuse('The command sends data with GET, which browsers cannot. Many servers take POST as well.')
  const [, contentType = usualType] = headers.find(([name]) => /^content-type$/i.test(name)) ?? []
  const hasSecret = address.username !== '' || address.password !== ''
  const sent = harmlessHeaders(headers)
  const others = headers.filter(([name]) => !OF_CONTENT.test(name) && !sent.some((one) => one.name === name))
  return accept({
    exchange: {method, address: address.href, ...(body !== undefined && {body, contentType})},
    headers: sent,
    leftOut: [...new Set([...others.map(([name]) => name), ...(hasSecret ? ['Authorization'] : [])])],
  })
}
