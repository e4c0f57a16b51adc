import {accept, type Parsed, parseDistinct, refuse} from '../parsed.ts'
import {parseText, showCharacter} from '../text.ts'

/**
 * A tool's name as browsers accept it: 1 to 128 letters, digits, underscores, dots and hyphens.
 * `registerTool` rejects any other name, and an agent would never see the tool.
 */
export function parseToolName(value: unknown): Parsed<string> {
  const text = parseText(value, 'The name', 128)
  if (!text.ok) return text
  const [foreign] = text.value.match(/[^A-Za-z0-9_.-]/u) ?? []
  if (foreign === undefined) return accept(text.value)
  return refuse(
    `A name cannot contain ${showCharacter(foreign)}: use only the letters A to Z, digits, "_", "." and "-".`,
  )
}

/** Far more than agents can handle on one page. */
const MAX_PAGE_TOOLS = 200

/** The names of the tools that the pages of a site register themselves. A missing field means none. */
export function parsePageTools(value: unknown): Parsed<string[]> {
  return parseDistinct(value, 'The names', parseToolName, MAX_PAGE_TOOLS)
}

/** The names that a site lists. None if the list breaks a rule. */
export function pageToolsOf(site: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  const names = parsePageTools(site?.pageTools)
  return names.ok ? names.value : []
}
