import {load} from '../snippet/calls/script.ts'
import type {LoadScript} from '../snippet/calls.ts'
import type {Tool} from '../snippet/config.ts'
import {isObject, membersOf} from '../snippet/members.ts'
import {messageOf} from '../snippet/messageOf.ts'
import {lineIn} from '../verdicts/cause.ts'

/** What a script threw, and where, if the browser says so. */
export type Thrown = {readonly message: string; readonly line?: ScriptLine}

/** A line of a tool's script, counted from 1. */
type ScriptLine = {readonly number: number; readonly text: string}

/** What scripts threw, by the arguments of the call as the agent passed them. */
const thrown = new WeakMap<object, Thrown>()

/** Returns what the script threw in the call with these arguments. */
export function thrownBy(args: unknown): Thrown | undefined {
  return isObject(args) ? thrown.get(args) : undefined
}

/**
 * Loads scripts as the snippet does, and remembers what they throw.
 * @param moduleUrlOf where the script of a tool is a module, if the tool is not published.
 */
export function createLoader(moduleUrlOf: (tool: Tool) => string | undefined): LoadScript {
  return async (tool, siteUrl) => {
    const run = await load(tool, siteUrl, moduleUrlOf(tool))
    return async (args, options, given) => {
      try {
        return await run(args, options)
      } catch (error) {
        const line = lineIn(String(membersOf(error).stack), tool.id, tool.executeJs)
        if (isObject(given)) thrown.set(given, {message: messageOf(error), ...(line && {line})})
        throw error
      }
    }
  }
}
