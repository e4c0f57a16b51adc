import {isRecord, recordsIn} from './record.ts'
import {textOf} from './rules/text.ts'

/** A tool or form tool as a page receives it. */
export type ServedTool = {
  readonly type: 'tool' | 'formTool'
  readonly name: string
  /** All that was sent, with the texts in other languages and what the page decides about (`texts`, `offeredWhile`). */
  readonly members: Readonly<Record<string, unknown>>
}

/** All tools and form tools of a config, with those that the page decides about. */
export function servedIn(config: unknown): ServedTool[] {
  const lists = isRecord(config) ? [config, config.conditional].filter(isRecord) : []
  return lists.flatMap(({tools, formTools}) => [...served('tool', tools), ...served('formTool', formTools)])
}

function served(type: ServedTool['type'], list: unknown): ServedTool[] {
  return recordsIn(list).map((members) => ({type, name: textOf(members.name), members}))
}
