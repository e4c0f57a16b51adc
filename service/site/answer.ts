import {normalizePath} from '../../schemas/rules/pathPattern.ts'
import type {CompiledSite, ServedTool} from './compile.ts'
import {entityTagOf} from './entityTag.ts'

/** What a site answers for one path: a tag that names the answer, and the means to write it. */
export type SiteConfig = {
  entityTag: string
  /** The body (specification §2.1) as UTF-8 JSON. */
  encode(): Buffer
}

/**
 * The config of a site for a page.
 * @param path as the snippet sent it; without it, every enabled tool of the site.
 */
export function configFor(site: CompiledSite, path: string | undefined): SiteConfig {
  const tools = path === undefined ? site.tools : select(site, normalizePath(path))
  return {
    entityTag: entityTagOf([site.revision, ...tools.map((tool) => tool.revision)]),
    encode: () => encode(site, tools),
  }
}

function select(site: CompiledSite, path: string): ServedTool[] {
  return site.paths.match(path).flatMap((position) => site.tools[position] ?? [])
}

function encode(site: CompiledSite, tools: readonly ServedTool[]): Buffer {
  const json = (kind: ServedTool['kind']) =>
    tools
      .filter((tool) => tool.kind === kind)
      .map((tool) => tool.json)
      .join(',')
  return Buffer.from(
    `{"siteId":"${site.siteId}","tools":[${json('tool')}],"formTools":[${json('formTool')}],` +
      `"pollInterval":${site.pollInterval}}`,
  )
}
