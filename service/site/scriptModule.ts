import {hash} from 'node:crypto'
import {moduleOf} from '../../schemas/rules/script.ts'
import type {CompiledSite, ServedTool} from './compile.ts'
import {beginningOf} from './readTool.ts'

/** A tool's script as an ES module, for pages whose policy forbids to make functions from text. */
export type ScriptModule = {
  /** The lower-case hex SHA-256 of the script's UTF-8 text. A page computes it from the `executeJs` that it has. */
  revision: string
  /** The module as UTF-8 text. */
  encode(): Buffer
}

/**
 * Few pages ask for modules, and those that do keep them for a year: a digest is made when the first one asks, and
 * kept with the tool. The script itself stays where it is, among the site's texts.
 */
const revisions = new WeakMap<ServedTool, string>()

/**
 * The script of a site's published tool.
 * @param toolId the UUID that the tool is served with. Form tools have no script.
 */
export function scriptModuleOf(site: CompiledSite, toolId: string): ScriptModule | undefined {
  const texts = site.texts.tools()
  const position = texts.findIndex((text) => text.startsWith(beginningOf(toolId)))
  const text = texts[position]
  const tool = site.tools[position]
  if (text === undefined || tool?.kind !== 'tool') return undefined
  const revision = revisions.get(tool) ?? hash('sha256', scriptOf(text))
  revisions.set(tool, revision)
  return {revision, encode: () => Buffer.from(moduleOf(scriptOf(text)))}
}

function scriptOf(text: string): string {
  const served: unknown = JSON.parse(text)
  const isScripted = typeof served === 'object' && served !== null && 'executeJs' in served
  if (!isScripted || typeof served.executeJs !== 'string') throw new Error('a tool without a script')
  return served.executeJs
}
