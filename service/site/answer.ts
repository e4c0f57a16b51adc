import {normalizePath} from '../../schemas/rules/paths/pathPattern.ts'
import {nameOf} from '../documentRevision.ts'
import type {CompiledSite} from './compiledSite.ts'
import {entityTagOf, nameInTag} from './entityTag.ts'
import type {SiteConfig} from './siteConfig.ts'

/**
 * Returns the config of a site for a page. Pages with the same tools share one object.
 * @param path as the snippet sent it. If missing, the config has every enabled tool of the site.
 */
export function configFor(site: CompiledSite, path: string | undefined): SiteConfig {
  const key = positionsFor(site, path)?.join() ?? ALL
  return site.configs.get(key) ?? remember(site, key)
}

/** The key of the config with every tool. Others are the positions of their tools. */
const ALL = 'all'

/** The positions of the tools for a path; undefined: every tool. */
function positionsFor(site: CompiledSite, path: string | undefined): readonly number[] | undefined {
  if (!site.isEnabled) return []
  return path === undefined ? undefined : site.paths.match(normalizePath(path))
}

function remember(site: CompiledSite, key: string): SiteConfig {
  const served = selected(site.texts.served(), key)
  const config = new StoredConfig(
    site,
    key,
    entityTagOf([nameOf(site), ...served.map((tool) => nameInTag(nameOf(tool), tool.isCompiled === true))]),
  )
  site.configs.set(key, config)
  return config
}

/** A class, because each closure would take twice the memory of the tag. */
class StoredConfig implements SiteConfig {
  readonly entityTag: string
  notKeptAt?: number
  seenIn?: number
  readonly #site: CompiledSite
  readonly #key: string

  constructor(site: CompiledSite, key: string, entityTag: string) {
    this.#site = site
    this.#key = key
    this.entityTag = entityTag
  }

  documentIds(): string[] {
    return selected(this.#site.texts.served(), this.#key).map(({documentId}) => documentId)
  }

  encode(): Buffer {
    const {siteId, texts, toolCount, pollInterval} = this.#site
    const all = texts.tools()
    const tools = selected(all.slice(0, toolCount), this.#key).join()
    const formTools = selected(all, this.#key, toolCount).join()
    return Buffer.from(
      `{"siteId":"${siteId}","tools":[${tools}],"formTools":[${formTools}],"pollInterval":${pollInterval}}`,
    )
  }
}

/** Returns the items of a config, from this position on. */
function selected<T>(items: readonly T[], key: string, from = 0): T[] {
  if (key === ALL) return items.slice(from)
  if (key === '') return []
  return key
    .split(',')
    .flatMap((position) => (Number(position) < from ? [] : (items[Number(position)] ?? [])))
}
