import {hasAction} from '../../actions/compile.ts'
import {BrokenRule, orBrokenRule} from '../../schemas/rules/parsed.ts'
import {tool} from '../../schemas/tool.ts'
import type {ToolDocument} from '../upstream/siteDocument.ts'
import {answerQuestions} from '../workerThread.ts'
import {actionLibrary} from './actionLibrary.ts'
import {type ReadTool, readTool} from './readTool.ts'

/** The result for one tool: its compiled form, or the rule that it breaks. */
export type ToolResult = {readonly read: ReadTool} | {readonly field: string; readonly problem: string}

// Loaded in a worker thread by `toolReader.ts`.
answerQuestions(async (document: ToolDocument): Promise<ToolResult> => {
  const library = hasAction(document) ? await actionLibrary() : undefined
  const read = orBrokenRule(() => readTool(tool, document, undefined, library))
  return read instanceof BrokenRule ? {field: read.field, problem: read.message} : {read}
})
