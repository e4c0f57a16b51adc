/** In the fragment of an address of Studio: a tool that the panel made. Browsers send no fragment to a server. */
const TOOL_KEY = 'handrail-tool'

/** A tool that the panel made, for Studio to save as a draft. */
export type MadeTool = {
  /** Of the document, so that opening the link again makes no second one. */
  readonly id: string
  /** The id of the site's document. */
  readonly site: string
  readonly type: 'tool' | 'formTool'
  readonly fields: object
}

/** The link that opens Studio with a draft of the tool. */
export function toolLink(studioUrl: string, tool: MadeTool): string {
  const bytes = new TextEncoder().encode(JSON.stringify(tool))
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  const text = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return `${studioUrl.replace(/\/+$/, '')}/#${TOOL_KEY}=${text}`
}

/** What a link has: anything, since any page can open Studio. Undefined: it has no tool. */
export function toolIn(fragment: string): unknown {
  const [, text] = new RegExp(`^#${TOOL_KEY}=([\\w-]+)$`).exec(fragment) ?? []
  if (text === undefined) return undefined
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
