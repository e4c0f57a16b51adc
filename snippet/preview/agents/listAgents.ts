import {type ConsumerListing, listForConsumers, type OfferedTool} from '../../../schemas/agents/listings.ts'
import {HINTS} from '../../../schemas/rules/hints/annotations.ts'
import {isObject, membersOf} from '../../members.ts'
import {all, getAttribute} from '../../page.ts'
import type {RegisteredTool} from '../../webmcp.ts'

/** What the known agents get of the tools that are registered on this page, by a site or by the page itself. */
export function listAgents(tools: readonly RegisteredTool[]): ConsumerListing[] {
  const offered = tools.filter((tool) => tool.window === window).map(offeredTool)
  return offered.length === 0 ? [] : listForConsumers(offered)
}

function offeredTool({name, annotations: given, inputSchema}: RegisteredTool): OfferedTool {
  const form = all('form').find((one) => getAttribute.call(one, 'toolname') === name)
  const members = membersOf(given)
  const annotations = Object.fromEntries(
    [...HINTS, 'debugging'].filter((hint) => members[hint] === true).map((hint) => [hint, true]),
  )
  if (form !== undefined)
    return {type: 'formTool', name, annotations, autosubmit: form.hasAttribute('toolautosubmit')}
  return {type: 'tool', name, annotations, inputSchema: schemaOf(inputSchema)}
}

/** Earlier versions of WebMCP return schemas as JSON. */
function schemaOf(value: unknown): Record<string, unknown> {
  if (isObject(value)) return {...value}
  try {
    const parsed: unknown = JSON.parse(String(value))
    return isObject(parsed) ? {...parsed} : {}
  } catch {
    return {}
  }
}
