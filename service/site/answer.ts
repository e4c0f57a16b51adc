import {normalizePath} from '../../schemas/rules/paths/pathPattern.ts'
import {nameOf} from '../documentRevision.ts'
import type {CompiledSite, ServedTool} from './compiledSite.ts'
import {entityTagOf, extendedName} from './entityTag.ts'
import type {SiteConfig} from './siteConfig.ts'

/**
 * Returns the config of a site for a page. Pages with the same tools share one object.
 * @param path as the snippet sent it. If missing, the config has every enabled tool of the site.
 */
export function configFor(site: CompiledSite, path: string | undefined): SiteConfig {
  const positions = positionsFor(site, path)
  const key = positions === undefined ? 'all' : positions.join()
  return site.configs.get(key) ?? remember(site, key, positions)
}

/** The positions of the tools for a path; undefined: every tool. */
function positionsFor(site: CompiledSite, path: string | undefined): readonly number[] | undefined {
  if (!site.isEnabled) return []
  return path === undefined ? undefined : site.paths.match(normalizePath(path))
}

function remember(site: CompiledSite, key: string, positions: readonly number[] | undefined): SiteConfig {
  const tools = positions?.flatMap((position) => site.tools[position] ?? []) ?? site.tools
  const config: SiteConfig = {
    entityTag: entityTagOf([nameOf(site), ...tools.map(nameInTag)]),
    encode: () => encode(site, positions ?? [...site.tools.keys()]),
  }
  site.configs.set(key, config, tools.length)
  return config
}

function nameInTag(tool: ServedTool): string {
  return tool.isExtended ? extendedName(nameOf(tool)) : nameOf(tool)
}

function encode(site: CompiledSite, positions: readonly number[]): Buffer {
  const texts = site.texts.tools()
  const json = (kind: ServedTool['kind']) =>
    positions
      .filter((position) => site.tools[position]?.kind === kind)
      .map((position) => texts[position])
      .join(',')
  return Buffer.from(
    `{"siteId":"${site.siteId}","tools":[${json('tool')}],"formTools":[${json('formTool')}],` +
      `"pollInterval":${site.pollInterval}}`,
  )
}
