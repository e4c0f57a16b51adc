import {FORM_TOOL_RECIPES, TOOL_RECIPES} from '../schemas/recipes/recipes.ts'
import {type Fields, isRecord} from '../schemas/record.ts'
import {textOf} from '../schemas/rules/text.ts'
import {type Advice, advise, type Place} from './advice.ts'

/** What to do about a part of a recipe that was not changed. */
const REMEDIES = {
  description:
    'This is still the description of the recipe, and agents choose a tool by it. Say what the tool does on your website, and what it returns.',
  parameter: 'This is still the text of the recipe. Say it in the words of your website, with an example.',
  request:
    'This is still the address of the recipe. Change it to the one on your website that returns what the tool is for.',
  place:
    'This is still the place of the recipe. Change it to where the list is in what your website sends, and choose the values of its entries.',
  page: 'This is still the page of the recipe. Change it to one of your website.',
  selector:
    'This is still the selector of the recipe, which finds nothing on your pages. Change it to that of your page.',
  script:
    'This line of the script is still as the recipe has it. Change it to the address or the selector of your website.',
} as const

/** A text that recipes leave to the editor. */
type Part = {readonly kind: keyof typeof REMEDIES; readonly text: string; readonly field: string} & Place

/**
 * Advice on what is still as a recipe had it. Addresses and selectors of recipes are ones that no website has.
 * @param properties the parameters of a tool
 */
export function adviseRecipe(tool: Fields, properties: Fields = {}): Advice[] {
  const parts = [...partsOf(tool), ...parametersOf(properties), ...linesOf(textOf(tool.executeJs))]
  return parts
    .filter(({kind, text}) => UNCHANGED.has(`${kind} ${text}`))
    .map(({kind, field, text: _, ...place}) => advise('RECIPE_UNCHANGED', field, REMEDIES[kind], place))
}

function partsOf({description, offeredWhile, request, link, reading, selector, pagePath}: Fields): Part[] {
  const has = isRecord(offeredWhile) && Array.isArray(offeredWhile.has) ? offeredWhile.has : []
  const parts: readonly unknown[] = isRecord(reading) && Array.isArray(reading.parts) ? reading.parts : []
  return [
    {kind: 'description', field: 'description', text: textOf(description)},
    {kind: 'selector', field: 'offeredWhile', text: textOf(has[0])},
    {kind: 'request', field: 'request.address', text: textOf(isRecord(request) && request.address)},
    {kind: 'place', field: 'request.result.path', text: placeOf(request)},
    {kind: 'page', field: 'link.address', text: textOf(isRecord(link) && link.address)},
    ...parts.map((part, at): Part => {
      return {
        kind: 'selector',
        field: `reading.parts.${at}.selector`,
        text: textOf(isRecord(part) && part.selector),
      }
    }),
    {kind: 'selector', field: 'selector', text: textOf(selector)},
    {kind: 'page', field: 'pagePath', text: textOf(pagePath)},
  ]
}

function placeOf(request: unknown): string {
  return isRecord(request) && isRecord(request.result) ? textOf(request.result.path) : ''
}

/** The texts that have an example, or refer to another tool: the others are right on every website. */
function parametersOf(properties: Fields): Part[] {
  return Object.entries(properties).flatMap(([name, property]): Part[] => {
    const text = textOf(isRecord(property) && property.description)
    if (!/\b(?:such as|returns it)\b/.test(text)) return []
    return [{kind: 'parameter', field: 'inputSchema', text, path: ['properties', name, 'description']}]
  })
}

/** The lines of scripts that recipes leave to the editor, as their first lines say. */
const LINES = TOOL_RECIPES.flatMap(({fields}) => {
  const script = 'executeJs' in fields ? fields.executeJs : ''
  const [, line] = /^\/\/ Change this .+\n(.+)$/m.exec(script) ?? []
  return line === undefined ? [] : [line]
})

function linesOf(script: string): Part[] {
  return LINES.map((text) => ({text, offset: script.indexOf(text)}))
    .filter(({offset}) => offset >= 0)
    .map((line) => ({kind: 'script', field: 'executeJs', ...line}))
}

/** A contact form is often at the address that the recipe has. */
const USUAL_PAGE = '/contact'

const UNCHANGED: ReadonlySet<string> = new Set(
  [...TOOL_RECIPES, ...FORM_TOOL_RECIPES].flatMap(({fields}) => {
    const schema: unknown = 'inputSchema' in fields ? JSON.parse(fields.inputSchema) : {}
    const properties = isRecord(schema) && isRecord(schema.properties) ? schema.properties : {}
    const script = 'executeJs' in fields ? fields.executeJs : ''
    return [...partsOf(fields), ...parametersOf(properties), ...linesOf(script)]
      .filter(({text}) => text !== '' && text !== USUAL_PAGE)
      .map(({kind, text}) => `${kind} ${text}`)
  }),
)
