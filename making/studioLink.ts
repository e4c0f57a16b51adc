import type {ToolTest} from '../schemas/fields/tests.ts'

/** Where Studio is, and the preview of which it opened the page: Studio trusts what comes from a preview of this browser. */
export type StudioOfPreview = {readonly url: string; readonly preview: string}

/** A tool that the panel made, for Studio to save as a draft. */
export type MadeTool = {
  /** Of the document, so that opening the link again makes no second one. */
  readonly id: string
  /** The id of the site's document. */
  readonly site: string
  readonly type: 'tool' | 'formTool'
  /** By which Studio knows the field that is filled in; undefined: the tool is a new one. */
  readonly for?: string | undefined
  readonly fields: object
}

/** A test that the panel made of a call, for Studio to add to the draft of a tool. */
export type MadeTest = {
  /** Of the tool's published document. */
  readonly id: string
  readonly test: ToolTest
}

/** What the panel hands over, by its kind. */
type Handed = {
  /** A tool, of which Studio saves a draft. */
  readonly tool: MadeTool
  /** Several of them. */
  readonly tools: {readonly tools: readonly MadeTool[]}
  readonly test: MadeTest
  /** Names of tools that pages of a site register themselves, for the draft of the site. */
  readonly pageTools: {readonly site: string; readonly names: readonly string[]}
}

export type HandedKind = keyof Handed

const KINDS: readonly HandedKind[] = ['tool', 'tools', 'test', 'pageTools']

/** The link that opens Studio, which saves what is handed over. Browsers send no fragment to a server. */
export function handoverLink<Kind extends HandedKind>(
  {url, preview}: StudioOfPreview,
  kind: Kind,
  value: Handed[Kind],
): string {
  const bytes = new TextEncoder().encode(JSON.stringify({...value, preview}))
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  const text = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return `${url.replace(/\/+$/, '')}/#handrail-${kind}=${text}`
}

/** What a link has: anything, since any page can open Studio. Undefined: it hands nothing over. */
export function handedIn(fragment: string): {readonly kind: HandedKind; readonly value: unknown} | undefined {
  const [, name, text = ''] = /^#handrail-(\w+)=([\w-]+)$/.exec(fragment) ?? []
  const kind = KINDS.find((one) => one === name)
  if (kind === undefined) return undefined
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
    return {kind, value: JSON.parse(new TextDecoder().decode(bytes))}
  } catch {
    return undefined
  }
}
