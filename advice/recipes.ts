import {FORM_TOOL_RECIPES, TOOL_RECIPES} from '../schemas/recipes/recipes.ts'
import type {Fields} from '../schemas/record.ts'
import {type Advice, advise} from './advice.ts'

const RECIPES = [...TOOL_RECIPES, ...FORM_TOOL_RECIPES]

const DESCRIPTIONS: readonly unknown[] = RECIPES.map(({fields}) => fields.description)

/** What recipes write in place of the names of a website, such as `your-search` and `yourResults`. */
const NAME = /\byour(?:-\w+|[A-Z]\w*)/g

const NAMES: ReadonlySet<string> = new Set(JSON.stringify(RECIPES).match(NAME))

/** Advice on what is still as a recipe had it. */
export function adviseRecipe(tool: Fields): Advice[] {
  const message =
    'This is still the description of the recipe, and agents choose a tool by it. Say what the tool does on your website, and what it returns.'
  const description = advise('RECIPE_UNCHANGED', 'description', message)
  return [...(DESCRIPTIONS.includes(tool.description) ? [description] : []), ...adviseNames(tool, [])]
}

function adviseNames(value: unknown, path: readonly string[]): Advice[] {
  if (typeof value === 'string') {
    const name = value.match(NAME)?.find((one) => NAMES.has(one))
    if (name === undefined) return []
    const message = `“${name}” is from the recipe, and no website has it. Write what yours has there.`
    return [advise('RECIPE_UNCHANGED', path.join('.'), message)]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => adviseNames(inner, [...path, name]))
}
