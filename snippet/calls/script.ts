import type {Tool} from '../config.ts'
import type {ToolFunction} from '../webmcp.ts'

/**
 * True once the page's policy has refused `new Function`: trying again would only cause another violation
 * report.
 */
let evalForbidden = false

/**
 * Returns the function of a tool's script. It is made at the first call: if no agent calls anything, nothing
 * is compiled or loaded, and no policy is violated. If the policy forbids `eval`, the service has the same
 * script as a module, at an address that contains a hash of its text.
 * @param siteUrl the address of the site at the service, with a trailing slash.
 * @param moduleUrl where the script is a module, if not below `siteUrl`.
 * @throws SyntaxError, or what `import()` throws.
 */
export async function load(tool: Tool, siteUrl: string, moduleUrl?: string): Promise<ToolFunction> {
  if (!tool.run && !evalForbidden) {
    try {
      // Equivalent to the module: strict, and on separate lines (schemas/rules/script.ts).
      tool.run = new Function(`"use strict";return async(args,{signal})=>{\n${tool.executeJs}\n}`)()
    } catch (error) {
      if (error instanceof SyntaxError) throw error
      evalForbidden = true
    }
  }
  // "../.." would lead to the scripts of another site: the browser then says that it cannot load tools/null.
  const id = /^[\w-]+$/.exec(tool.id)
  const run =
    tool.run ??
    (await import(moduleUrl ?? `${siteUrl}tools/${id}/${await sha256(tool.executeJs)}.js`)).default
  tool.run = run
  return run
}

async function sha256(text: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toHex()
}
