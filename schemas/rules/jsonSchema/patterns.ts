import {isRecord} from '../../record.ts'
import {type Subschema, subschemasOf} from './subschemas.ts'

/**
 * The problem with a pattern that no browser can compile. The web platform tests expect `registerTool` to
 * refuse a tool with one.
 * @param which such as `input schema`
 */
export function findBrokenPattern(which: string, schema: Record<string, unknown>): string | undefined {
  for (const {schema: inner, parameter} of subschemasOf(schema)) {
    const broken = patternsIn(inner).find(
      (pattern) => !compiles(pattern, '') && !compilesWithUnicode(pattern),
    )
    if (broken === undefined) continue
    const where = parameter === undefined ? '' : ` of "${parameter}"`
    return `In the ${which}, the pattern "${broken}"${where} is not a regular expression of JavaScript: correct or remove it.`
  }
  return undefined
}

function patternsIn({pattern, patternProperties}: Subschema['schema']): string[] {
  return [
    ...(typeof pattern === 'string' ? [pattern] : []),
    ...(isRecord(patternProperties) ? Object.keys(patternProperties) : []),
  ]
}

/**
 * Whether a pattern compiles with the flag `u`, as JSON Schema recommends. Property escapes such as `\p{L}`
 * count as valid: to build their sets of characters can take seconds for one pattern of 5,000 characters.
 */
export function compilesWithUnicode(pattern: string): boolean {
  return compiles(pattern.replace(/\\[pP]\{\w+(?:=\w+)?\}/g, '\\d'), 'u')
}

function compiles(pattern: string, flags: string): boolean {
  try {
    new RegExp(pattern, flags)
    return true
  } catch {
    return false
  }
}
