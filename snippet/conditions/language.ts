import type {FormTool, LanguageTexts, Tool} from '../config.ts'
import {isObject, type Members, membersOf} from '../members.ts'

/** The language of the page. */
export function pageLanguage(): string {
  return document.documentElement.lang.toLowerCase()
}

/** The texts for a language: “de-CH-1996”, else “de-CH”, else “de” (RFC 4647 §3.4). */
function lookUp(texts: readonly LanguageTexts[]): LanguageTexts | undefined {
  for (let range = pageLanguage(); range; range = range.replace(/(?:-[^-])?-?[^-]*$/, '')) {
    const found = texts.find(({language}) => language.toLowerCase() === range)
    if (found) return found
  }
  return undefined
}

/** A tool with its texts in the language of the page. What these lack stays. */
export function inLanguage<T extends Tool | FormTool>(tool: T): T {
  const {language, parameters = [], ...texts} = lookUp(tool.texts ?? []) ?? {}
  return language ? {...tool, ...texts, ...described(tool, parameters)} : tool
}

/** The parameters of a tool, or the fields of a form tool, with these descriptions. */
function described(tool: Tool | FormTool, parameters: NonNullable<LanguageTexts['parameters']>): Members {
  const {inputSchema, fields} = membersOf(tool)
  // The snippet takes the first description of a field.
  if (!isObject(inputSchema)) return {fields: [...parameters, ...(Array.isArray(fields) ? fields : [])]}
  const properties = {...membersOf(inputSchema.properties)}
  for (const {name, description} of parameters)
    if (Object.hasOwn(properties, name)) properties[name] = {...membersOf(properties[name]), description}
  return {inputSchema: {...inputSchema, properties}}
}
