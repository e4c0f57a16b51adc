import {hash} from 'node:crypto'
import {moduleOf} from '../../schemas/rules/script.ts'
import type {CompiledSite} from './compiledSite.ts'

/** A tool's script as an ES module, for pages whose policy forbids `eval` and `new Function`. */
export type ScriptModule = {
  /** The module as UTF-8 text. Decompresses the texts of the site. */
  encode(): Buffer
}

/**
 * Returns a key for one script of one tool. Computed when the tool is compiled, so that a request for an
 * unknown script costs only a hash and a comparison per tool.
 * @param toolId the UUID that the tool is served with.
 * @param revision the lower-case hex SHA-256 of the script's UTF-8 text. The page computes it from its
 * `executeJs`.
 */
export function moduleKeyOf(toolId: string, revision: string): string {
  return hash('sha256', `${toolId}/${revision}`, 'base64url')
}

/** Returns the script of a published tool. Form tools have none, and neither has a site that is switched off. */
export function scriptModuleOf(
  site: CompiledSite,
  toolId: string,
  revision: string,
): ScriptModule | undefined {
  if (!site.isEnabled) return undefined
  const key = moduleKeyOf(toolId, revision)
  const position = site.tools.findIndex(({moduleKey}) => moduleKey === key)
  if (position < 0) return undefined
  return {encode: () => Buffer.from(moduleOf(scriptOf(site.texts.tools()[position])))}
}

function scriptOf(text = ''): string {
  const served: unknown = JSON.parse(text)
  const isScripted = typeof served === 'object' && served !== null && 'executeJs' in served
  if (!isScripted || typeof served.executeJs !== 'string') throw new Error('a tool without a script')
  return served.executeJs
}
