import {parseActionKind} from '../schemas/actions/action.ts'
import {parseAction} from '../schemas/actions/parseAction.ts'
import type {Fields} from '../schemas/record.ts'
import {parseInputSchema} from '../schemas/rules/inputSchema.ts'
import {checked} from '../schemas/rules/parsed.ts'
import {type Library, textOf} from './library.ts'
import {type Planned, planOf} from './plan.ts'

/** Whether a tool has an action instead of a script. */
export function hasAction(tool: Fields): boolean {
  const kind = parseActionKind(tool.action)
  return !kind.ok || kind.value !== 'script'
}

/** What runs of a tool's action; undefined if the tool has a script. @throws BrokenRule */
export function plannedAction(tool: Fields): Planned | undefined {
  if (!hasAction(tool)) return undefined
  const schema = checked('inputSchema', parseInputSchema(tool.inputSchema))
  const action = parseAction(tool, schema)
  return action && planOf(action, schema)
}

/**
 * The script that a tool is served with.
 * @param library the functions that actions run
 * @throws BrokenRule
 */
export function servedScript(tool: Fields, library: Library): unknown {
  const planned = plannedAction(tool)
  return planned ? compile(planned, library) : tool.executeJs
}

/** What a call gets of the page that it runs in. */
const HERE = {
  runLink: ['args'],
  runRequest: ['args', 'signal', 'fetch'],
  runReading: ['signal', 'document'],
} as const

/**
 * The script of an action: the body of `async (args, {signal}) => {…}`. The same action always has the same script, and those
 * with the same functions differ only in their data, which stands last.
 * @param isReadable whether people go on with it, so that its data stands first
 */
export function compile({run, plan, features}: Planned, library: Library, isReadable = false): string {
  // People who go on with it also send what is always the same.
  const needed = isReadable && run === 'runRequest' ? {fixed: 'fixed', ...features} : features
  const text = textOf(library, [run, ...Object.values(needed)])
  const nameOf = (exported: string) => library.names[exported]?.name ?? ''
  const made = Object.entries(needed).map(
    ([member, name]) => `${library.members[member] || member}:${nameOf(name)}`,
  )
  // Few requests send what stands on the page.
  const page = 'field' in needed || 'cookie' in needed ? ['document'] : []
  const call = [...HERE[run], ...page, ...made].join()
  return isReadable
    ? `const action = ${longText(plan)}\n\n${text}\nreturn ${nameOf(run)}({${call},...action})\n`
    : `${text}return ${nameOf(run)}({${call},${shortText(plan).slice(1)})\n`
}

/** Characters that readers do not see. In JSON they are only in texts, but for the ends of lines. */
const UNSEEN = /(?!\n)[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** The same without quotes that a script does not need: in a config, which is JSON, they have two characters. */
function shortText(data: object): string {
  return dataText(data).replace(/"((?:[^"\\]|\\.)*)"(:?)/g, (whole, text: string, colon: string) => {
    if (colon && /^[a-z]\w*$/i.test(text)) return text + colon
    if (text.includes("'")) return whole
    return `'${text.replace(/\\(.)/g, (escaped, one) => (one === '"' ? one : escaped))}'${colon}`
  })
}

/** The same as people write it: names without quotes, and short lists in one line. */
function longText(data: object): string {
  return dataText(data, 2)
    .replace(/^( *)"([a-z]\w*)":/gim, '$1$2:')
    .replace(/\[\n *([^[\]{}]{1,60}?)\n *\]/g, (_, list: string) => `[${list.replace(/\n */g, ' ')}]`)
}

/** JSON that means the same in a script, where `__proto__` would set what an object inherits from. */
function dataText(data: object, indent = 0): string {
  return JSON.stringify(data, null, indent)
    .replace(UNSEEN, (character) =>
      Array.from(
        {length: character.length},
        (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
      ).join(''),
    )
    .replaceAll(/(?<!\\)"__proto__":/g, '["__proto__"]:')
}
