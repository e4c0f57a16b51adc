import type {ToolOfSite} from '../advice/site/siteTools.ts'
import {textOf} from '../rules/text.ts'
import type {StoredDocument} from './documents.ts'

/** A tool or form tool as advice on the other tools of its site sees it. */
export type Neighbour = ToolOfSite & {readonly id: string}

/** The enabled tools and form tools among these documents that have a name. */
export function neighboursIn(tools: readonly StoredDocument[]): Neighbour[] {
  return tools.flatMap(({_id: id, name, description, title, pathPattern, pagePath, enabled}) => {
    if (enabled !== true || typeof name !== 'string') return []
    const pattern = textOf(pathPattern ?? pagePath)
    return [{id, name, description: textOf(description), pattern, title: textOf(title)}]
  })
}
