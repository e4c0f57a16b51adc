import {hash} from 'node:crypto'
import {validate} from 'uuid'
import {isJsonObject} from '../../common/json.ts'
import {moduleOf} from '../../schemas/rules/script.ts'
import type {CompiledSite} from './compiledSite.ts'

/**
 * Returns the script of a published tool as an ES module, for pages whose policy forbids `eval` and `new Function`. Form
 * tools have none, and neither has a site that is switched off. Decompresses the texts of the site, as a config does.
 * @param toolId the UUID that the tool is served with.
 * @param revision the lower-case hex SHA-256 of the script's UTF-8 text. The page computes it from its
 * `executeJs`.
 */
export function scriptModuleOf(site: CompiledSite, toolId: string, revision: string): string | undefined {
  if (!site.isEnabled || !validate(toolId)) return undefined
  const start = `{"id":"${toolId}"`
  const tool = site.texts.tools().find((json) => json.startsWith(start))
  const script = tool && scriptOf(tool)
  return script !== undefined && hash('sha256', script) === revision ? moduleOf(script) : undefined
}

/** The script of a tool as it is served; undefined for a form tool. */
export function scriptOf(tool: string): string | undefined {
  const served: unknown = JSON.parse(tool)
  return isJsonObject(served) && typeof served.executeJs === 'string' ? served.executeJs : undefined
}
