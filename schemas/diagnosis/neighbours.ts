import {type ToolOfSite, toolOfSite} from '../advice/site/siteTools.ts'
import type {StoredDocument} from './documents.ts'

/** A tool or form tool as advice on the other tools of its site sees it. */
export type Neighbour = ToolOfSite & {readonly id: string}

/** The enabled tools and form tools among these documents that have a name. */
export function neighboursIn(tools: readonly StoredDocument[]): Neighbour[] {
  return tools.flatMap((tool) =>
    tool.enabled === true && typeof tool.name === 'string' ? [{id: tool._id, ...toolOfSite(tool)}] : [],
  )
}
