import {checked} from './brokenRule.ts'
import {parseLanguageTexts} from './conditions/languageTexts.ts'
import {pageConditions, parseOfferedWhile} from './conditions/offeredWhile.ts'
import {parseFormFields} from './formFields.ts'
import {annotationsOf, inferAnnotations, parseDebugging, parseHintSettings} from './hints/annotations.ts'
import {parseInputSchema, parseOutputSchema} from './inputSchema.ts'
import {parseTitle, titleOf} from './names/title.ts'
import {parseToolName} from './names/toolName.ts'
import {parseOrigins} from './origin.ts'
import {type PathPattern, parsePathPattern} from './paths/pathPattern.ts'
import {parseScript} from './script.ts'
import {parseSelector} from './selector.ts'
import {parseDescription} from './text.ts'

// The rules of whole documents: the service serves what they return, and Studio explains what they refuse.

/** The fields of a document. Any of them may be missing or have any shape. */
export type Fields = {readonly [field: string]: unknown}

/** What decides where a tool or form tool is served. */
export type Place = {readonly name: string; readonly pattern: PathPattern}

/** @throws BrokenRule */
export function parseToolPlace({name, pathPattern}: Fields): Place {
  return {
    name: checked('name', parseToolName(name)),
    pattern: checked('pathPattern', parsePathPattern(pathPattern)),
  }
}

/** @throws BrokenRule */
export function parseFormToolPlace({name, pagePath}: Fields): Place {
  return {
    name: checked('name', parseToolName(name)),
    pattern: checked('pagePath', parsePathPattern(pagePath)),
  }
}

/**
 * Parses the members of a tool that are served; JSON leaves out those that are undefined. Its place is parsed separately, with `parseToolPlace`.
 * @param name its parsed name, from which the title and the hints are inferred
 * @throws BrokenRule
 */
export function parseTool(name: string, tool: Fields) {
  // A broken one costs only itself: agents can call the tool without it.
  const output = parseOutputSchema(tool.outputSchema)
  return {
    name,
    description: checked('description', parseDescription(tool.description)),
    inputSchema: checked('inputSchema', parseInputSchema(tool.inputSchema)),
    executeJs: checked('executeJs', parseScript(tool.executeJs)),
    exposedTo: checked('exposedTo', parseOrigins(tool.exposedTo)),
    title: checked('title', parseTitle(tool.title)) ?? titleOf(name),
    annotations: annotationsIn(name, tool),
    outputSchema: output.ok ? output.value : undefined,
    offeredWhile: conditionsOf(tool),
    texts: textsOf(tool),
  }
}

function annotationsIn(name: string, tool: Fields) {
  const settings = checked('annotations', parseHintSettings(tool.annotations))
  const debugging = checked('annotations', parseDebugging(tool.annotations))
  return {...annotationsOf(name, settings, inferAnnotations(name, tool)), ...(debugging && {debugging})}
}

/**
 * Parses the members of a form tool that are served.
 * @param name its parsed name
 * @throws BrokenRule
 */
export function parseFormTool(name: string, formTool: Fields) {
  const fields = checked('fields', parseFormFields(formTool.fields))
  return {
    name,
    description: checked('description', parseDescription(formTool.description)),
    selector: checked('selector', parseSelector(formTool.selector)),
    autosubmit: formTool.autosubmit === true,
    ...(fields.length > 0 && {fields}),
    offeredWhile: conditionsOf(formTool),
    texts: textsOf(formTool),
  }
}

function textsOf({texts}: Fields) {
  const parsed = checked('texts', parseLanguageTexts(texts))
  return parsed.length > 0 ? parsed : undefined
}

function conditionsOf({offeredWhile}: Fields) {
  return pageConditions(checked('offeredWhile', parseOfferedWhile(offeredWhile)))
}
