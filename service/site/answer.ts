import {hash} from 'node:crypto'
import {ownText} from '../../common/ownText.ts'
import {normalizePath} from '../../schemas/rules/paths/pathPattern.ts'
import type {CompiledSite, SiteConfig} from './compiledSite.ts'

/**
 * Maximum configs of a site that are kept, the newest. Visitors choose the path, but the site determines which tools can occur
 * together, so nearly all sites have only a few.
 */
const MAX_CONFIGS = 1_000

/**
 * Returns the config of a site for a page. Pages with the same tools share one object.
 * @param path as the snippet sent it. If missing, the config has every enabled tool of the site.
 * @param now milliseconds since 1970. Read only if a tool of the site has a time.
 */
export function configFor(
  site: CompiledSite,
  path: string | undefined,
  now: () => number = Date.now,
): SiteConfig {
  const key = keyFor(site, path, now)
  const known = site.configs.get(key)
  if (known) return known
  const config = new StoredConfig(site, key)
  const [oldest = key] = site.configs.keys()
  if (site.configs.size >= MAX_CONFIGS) site.configs.delete(oldest)
  site.configs.set(key, config)
  return config
}

/** The key of the config with every tool. Others are the positions of their tools. After “@”, when a tool of the page comes or goes. */
const ALL = 'all'

function keyFor(
  {isEnabled, count, paths, times}: CompiledSite,
  path: string | undefined,
  now: () => number,
): string {
  if (!isEnabled) return ''
  const positions = path === undefined ? undefined : paths.match(normalizePath(path))
  if (times === undefined) return positions?.join() ?? ALL
  const time = now()
  const {absent} = times.at(time)
  const offered =
    absent.size === 0
      ? positions
      : (positions ?? positionsIn(ALL, count)).filter((position) => !absent.has(position))
  const changesAt = times.nextChange(positions, time)
  return (offered?.join() ?? ALL) + (changesAt === undefined ? '' : `@${changesAt}`)
}

/** A class, because each closure would take twice the memory of the tag. */
class StoredConfig implements SiteConfig {
  readonly entityTag: string
  readonly bytes: number
  seenIn?: number
  readonly #site: CompiledSite
  readonly #key: string

  constructor(site: CompiledSite, key: string) {
    this.#site = site
    this.#key = key
    const body = this.encode()
    // A strong one (RFC 9110 §8.8.3) of the body alone, so that all services that make this body agree.
    this.entityTag = ownText(`"${hash('sha1', body, 'base64url')}"`)
    this.bytes = body.byteLength
  }

  documentIds(): string[] {
    const served = this.#site.texts.served()
    return positionsIn(this.#key, served.length).flatMap((position) => served[position]?.documentId ?? [])
  }

  encode(): Buffer {
    const {siteId, texts, toolCount, pollInterval, conditional, translated, times} = this.#site
    const all = texts.tools()
    const lists = (positions: readonly number[]) => {
      const jsonOf = (some: readonly number[]) => some.map((position) => all[position]).join()
      const tools = jsonOf(positions.filter((position) => position < toolCount))
      return `"tools":[${tools}],"formTools":[${jsonOf(positions.filter((position) => position >= toolCount))}]`
    }
    const positions = positionsIn(this.#key, all.length)
    const forPage = positions.filter((position) => conditional.includes(position))
    const known = positions.filter((position) => !forPage.includes(position))
    // Snippets load what decides in the page where there is this member. A member of its own, so that snippets that cannot judge conditions never offer what has some.
    const [, changesAt] = this.#key.split('@')
    const time = changesAt === undefined ? '' : `,"changesAt":"${new Date(Number(changesAt)).toISOString()}"`
    const ends = times?.endsOf(positions).map(([at, until]) => [texts.served()[at]?.name, until]) ?? []
    const isForPage =
      time !== '' || forPage.length > 0 || known.some((position) => translated.includes(position))
    const last = ends.length > 0 ? `,"ends":${JSON.stringify(ends)}` : ''
    const rest = isForPage ? `,"conditional":{${lists(forPage)}}${time}${last}` : ''
    const json = `{"siteId":"${siteId}",${lists(known)},"pollInterval":${pollInterval}${rest}}`
    // Pages may carry it in a script element, which `</script` would end. `<!--` changes how it ends.
    return Buffer.from(json.replaceAll(/<(?=[/!])/g, '\\u003c'))
  }
}

/** The positions in a key. */
function positionsIn(key: string, count: number): number[] {
  const [positions = ''] = key.split('@')
  if (positions === ALL) return Array.from({length: count}, (_, position) => position)
  return positions === '' ? [] : positions.split(',').map(Number)
}
