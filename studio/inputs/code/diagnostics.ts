import type {Diagnostic} from '@codemirror/lint'
import {findNodeAtLocation, parseTree} from 'jsonc-parser'
import type {Advice} from '../../../advice/advice.ts'
import {adviseParameters} from '../../../advice/parameters.ts'
import {adviseScript} from '../../../advice/script/script.ts'
import {parseInputSchema, parseOutputSchema} from '../../../schemas/rules/inputSchema.ts'
import type {Parsed} from '../../../schemas/rules/parsed.ts'
import {parseScript} from '../../../schemas/rules/script.ts'
import {offsetNamed} from '../../../schemas/rules/text.ts'

/** The problems of a script: the errors of the rules, or advice if they accept it. */
export function scriptDiagnostics(text: string, schemaText: string): Diagnostic[] {
  return diagnosticsOf(parseScript(text), text, () => {
    const schema = parseInputSchema(schemaText)
    return adviseScript(text, schema.ok ? schema.value : undefined).advice
  })
}

/** The problems of an input schema's text. */
export function schemaDiagnostics(text: string): Diagnostic[] {
  return diagnosticsOf(parseInputSchema(text), text, (schema) => adviseParameters(schema, text))
}

/** The problems of an output schema's text. */
export function outputSchemaDiagnostics(text: string): Diagnostic[] {
  return diagnosticsOf(parseOutputSchema(text), text, () => [])
}

function diagnosticsOf<T>(
  parsed: Parsed<T>,
  text: string,
  advise: (value: T) => readonly Advice[],
): Diagnostic[] {
  // No error for an empty field: Studio itself reports that it is required.
  if (text.trim() === '') return []
  if (parsed.ok) return adviceAt(advise(parsed.value), text)
  const range = rangeAt(offsetNamed(parsed.problem, text) ?? 0, text)
  return [{...range, severity: 'error', message: parsed.problem}]
}

function adviceAt(advice: readonly Advice[], text: string): Diagnostic[] {
  return advice.flatMap(({offset, path, severity, message}) => {
    const start = offset ?? (path === undefined ? undefined : offsetOf(path, text))
    // Advice on the text as a whole is shown below the field.
    return start === undefined ? [] : [{...rangeAt(start, text), severity, message}]
  })
}

/** The offset in a JSON text of the name of a member, or of an entry of a list. */
function offsetOf(path: NonNullable<Advice['path']>, text: string): number | undefined {
  const root = parseTree(text)
  const node = root && findNodeAtLocation(root, [...path])
  const [name] = node?.parent?.type === 'property' ? (node.parent.children ?? []) : []
  // After the quotation mark of the name.
  return name === undefined ? node?.offset : name.offset + 1
}

/** The range of the word at an offset, or of one character. */
function rangeAt(offset: number, text: string): {from: number; to: number} {
  const from = Math.max(0, Math.min(offset, text.length - 1))
  const [word = ''] = /^[\w$]+/.exec(text.slice(from)) ?? []
  return {from, to: Math.min(text.length, from + Math.max(1, word.length))}
}
