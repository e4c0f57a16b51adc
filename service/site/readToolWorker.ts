import {parentPort} from 'node:worker_threads'
import {BrokenRule, orBrokenRule} from '../../schemas/rules/brokenRule.ts'
import type {ToolDocument} from '../upstream/siteDocument.ts'
import {type ReadTool, readTool} from './readTool.ts'

/** The result for one tool: its compiled form, or the rule that it breaks. */
export type ToolResult = {readonly read: ReadTool} | {readonly field: string; readonly problem: string}

// Loaded in a worker thread by `toolReader.ts`, which sends one tool at a time.
parentPort?.on('message', (tool: ToolDocument) => parentPort?.postMessage(resultOf(tool)))

function resultOf(tool: ToolDocument): ToolResult {
  const read = orBrokenRule(() => readTool(tool, undefined))
  return read instanceof BrokenRule ? {field: read.field, problem: read.message} : {read}
}
