import {parametersIn, type Template} from '../../schemas/actions/parts/template.ts'
import {CHECK, LATER, SIGN_IN, UNKNOWN} from './sentences.ts'

// Texts of JavaScript. Whatever a value contains, its text means this value and nothing else.

/** A function that cuts a list, and says in its place how much is missing: an agent would take the rest for all. */
export const CUT = `const cut = (list, limit) => {
  const more = list.length - limit
  return more > 0 ? [...list.slice(0, limit), \`\${more} more not shown\`] : list
}`

/** A text between single quotation marks, or between backticks if it has several lines. */
export function textCode(text: string): string {
  if (!/\n./s.test(text)) return quoted(text)
  const lines = text.split('\n').map((line) => escaped(line, '`').replaceAll('${', '\\${'))
  return `\`${lines.join('\n')}\``
}

/** A text with parameters; `codeOf` returns the expression for a parameter. */
export function templateCode(template: Template, codeOf: (parameter: string) => string): string {
  if (parametersIn(template).length === 0) return textCode(template.join(''))
  const parts = template.map((part) =>
    typeof part === 'string' ? escaped(part, '`').replaceAll('${', '\\${') : `\${${codeOf(part.parameter)}}`,
  )
  return `\`${parts.join('')}\``
}

function quoted(text: string): string {
  return `'${escaped(text, "'")}'`
}

/** Characters that readers do not see, and the end of a line, become escapes. */
function escaped(text: string, quote: string): string {
  return text.replace(TO_ESCAPE, (character) => {
    if (character === '\n') return '\\n'
    if (character === '\\' || character === quote) return `\\${character}`
    if (character === "'" || character === '`') return character
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
  })
}

const TO_ESCAPE = /[\\'`\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** A value of JSON, on one line. */
export function jsonCode(value: unknown): string {
  if (typeof value === 'string') return textCode(value)
  if (Array.isArray(value)) return `[${value.map(jsonCode).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return objectCode(Object.entries(value).map(([name, member]) => [name, jsonCode(member)]))
}

/** Longer statements and objects have several lines. */
const LONGEST_LINE = 100

/**
 * An object with these members.
 * @param indent what the line begins with
 */
export function objectCode(members: readonly (readonly [name: string, code: string])[], indent = ''): string {
  const parts = members.map(([name, code]) =>
    name === code && canBeShort(name) ? name : `${nameCode(name)}: ${code}`,
  )
  const line = `{${parts.join(', ')}}`
  if (line.length <= LONGEST_LINE && !line.includes('\n')) return line
  return `{\n${parts.map((part) => `${indent}  ${part},\n`).join('')}${indent}}`
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** Whether `{name}` means `{name: name}`: a constant of JSON is no variable. */
function canBeShort(name: string): boolean {
  return IDENTIFIER.test(name) && !['true', 'false', 'null'].includes(name)
}

function nameCode(name: string): string {
  return IDENTIFIER.test(name) ? name : quoted(name)
}

/** The argument of a parameter, such as `args.query`. */
export function argumentCode(parameter: string): string {
  return IDENTIFIER.test(parameter) ? `args.${parameter}` : `args[${quoted(parameter)}]`
}

/** The member of a value that may be missing. */
export function optionalMemberCode(object: string, step: string | number): string {
  return typeof step === 'string' && IDENTIFIER.test(step)
    ? `${object}?.${step}`
    : `${object}?.[${typeof step === 'number' ? step : quoted(step)}]`
}

/** A statement that tells the agent what went wrong, if something did. */
export function throwCode(condition: string, message: string): string {
  return ifCode(condition, `throw new Error(${message})`)
}

/** Returns what an agent, and who counts calls, reads as "found nothing": a result, no failure (schemas/calls/counts.ts). */
export function nothingCode(condition: string, message: string): string {
  return ifCode(condition, `return {found: 0, message: ${message}}`)
}

function ifCode(condition: string, statement: string): string {
  const line = `if (${condition}) ${statement}`
  return line.length <= LONGEST_LINE ? line : `if (${condition}) {\n  ${statement}\n}`
}

/**
 * Statements that throw an error about `status`.
 * @param said the code of what the website said, within a template
 */
export function statusCode(changes: boolean, said = ''): string {
  const later = changes ? 'status === 429' : 'status === 429 || status >= 500'
  return `  let advice = ${textCode(CHECK)}
  if (status === 401 || status === 403) advice = ${textCode(SIGN_IN)}
  if (${later}) advice = ${textCode(LATER)}${changes ? `\n  if (status === 408 || status >= 500) advice = ${textCode(UNKNOWN)}` : ''}
  throw new Error(\`${said}The request failed with status \${status}. \${advice}\`)`
}
