import {hash} from 'node:crypto'
import {moduleOf} from '../../schemas/rules/script.ts'
import type {CompiledSite} from './compile.ts'

/** A tool's script as an ES module, for pages whose policy forbids to make functions from text. */
export type ScriptModule = {
  /** The module as UTF-8 text. Decompresses the texts of the site. */
  encode(): Buffer
}

/**
 * Names one script of one tool. Made when the tool is compiled, so that a request for a script that is not there costs a
 * hash and a look at each tool.
 * @param toolId the UUID that the tool is served with.
 * @param revision the lower-case hex SHA-256 of the script's UTF-8 text. A page computes it from the `executeJs` it has.
 */
export function moduleKeyOf(toolId: string, revision: string): string {
  return hash('sha256', `${toolId}/${revision}`, 'base64url')
}

/** The script of a site's published tool. Form tools have none. */
export function scriptModuleOf(
  site: CompiledSite,
  toolId: string,
  revision: string,
): ScriptModule | undefined {
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
