import {readFile} from 'node:fs/promises'
import {resolve} from 'node:path'
import {errorCode} from '../../common/errorCode.ts'
import {splitDocument} from '../../content/layout/splitDocument.ts'
import {toolOfCopied} from '../../making/copied/copiedTool.ts'
import {freeName, sentenceOf} from '../../making/names.ts'
import {parseOpenApi} from '../../making/openApi.ts'
import {taken} from '../../schemas/document.ts'
import {pagesFieldOf, siteOf} from '../../schemas/documents.ts'
import {FORM_TOOL_RECIPES, TOOL_RECIPES} from '../../schemas/recipes/recipes.ts'
import type {Fields} from '../../schemas/record.ts'
import {wordsOf} from '../../schemas/rules/names/toolName.ts'
import type {Parsed} from '../../schemas/rules/parsed.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {tool} from '../../schemas/tool.ts'
import {assertWorkTree} from '../changes.ts'
import {CommandError, type Console} from '../command.ts'
import {readSnapshot} from '../diff/snapshot.ts'
import {contentDirectory} from '../directory.ts'
import {documentsIn} from '../documents.ts'
import {LAYOUT} from '../layout.ts'
import {chooseSite} from '../site.ts'
import {readWorkTree} from '../source/workTree.ts'

/** What the user named to make a tool from: exactly one of `openapi`, `request` and `recipe`. */
export type Origin = {
  readonly openapi?: string | undefined
  readonly operation?: string | undefined
  readonly request?: string | undefined
  readonly recipe?: string | undefined
}

/** What a new document begins with. */
export type Start = {
  readonly type: 'tool' | 'formTool'
  readonly fields: Fields
  /** What is not taken over, for the user. */
  readonly notes: readonly string[]
}

const RECIPES = [
  ...TOOL_RECIPES.map((recipe) => ({...recipe, type: 'tool' as const})),
  ...FORM_TOOL_RECIPES.map((recipe) => ({...recipe, type: 'formTool' as const})),
]

/** The operations or the recipes, if the user named none. @throws CommandError */
export async function choicesOf({openapi, operation, recipe}: Origin, console: Console) {
  if (recipe === '') return RECIPES.map(({id, title}) => ({name: id, about: title}))
  if (openapi === undefined || operation !== undefined) return undefined
  const {operations} = accepted(parseOpenApi(await readText(openapi, console), []))
  return operations.map(({id, summary}) => ({name: id, about: summary}))
}

/**
 * Reads what a tool is made from, as Studio does.
 * @param addresses the site's: requests to them are relative to the page
 * @throws CommandError
 */
export async function startOf(
  {openapi, operation = '', request, recipe}: Origin,
  addresses: readonly string[],
  console: Console,
): Promise<Start> {
  if (openapi !== undefined) {
    const api = accepted(parseOpenApi(await readText(openapi, console), addresses))
    const {fields, notes} = accepted(api.toolOf(operation))
    return {type: 'tool', fields: taken(tool.fields, fields), notes}
  }
  if (request !== undefined) {
    const {fields, leftOut} = accepted(toolOfCopied(await readText(request, console), addresses, undefined))
    const note = `Left out: ${leftOut.join(', ')}. Browsers set such headers themselves, and secrets do not belong into a tool.`
    return {type: 'tool', fields: taken(tool.fields, fields), notes: leftOut.length > 0 ? [note] : []}
  }
  const found = RECIPES.find(({id}) => id === recipe)
  if (found === undefined)
    throw new CommandError(
      `There is no recipe "${recipe}". There are: ${RECIPES.map(({id}) => id).join(', ')}.`,
    )
  return {type: found.type, fields: found.fields, notes: []}
}

function accepted<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new CommandError(parsed.problem)
  return parsed.value
}

async function readText(file: string, {directory, input}: Console): Promise<string> {
  if (file === '-') return await input()
  try {
    return await readFile(resolve(directory, file), 'utf8')
  } catch (error) {
    const code = errorCode(error)
    if (code === undefined) throw error
    throw new CommandError(
      code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read (${code}).`,
    )
  }
}

/** What the user wrote, or the website said. */
type Words = {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly path?: string | undefined
  readonly enabled?: boolean
}

/** Where a new tool goes, as the user named it. */
export type Place = {readonly given: string | undefined; readonly site: string | undefined}

/** The repository and the site that get new tools, with what is there. @param origin of the site's pages @throws CommandError */
export async function openPlace({given, site: wanted}: Place, console: Console, origin?: string) {
  const directory = await contentDirectory(given, console)
  await assertWorkTree(directory, 'write to')
  const source = await readWorkTree(directory)
  const documents = readSnapshot(source)
  const site = chooseSite(documents, wanted, origin)
  const tools = [...documents.values()].filter((one) => siteOf(one) === site._id)
  const ids = new Set(documentsIn(source).map(({key}) => key.id.toLowerCase()))
  return {directory, site, tools, ids}
}

/** A recipe has all that a tool needs; what is made of a request lacks a description and its pages. */
export function documentOf(site: string, {type, fields}: Omit<Start, 'notes'>, words: Words): Fields {
  const name = words.name ?? textOf(fields.name)
  const path = pagesFieldOf(type)
  return {
    ...fields,
    site: {_type: 'reference', _ref: site},
    enabled: words.enabled ?? true,
    name,
    description: words.description ?? (textOf(fields.description) || sentenceOf(name)),
    [path]: words.path ?? fields[path] ?? '/**',
  }
}

/** The id and the files of a new document, in a repository that has these ids. */
export function filesOf(type: Start['type'], document: Fields, ids: ReadonlySet<string>) {
  // Names may have more characters than ids.
  const words = wordsOf(textOf(document.name)).join('-').toLowerCase().slice(0, 100)
  const id = freeName(words || type, ids)
  return {id, files: splitDocument(LAYOUT, {type, id}, {...document, _id: id, _type: type})}
}
