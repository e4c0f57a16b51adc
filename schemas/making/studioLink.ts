import type {ToolTest} from '../rules/tests/toolTests.ts'

/** In the fragment of an address of Studio: what the panel hands over. Browsers send no fragment to a server. */
const TOOL_KEY = 'handrail-tool'
const TOOLS_KEY = 'handrail-tools'
const TEST_KEY = 'handrail-test'
const PAGE_TOOLS_KEY = 'handrail-page-tools'

export type HandedKind = 'tool' | 'tools' | 'test' | 'pageTools'

const KINDS: ReadonlyMap<string, HandedKind> = new Map([
  [TOOL_KEY, 'tool'],
  [TOOLS_KEY, 'tools'],
  [TEST_KEY, 'test'],
  [PAGE_TOOLS_KEY, 'pageTools'],
])

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

/** The link that opens Studio with a draft of the tool. */
export function toolLink(studio: StudioOfPreview, tool: MadeTool): string {
  return linkWith(studio, TOOL_KEY, tool)
}

/** The link that opens Studio, which saves a draft of each tool. */
export function toolsLink(studio: StudioOfPreview, tools: readonly MadeTool[]): string {
  return linkWith(studio, TOOLS_KEY, {tools})
}

/** The link that opens Studio, which adds the test to the draft of its tool. */
export function testLink(studio: StudioOfPreview, test: MadeTest): string {
  return linkWith(studio, TEST_KEY, test)
}

/** The link that opens Studio, which adds the names to the draft of the site. */
export function pageToolsLink(
  studio: StudioOfPreview,
  found: {readonly site: string; readonly names: readonly string[]},
): string {
  return linkWith(studio, PAGE_TOOLS_KEY, found)
}

function linkWith({url, preview}: StudioOfPreview, key: string, value: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify({...value, preview}))
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  const text = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return `${url.replace(/\/+$/, '')}/#${key}=${text}`
}

/** What a link has: anything, since any page can open Studio. Undefined: it hands nothing over. */
export function handedIn(fragment: string): {readonly kind: HandedKind; readonly value: unknown} | undefined {
  const [, key, text = ''] = /^#([\w-]+)=([\w-]+)$/.exec(fragment) ?? []
  const kind = KINDS.get(key ?? '')
  if (kind === undefined) return undefined
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
    return {kind, value: JSON.parse(new TextDecoder().decode(bytes))}
  } catch {
    return undefined
  }
}
