import {hash} from 'node:crypto'
import {isJsonObject} from '../../common/json.ts'
import {moduleOf} from '../../schemas/rules/script.ts'
import type {CompiledSite} from './compiledSite.ts'

/** A tool's script as an ES module, for pages whose policy forbids `eval` and `new Function`. */
export type ScriptModule = {
  /** The module as UTF-8 text. Decompresses the texts of the site. */
  encode(): Buffer
}

/** Length of the key of a script: 96 bits. The key of a form tool, which has none, matches no other. */
const KEY_LENGTH = 16
export const NO_SCRIPT = ' '.repeat(KEY_LENGTH)

/**
 * Returns a key for one script of one tool. Computed when the tool is compiled, so that a request for an
 * unknown script costs only a hash and a comparison per tool.
 * @param toolId the UUID that the tool is served with.
 * @param revision the lower-case hex SHA-256 of the script's UTF-8 text. The page computes it from its
 * `executeJs`.
 */
export function scriptKeyOf(toolId: string, revision: string): string {
  return hash('sha256', `${toolId}/${revision}`, 'base64url').slice(0, KEY_LENGTH)
}

/** Returns the key of a tool from those of all tools of its site. */
export function scriptKeyAt(scriptKeys: string, position: number): string {
  return scriptKeys.slice(KEY_LENGTH * position, KEY_LENGTH * (position + 1))
}

/** Returns the script of a published tool. Form tools have none, and neither has a site that is switched off. */
export function scriptModuleOf(
  site: CompiledSite,
  toolId: string,
  revision: string,
): ScriptModule | undefined {
  if (!site.isEnabled) return undefined
  const key = scriptKeyOf(toolId, revision)
  for (let position = 0; position < site.count; position++)
    if (site.scriptKeys.startsWith(key, KEY_LENGTH * position))
      return {encode: () => Buffer.from(moduleOf(scriptOf(site.texts.tools()[position])))}
  return undefined
}

function scriptOf(text = ''): string {
  const served: unknown = JSON.parse(text)
  if (!isJsonObject(served) || typeof served.executeJs !== 'string')
    throw new Error('a tool without a script')
  return served.executeJs
}
