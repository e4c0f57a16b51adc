import {isRecord, recordsIn} from '../../schemas/record.ts'
import {accept, type Parsed, refuse} from '../../schemas/rules/parsed.ts'
import {scalarText} from '../../schemas/rules/text.ts'

/** Stands for the page's own address. */
const PAGE = 'https://page.invalid'

/**
 * What stands before the path of an operation: nothing if the server is one of the site's addresses.
 * @param lists the servers of the operation, of its path, and of the file: of the first that there are, one with HTTPS
 */
export function baseOf(lists: readonly unknown[], addresses: readonly string[]): Parsed<string> {
  const servers = lists.map(recordsIn).find((list) => list.length > 0) ?? []
  const server = servers.find(({url}) => String(url).startsWith('https:')) ?? servers[0]
  if (server === undefined || typeof server.url !== 'string') return accept('')
  const {variables} = server
  const text = server.url.replace(/\{([^{}]*)\}/g, (found, name: string) => {
    const variable = isRecord(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined
    const {default: usual, enum: choices}: Record<string, unknown> = isRecord(variable) ? variable : {}
    return scalarText(usual ?? (Array.isArray(choices) ? choices[0] : undefined) ?? found)
  })
  const [unknown] = /\{[^{}]*\}/.exec(text) ?? []
  if (unknown !== undefined)
    return refuse(`The address of the server has “${unknown}”, without a value: write it into the file.`)
  const url = URL.parse(text, PAGE)
  if (url === null || !/^https?:$/.test(url.protocol))
    return refuse(`“${text.slice(0, 80)}” is not the address of a server: correct it in the file.`)
  const path = url.pathname.replace(/\/+$/, '')
  const isOwn = url.origin === PAGE || addresses.some((address) => URL.parse(address)?.origin === url.origin)
  return accept(isOwn ? path : url.origin + path)
}
