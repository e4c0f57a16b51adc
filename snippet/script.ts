import type {Tool} from './config.ts'
import type {ToolFunction} from './webmcp.ts'

/** True once the page's policy has refused `new Function`: asking again would only be one more violation. */
let evalForbidden = false

/**
 * The function of a tool's script, made at its first call: a visit at which no agent calls anything compiles nothing,
 * loads nothing, and violates no policy. Where the policy forbids `eval`, the service has the same script as a module,
 * under a name that is made of its text.
 * @param siteUrl the address of the site at the service, with a slash at its end.
 * @throws SyntaxError, or what `import()` throws.
 */
export async function load(tool: Tool, siteUrl: string): Promise<ToolFunction> {
  if (!tool.run && !evalForbidden) {
    try {
      // As a module would run it: strict, and on lines of its own (schemas/rules/script.ts).
      tool.run = new Function(`"use strict";return async(args,{signal})=>{\n${tool.executeJs}\n}`)()
    } catch (error) {
      if (error instanceof SyntaxError) throw error
      evalForbidden = true
    }
  }
  const run =
    tool.run ?? (await import(`${siteUrl}tools/${tool.id}/${await sha256(tool.executeJs)}.js`)).default
  tool.run = run
  return run
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return new Uint8Array(digest).toHex()
}
